/** Makes the paths of requests that are passed on. */
import { posix } from 'node:path'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { escapedPath } from '../../util/url-parts.js'

/** Returns the part of the path after the name of the subresource, decoded. */
export function pathBelow({ info, path }: RequestContext): string {
  const below = info.parts.slice(3).join('/')
  const slashed = below === '' || below.startsWith('/') ? below : `/${below}`
  return path.endsWith('/') && !slashed.endsWith('/') ? `${slashed}/` : slashed
}

/** Returns this path as the other server is asked for it: cleaned and escaped. */
export const proxiedPath = (context: RequestContext): string => {
  const below = pathBelow(context)
  return below === '' ? '' : escapedPath(posix.normalize(below))
}

/** Makes a query of names and values as Go does: sorted by names. */
export function goQuery(parameters: readonly (readonly [name: string, value: string])[]): string {
  if (parameters.length === 0) return ''
  const query = new URLSearchParams()
  for (const [name, value] of parameters.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)))
    query.append(name, value)
  return `?${query}`
}
