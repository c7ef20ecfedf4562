/** Sends one request to a webhook and reads its answer, with the errors of Go's REST client. */
import type { Dispatcher, request } from 'undici'
import type { Subject } from '../../apimachinery/request/fault-subject.js'
import { exactJson, withoutHalfPairs } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { BodyTooLarge, readLimited } from '../../util/read-limited.js'
import { traced } from '../../util/trace.js'
import { asGoError, deadlineExceeded } from './go-errors.js'
import type { WebhookFaults } from './injected-faults.js'

/** Most bytes of an answer. */
const maxAnswerBytes = 16 * 1024 * 1024

/** The call failed, or its answer is not valid. The message is that of Go's client, including the URL. */
export class WebhookCallError extends Error {
  /** The status code of an error answer. */
  readonly code: number | undefined
  /** The seconds of its Retry-After header. */
  readonly retryAfter: number | undefined
  /** Whether the connection broke while it was used. */
  readonly isReset: boolean

  constructor(message: string, details: { code?: number; retryAfter?: number | undefined; isReset?: boolean } = {}) {
    super(message)
    this.code = details.code
    this.retryAfter = details.retryAfter
    this.isReset = details.isReset ?? false
  }
}

/** The answer has more bytes than it may. */
export class AnswerTooLarge extends WebhookCallError {}

export interface Exchange {
  readonly request: typeof request
  readonly dispatcher: Dispatcher
  /** The URL with its query. */
  readonly url: URL
  /** The URL with its query, as errors print it. */
  readonly shown: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Becomes JSON; a Buffer is sent as it is. */
  readonly body: unknown
  /** Whether an answer may be empty. */
  readonly mayBeEmpty?: boolean | undefined
  /** Most bytes of the answer; 16 MiB. */
  readonly maxAnswerBytes?: number | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Finds a fault for this call. */
  readonly faults?: CallFaults | undefined
}

/** The faults of a server, for the calls of one webhook. */
export interface CallFaults {
  readonly faults: WebhookFaults
  /** The name by which rules know the webhook. */
  readonly name: string
  /** The request that the call is for, where it is known. */
  readonly subject?: Subject | undefined
}

export interface Answer {
  readonly code: number
  readonly text: string
}

/** Posts. Rejects with WebhookCallError, or with the reason of the signal when that aborts first. */
export function exchange(call: Exchange): Promise<Answer> {
  const attributes = () => ({ 'http.method': 'POST', 'http.url': call.url.href, 'net.peer.name': call.url.hostname })
  return traced('HTTP POST', 'client', attributes, async span => {
    const answer = await post(call, span?.headers())
    span?.set({ 'http.status_code': answer.code })
    return answer
  })
}

async function post(
  { request, url, shown, signal, timeoutMs, ...given }: Exchange,
  trace: Readonly<Record<string, string>> | undefined
): Promise<Answer> {
  const failed = (why: string) => new WebhookCallError(`Post ${JSON.stringify(shown)}: ${why}`, { isReset: why === 'EOF' })
  if (given.faults && given.faults.faults.webhooks.length > 0) await failAsTold(given.faults, { url, timeoutMs, signal, failed })
  const timeout = AbortSignal.timeout(timeoutMs)
  let answer: Dispatcher.ResponseData
  let text: string
  try {
    answer = await request(url, {
      dispatcher: given.dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, */*', ...given.headers, ...trace },
      body: Buffer.isBuffer(given.body) ? given.body : withoutHalfPairs(exactJson(given.body)),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw failed(asGoError(error))
  }
  try {
    text = (await readLimited(answer.body, Math.min(given.maxAnswerBytes ?? maxAnswerBytes, maxAnswerBytes))).toString()
  } catch (error) {
    signal?.throwIfAborted()
    const why = asGoError(error)
    if (why === deadlineExceeded) throw failed(why)
    const message = `unexpected error when reading response body. Please retry. Original error: ${why === 'EOF' ? 'unexpected EOF' : why}`
    throw error instanceof BodyTooLarge ? new AnswerTooLarge(message) : new WebhookCallError(message)
  }
  const { statusCode: code, headers } = answer
  const contentType = String(headers['content-type'] ?? '')
  if (code < 200 || code > 206) {
    const retryAfter = /^\d{1,9}$/.exec(String(headers['retry-after'] ?? ''))?.[0]
    throw new WebhookCallError(refusal(code, text, contentType), {
      code,
      retryAfter: retryAfter === undefined ? undefined : Number(retryAfter)
    })
  }
  if (text === '' && !given.mayBeEmpty)
    throw new WebhookCallError(`0-length response with status code: ${code} and content type: ${contentType}`)
  return { code, text }
}

type Failing = Pick<Exchange, 'url' | 'timeoutMs' | 'signal'> & { failed(why: string): WebhookCallError }

/** Throws the error that a test's rule asks for. */
async function failAsTold({ faults, name, subject }: CallFaults, { url, timeoutMs, signal, failed }: Failing): Promise<void> {
  const error = await faults.webhook(name, subject, signal)
  signal?.throwIfAborted()
  if (error === undefined) return
  if (error === 'refused') throw failed(`dial tcp ${url.hostname}:${url.port || 443}: connect: connection refused`)
  if (typeof error === 'number') throw new WebhookCallError(refusal(error, '', 'text/plain'), { code: error })
  await faults.sleep(timeoutMs, signal)
  signal?.throwIfAborted()
  throw failed(deadlineExceeded)
}

const refusals: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request'
}

/** The status codes for which Go's client repeats the text of the answer. */
const saysItself: ReadonlySet<number> = new Set([403, 406, 415])

/** Returns the message of a Status in the answer; otherwise an error about the server. */
function refusal(code: number, text: string, contentType: string): string {
  try {
    const status = JSON.parse(text) as { kind?: unknown; status?: unknown; message?: unknown }
    if ((status.kind ?? 'Status') === 'Status' && status.status === 'Failure') {
      const message = status.message ?? ''
      // with another type, Go reads no Status
      if (typeof message === 'string') return message
    }
  } catch {
    // the answer is not a Status
  }
  const said = contentType === '' || contentType.startsWith('text/') ? text.slice(0, 2048).trim() : 'unknown'
  if (saysItself.has(code)) return said
  if (Object.hasOwn(refusals, code)) return refusals[code]!
  if (code >= 500) return `an error on the server (${goQuote(said)}) has prevented the request from succeeding`
  return `the server responded with the status code ${code} but did not return more information`
}
