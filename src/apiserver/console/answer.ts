/** Answers requests below /console/: the files of the front end, its configuration, and sign-in (docs/console.md). */
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { methodNotAllowed, StatusError, unauthorized, unsupportedBody } from '../../apimachinery/status/status.js'
import { parseBearerToken } from '../../auth/authentication/bearer-token.js'
import { timestamp } from '../../util/time.js'
import { respondBytes, respondError, respondText } from '../endpoints/respond.js'
import { parseBody } from '../own-paths/body.js'
import type { Schema } from '../own-paths/own-document.js'
import { configPath, consolePath, consoleRoot, sessionPath } from './console-path.js'
import type { ConsoleFiles } from './files.js'
import { howToInstall } from './folder.js'
import { guarded } from './headers.js'
import { isOfOtherOrigin, misdirected, otherOrigin } from './origin.js'
import type { SessionKeeper } from './sessions.js'

export interface ConsoleParts {
  readonly files: ConsoleFiles
  /** Undefined where nobody signs in by a link. */
  readonly sessions: SessionKeeper | undefined
  /** How browsers reach the console. */
  readonly scheme: 'http' | 'https'
  /** Whether the Host header of a request names this server. */
  readonly isOwnHost: (headers: RequestContext['request']['headers']) => boolean
  /** What the page is told beside that. */
  readonly config: ConsoleConfig
}

export interface ConsoleConfig {
  readonly version: string
  /** How one may sign in. */
  readonly signIn: readonly ('link' | 'token')[]
  /** Whether requests are passed on to the cluster of a kubeconfig. */
  readonly proxied: boolean
  /** The name of the cluster; the host that was asked for when left out. */
  readonly name?: string | undefined
}

/** Much more than a code has. */
const maxBody = 1024
const maxCode = 64

const redemption: Schema = {
  type: 'object',
  properties: { code: { type: 'string', maxLength: maxCode } },
  required: ['code'],
  additionalProperties: false
}

/** Answers a request whose path is one of the console. Each answer has the headers that guard it. */
export async function answerConsole(context: RequestContext, parts: ConsoleParts): Promise<Response> {
  try {
    return guarded(await answered(context, parts))
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    return guarded(respondError(context, error))
  }
}

async function answered(context: RequestContext, parts: ConsoleParts): Promise<Response> {
  const { path, request } = context
  if (!parts.isOwnHost(request.headers)) throw misdirected()
  if (path === sessionPath) return session(context, parts)
  if (request.method !== 'GET' && request.method !== 'HEAD') return onlyFor(context, 'GET, HEAD')
  if (path === consoleRoot) return { status: 301, headers: { location: consolePath } }
  if (path === configPath) return json(200, { ...parts.config, name: parts.config.name ?? context.header('host') })
  const found = await parts.files.answer(path, request.headers)
  if (found) return found
  const why = (await parts.files.isThere()) ? 'There is no such file' : `The console is not installed: ${howToInstall}`
  return respondText(`${why}\n`, 404)
}

async function session(context: RequestContext, { sessions, scheme }: ConsoleParts): Promise<Response> {
  const { method, headers } = context.request
  if (method !== 'POST' && method !== 'DELETE') return onlyFor(context, 'POST, DELETE')
  if (isOfOtherOrigin(headers, scheme)) throw otherOrigin()
  if (method === 'DELETE') {
    const { token } = parseBearerToken(context.header('authorization'))
    if (token === undefined || !(await sessions?.end(token))) throw unauthorized()
    return { status: 204, headers: { 'cache-control': 'no-store' } }
  }
  // another type needs no permission to be sent by a page of another origin
  if (!/^application\/json\s*(?:;|$)/i.test(context.header('content-type') ?? '')) throw unsupportedBody(['application/json'])
  const { code } = parseBody(await context.readBody(maxBody), redemption)
  const begun = await sessions?.redeem(code as string)
  if (!begun) throw unauthorized()
  return json(201, { token: begun.token, expires: timestamp(begun.until) })
}

function onlyFor(context: RequestContext, allow: string): Response {
  const response = respondError(context, methodNotAllowed())
  response.headers.allow = allow
  return response
}

function json(status: number, value: object): Response {
  const response = respondBytes(status, 'application/json', Buffer.from(JSON.stringify(value)))
  response.headers['cache-control'] = 'no-store'
  return response
}
