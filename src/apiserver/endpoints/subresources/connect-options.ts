/** Converts the query of a connection into the options object that admission sees: PodExecOptions, PodProxyOptions … */

import type { RequestContext } from '../../../apimachinery/request/context.js'
import { isTrue } from '../../../apimachinery/request/request-info.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import type { SubresourceDefinition } from '../../../registry/subresource.js'
import type { JsonObject } from '../../../util/json.js'
import { pathBelow } from '../../nodes/paths.js'

const stream = { stdin: 'bool', stdout: 'bool', stderr: 'bool', tty: 'bool', container: 'string' } as const
const proxy = {} as const

const fields: Readonly<Record<string, Readonly<Record<string, 'bool' | 'string' | 'strings' | 'integers'>>>> = {
  PodExecOptions: { ...stream, command: 'strings' },
  PodAttachOptions: stream,
  PodPortForwardOptions: { ports: 'integers' },
  PodProxyOptions: proxy,
  ServiceProxyOptions: proxy,
  NodeProxyOptions: proxy
}

/** Returns undefined for subresources that are read, such as logs, and for a malformed query. Throws 400 for a dry run, which no connection can be. */
export function connectOptions({ kind: { kind, version } }: SubresourceDefinition, context: RequestContext) {
  if (!Object.hasOwn(fields, kind)) return undefined
  const { query } = context
  if (query.has('dryRun')) throw badRequest('dryRun is not supported')
  const options: JsonObject = { kind, apiVersion: version }
  for (const [name, type] of Object.entries(fields[kind]!)) {
    const given = query.getAll(name)
    if (type === 'bool' && isTrue(given[0] || null)) options[name] = true
    else if (type === 'string' && given[0]) options[name] = given[0]
    else if (type === 'strings' && given.length > 0) options[name] = given
    else if (type === 'integers' && given.length > 0) {
      if (!given.every(text => /^\d+$/.test(text))) return undefined
      options[name] = given.map(Number)
    }
  }
  const path = pathBelow(context)
  if (kind.endsWith('ProxyOptions') && path !== '') options.path = path
  return options
}
