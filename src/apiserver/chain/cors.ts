/**
 * Access for web pages of other origins (--cors-allowed-origins): the browser asks which origins, methods and headers are allowed.
 * The check comes before authentication, because browsers ask without credentials.
 */
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { compilePattern, PatternError } from '../../apimachinery/structural/regexp.js'
import { UserError } from '../../util/user-error.js'

const allowed: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true'
}

/** Longer origins are those of no browser. */
const maxLength = 1024

/** `origins`: regular expressions, one of which has to match. Throws a UserError for one that is invalid. */
export function corsStage(origins: readonly string[]): Stage {
  const patterns = origins.map(compiled)
  const isAllowed = (origin: string) => origin.length <= maxLength && patterns.some(matches => matches(origin))
  return {
    name: 'cors',
    why: 'tells browsers which other origins may use the server',
    handle(context: RequestContext, next) {
      const origin = context.header('origin')
      if (!origin || !isAllowed(origin)) return next(context)
      context.isOriginAllowed = true
      const headers = { 'access-control-allow-origin': origin, ...allowed }
      if (context.request.method === 'OPTIONS') return { status: 204, headers }
      const response = next(context)
      const add = (late: Response) => {
        Object.assign(late.headers, headers)
        return late
      }
      return response instanceof Promise ? response.then(add) : add(response)
    }
  }
}

/** An expression that does not say where the host begins and ends would match hosts that contain it (CVE-2022-1996). */
function compiled(origin: string): (text: string) => boolean {
  const wrong = (why: string) => new UserError(`--cors-allowed-origins has an invalid regular expression: ${why}`)
  if (origin === '') throw new UserError('empty value in --cors-allowed-origins')
  const hasStart = origin.includes('^') || origin.includes('//')
  const hasEnd = origin.includes('$') || origin.includes(':')
  if (!hasStart || !hasEnd)
    throw wrong(`"${origin}" must begin with "^" or "//", and end with "$" or a port separator, so that it matches whole hosts`)
  try {
    return compilePattern(origin)
  } catch (error) {
    throw error instanceof PatternError ? wrong(error.message) : error
  }
}
