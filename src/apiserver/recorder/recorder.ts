/** Keeps the last requests of one server, for tests that fail and for people who wonder what happened. */
import type { AuthorizationAttributes } from '../../apimachinery/request/authorization.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { inSpan } from '../../util/trace.js'
import { Entry, type PassedEntry } from './entry.js'
import { htmlOf } from './html.js'
import type { RecordedRequest, RequestSummary } from './recorded-request.js'
import { textOf } from './text.js'

/**
 * How much a recorder keeps.
 *
 * @example
 * const server = createServer({ recorder: { requests: 1000 } })
 */
export interface RecorderOptions {
  /** The most requests that are kept; 1,000. */
  readonly requests?: number | undefined
  /** The most bytes, approximately, of all requests together; 16777216. */
  readonly bytes?: number | undefined
}

/**
 * Which requests to show.
 *
 * @example
 * const selection: RecorderSelection = { since: server.recorder!.mark() }
 */
export interface RecorderSelection {
  /** Only requests after this mark. */
  readonly since?: number | undefined
}

/**
 * Which requests to show, and what of them.
 *
 * @example
 * const shown: RecorderView = { timings: false }
 */
export interface RecorderView extends RecorderSelection {
  /** Whether to show how long everything took, which differs in each run: leave it out when you compare with a file; true. */
  readonly timings?: boolean | undefined
}

/**
 * The last requests of a server, and what became of them. Writes of the server's own controllers are no requests.
 *
 * @example
 * const { recorder } = server
 * const mark = recorder!.mark()
 * await runTest()
 * console.log(recorder!.text({ since: mark }))
 */
export interface Recorder {
  /** The number of the last request so far: `since` shows those that come after. */
  mark(): number
  /** The requests, the oldest first. */
  requests(selection?: RecorderSelection): readonly RecordedRequest[]
  /** For people, in a terminal. */
  text(view?: RecorderView): string
  /** `{"requests":[…]}` */
  json(view?: RecorderView): string
  /** One page that needs nothing else. */
  html(selection?: RecorderSelection): string
  /** Forgets all requests. */
  clear(): void
}

export interface FoundRequest {
  readonly request: RecordedRequest
  /** Undefined for a request that was refused before anybody asked the authorizers. */
  readonly question: AuthorizationAttributes | undefined
}

/** Passes a request on to the process that keeps the requests of all. */
export type PassOn = (entry: PassedEntry) => void

/** The members of requests and steps that differ in each run: times, and the Audit-Id. */
const ofTime: ReadonlySet<string> = new Set(['milliseconds', 'parts', 'spans', 'auditId'])

const defaults = { requests: 1000, bytes: 16 * 1024 * 1024 }

export class FlightRecorder implements Recorder {
  readonly #limits: { readonly requests: number; readonly bytes: number }
  readonly #passOn: PassOn | undefined
  #entries: Entry[] = []
  #count = 0

  /** With `passOn`, it keeps nothing itself. */
  constructor(options: true | RecorderOptions, passOn?: PassOn) {
    const { requests = defaults.requests, bytes = defaults.bytes } = options === true ? defaults : options
    this.#limits = { requests, bytes }
    this.#passOn = passOn
  }

  readonly stage: Stage = {
    name: 'recorder',
    why: 'keeps what became of the last requests, with the option recorder',
    handle: (context, next) => {
      const entry = this.#begin(context)
      const answered = (response: Response): Response => {
        entry.answered(response)
        if (response.stream || response.upgrade) this.#passOn?.(entry.pass())
        context.onEnd(() => {
          entry.ended()
          this.#passOn?.(entry.pass())
        })
        this.#drop()
        return response
      }
      const failed = (error: unknown): never => {
        entry.failed(error)
        this.#passOn?.(entry.pass())
        throw error
      }
      try {
        const response = inSpan(entry.span(), () => next(context))
        return response instanceof Promise ? response.then(answered, failed) : answered(response)
      } catch (error) {
        return failed(error)
      }
    }
  }

  #begin(context: RequestContext): Entry {
    const entry = new Entry(++this.#count, context, Math.max(64 * 1024, this.#limits.bytes / 4))
    context.record.steps = entry
    if (!this.#passOn) this.#entries.push(entry)
    return entry
  }

  /** Keeps a request of another process, which comes once more when it ends, if it was open. */
  take(passed: PassedEntry): void {
    const { auditId } = passed.base
    let entry = this.#entries.findLast(one => one.isOpen && one.auditId === auditId)
    if (!entry) this.#entries.push((entry = new Entry(++this.#count, undefined, 0)))
    entry.take(passed)
    this.#drop()
  }

  /** Drops the oldest requests beyond the limits. */
  #drop(): void {
    const { requests, bytes } = this.#limits
    let total = 0
    let keep = 0
    while (keep < this.#entries.length && keep < requests) {
      total += this.#entries.at(-1 - keep)!.bytes
      if (total > bytes && keep > 0) break
      keep++
    }
    if (keep < this.#entries.length) this.#entries.splice(0, this.#entries.length - keep)
  }

  mark(): number {
    return this.#count
  }

  /**
   * Returns a request by its number or its Audit-Id, or the last one that was refused (`last-denied`), with what the authorizers were
   * asked. `mayShow` says whether requests that a user has sent may be found.
   */
  find(id: string, mayShow: (sender: string) => boolean): FoundRequest | undefined {
    const entry = this.#entries.findLast(
      entry =>
        (id === 'last-denied' ? entry.isDenied : String(entry.number) === id || entry.auditId === id) && mayShow(entry.sender)
    )
    return entry && { request: entry.show(), question: entry.question }
  }

  /** Returns the requests that wrote an object, the oldest first. `resource` is qualified: `deployments.apps`. */
  writersOf(resource: string, namespace: string, name: string): readonly RecordedRequest[] {
    return this.#entries.filter(entry => entry.hasWritten(resource, namespace, name)).map(entry => entry.show())
  }

  requests({ since = 0 }: RecorderSelection = {}): readonly RecordedRequest[] {
    return this.#entries.filter(({ number }) => number > since).map(entry => entry.show())
  }

  /** Returns the last requests after a mark, at most `limit`, the oldest first. `mayShow` says whether those that a user has sent may be told. */
  summaries(since: number, limit: number, mayShow: (sender: string) => boolean): readonly RequestSummary[] {
    const found: RequestSummary[] = []
    for (let i = this.#entries.length - 1; i >= 0 && found.length < limit; i--) {
      const entry = this.#entries[i]!
      if (entry.number <= since) break
      if (mayShow(entry.sender)) found.push(entry.summary())
    }
    return found.reverse()
  }

  text(view: RecorderView = {}): string {
    return textOf(this.requests(view), view.timings)
  }

  json({ timings = true, ...selection }: RecorderView = {}): string {
    const shown = (name: string, value: unknown) => (timings || !ofTime.has(name) ? value : undefined)
    return `${JSON.stringify({ requests: this.requests(selection) }, shown, 2)}\n`
  }

  html(selection?: RecorderSelection): string {
    return htmlOf(this.requests(selection))
  }

  clear(): void {
    this.#entries = []
  }
}
