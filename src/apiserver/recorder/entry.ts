/** The record of one request. It keeps references and texts; diffs are made when somebody reads them. */

import type { ExpressionCost } from '../../apimachinery/cel/cost/node-costs.js'
import type { AuthorizationAttributes } from '../../apimachinery/request/authorization.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { AuthorizationDecision } from '../../apimachinery/request/record.js'
import type { AdmissionStep, RequestSteps, ShownResource, StepCosts, WrittenObject } from '../../apimachinery/request/steps.js'
import { attributesOf } from '../../auth/authorization/stage.js'
import { exactJson } from '../../util/exact-json.js'
import type { Span } from '../../util/trace.js'
import { diffOf } from './diff.js'
import type { RecordedRequest, RecordedStep, RecordedWrite, RequestSummary } from './recorded-request.js'
import { type Change, safeChange, safeUrl } from './redact.js'

/** How many bytes an entry counts for in addition to its texts. */
const ownBytes = 1024
const maxSteps = 500
const maxSpans = 200
/** The most characters of a URL and similar texts. */
const maxText = 4096

/** Objects whose text no entry would keep. */
const tooLarge = new WeakSet<object>()

interface Step extends Omit<RecordedStep, 'diff'> {
  milliseconds: number
  answer?: string
  cost?: number
  expressions?: readonly ExpressionCost[]
  error?: string
  isChanged?: boolean
  change?: Change | undefined
}

interface Write extends Omit<RecordedWrite, 'diff'> {
  readonly change: Change | undefined
}

interface SpanTime {
  readonly name: string
  readonly depth: number
  milliseconds: number
  error?: string
}

function noteCosts(step: Step, { cost, expressions }: StepCosts): void {
  step.cost = cost
  if (expressions) step.expressions = expressions
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const sizeOf = ({ before = '', after = '' }: Change) => before.length + after.length
const qualified = ({ group, resource }: ShownResource) => `${resource}${group === '' ? '' : `.${group}`}`

/** An entry as one process passes it on to another. */
export interface PassedEntry {
  readonly base: Base
  readonly question: AuthorizationAttributes | undefined
  readonly steps: readonly Step[]
  readonly writes: readonly Write[]
  readonly spans: readonly SpanTime[]
  readonly faults: readonly string[]
  readonly status: number
  readonly message: string | undefined
  readonly milliseconds: number
  readonly isOpen: boolean
  readonly bytes: number
}

export class Entry implements RequestSteps {
  readonly number: number
  readonly measures: boolean
  /** Released when the request has ended, because it holds the connection, and the headers with credentials. */
  #context: RequestContext | undefined
  readonly #began = performance.now()
  readonly #maxBytes: number
  #steps: Step[] = []
  #writes: Write[] = []
  #spans: SpanTime[] = []
  #faults: string[] = []
  #milliseconds = 0
  #isOpen = true
  #status = 0
  #message: string | undefined
  #base: Base | undefined
  #question: AuthorizationAttributes | undefined
  #shown: RecordedRequest | undefined
  bytes = ownBytes

  /** `context` is left out for a request of another process. */
  constructor(number: number, context: RequestContext | undefined, maxBytes: number, measures = false) {
    this.number = number
    this.measures = measures
    this.#context = context
    this.#maxBytes = maxBytes
  }

  async around<T>(
    step: AdmissionStep,
    of: { readonly resource: ShownResource; object(): unknown },
    work: () => T | Promise<T>,
    answer?: (result: T) => string | undefined,
    costs?: (result: T) => StepCosts
  ): Promise<T> {
    // a step that only validates changes nothing
    const text = () => (step.phase === 'admit' ? this.#textOf(of.object()) : undefined)
    const before = text()
    const noted: Step = { ...step, depth: step.kind === 'plugin' ? 0 : 1, milliseconds: 0 }
    if (this.#steps.length < maxSteps) this.#steps.push(noted)
    const began = performance.now()
    try {
      const result = await work()
      const said = answer?.(result)
      if (said !== undefined) noted.answer = said
      if (costs) noteCosts(noted, costs(result))
      return result
    } catch (error) {
      noted.error = messageOf(error)
      throw error
    } finally {
      noted.milliseconds = performance.now() - began
      const after = text()
      if (after !== before) {
        noted.isChanged = true
        if (after !== undefined) noted.change = this.#kept(safeChange(of.resource, { before, after }))
      }
    }
  }

  /** Returns undefined for an object that is too large to be kept. It is written out once: its steps would take longer to note than to run. */
  #textOf(object: unknown): string | undefined {
    if (typeof object !== 'object' || object === null || tooLarge.has(object)) return undefined
    const text = exactJson(object)
    if (text.length <= this.#maxBytes) return text
    tooLarge.add(object)
    return undefined
  }

  wrote({ before, after, namespace, name, dryRun, ...of }: WrittenObject): void {
    const action = !before ? 'create' : after ? 'update' : 'delete'
    const change = this.#kept(safeChange(of, { before: before?.toString(), after: after?.toString() }))
    if (this.#writes.length < maxSteps) this.#writes.push({ resource: qualified(of), namespace, name, dryRun, action, change })
  }

  struck(action: string): void {
    if (this.#faults.length < maxSteps) this.#faults.push(action)
  }

  /** Returns undefined for a change that is too large for the request's share. */
  #kept(change: Change): Change | undefined {
    const size = sizeOf(change)
    if (this.bytes + size > this.#maxBytes) return undefined
    this.bytes += size
    return change
  }

  /** The span of the request, below which others begin. */
  span(): Span {
    return this.#span({ name: '', depth: -1, milliseconds: 0 })
  }

  #span(time: SpanTime): Span {
    const began = performance.now()
    return {
      start: name => {
        const below = { name, depth: time.depth + 1, milliseconds: 0 }
        if (this.#spans.length < maxSpans) this.#spans.push(below)
        return this.#span(below)
      },
      set() {},
      end(error) {
        time.milliseconds = performance.now() - began
        if (error !== undefined) time.error = messageOf(error)
      },
      headers: () => ({})
    }
  }

  answered({ status, object }: Response): void {
    this.#status = status
    this.#milliseconds = performance.now() - this.#began
    if (status < 400 || !object) return
    const { message } = object as { message?: unknown }
    if (typeof message === 'string') this.#message = message
  }

  failed(error: unknown): void {
    this.#status = 500
    this.#message = messageOf(error)
    this.ended()
  }

  ended(): void {
    if (!this.#context) return
    this.#isOpen = false
    this.#milliseconds = performance.now() - this.#began
    this.#base = baseOf(this.#context)
    this.#question = questionOf(this.#context)
    this.#context = undefined
  }

  pass(): PassedEntry {
    const context = this.#context
    return {
      base: this.#base ?? baseOf(context!),
      question: this.question,
      steps: this.#steps,
      writes: this.#writes,
      spans: this.#spans,
      faults: this.#faults,
      status: this.#status,
      message: this.#message,
      milliseconds: this.#milliseconds,
      isOpen: this.#isOpen,
      bytes: this.bytes
    }
  }

  /** Becomes what another process has passed on. */
  take({ base, question, steps, writes, spans, faults, status, message, milliseconds, isOpen, bytes }: PassedEntry): void {
    this.#base = base
    this.#question = question
    this.#steps = [...steps]
    this.#writes = [...writes]
    this.#spans = [...spans]
    this.#faults = [...faults]
    this.#status = status
    this.#message = message
    this.#milliseconds = milliseconds
    this.#isOpen = isOpen
    this.#shown = undefined
    this.bytes = bytes
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get auditId(): string {
    return this.#base?.auditId ?? this.#context!.record.auditId
  }

  /** Who sent the request; "" when nobody was authenticated. */
  get sender(): string {
    return this.#base?.user ?? this.#context?.record.requester?.name ?? ''
  }

  /** Whether the request was refused for who sent it: by authentication, by an authorizer, or in admission. */
  get isDenied(): boolean {
    const decision = this.#base?.authorization ?? this.#context?.record.authorization
    return decision?.allowed === false || this.#status === 401 || this.#status === 403
  }

  /** Whether the request wrote the object, and not only for show. `resource` is qualified: `deployments.apps`. */
  hasWritten(resource: string, namespace: string, name: string): boolean {
    return this.#writes.some(
      write => !write.dryRun && write.resource === resource && write.namespace === namespace && write.name === name
    )
  }

  /** What the authorizers were asked; undefined for a request that was refused before. */
  get question(): AuthorizationAttributes | undefined {
    return this.#question ?? (this.#context && questionOf(this.#context))
  }

  /** The request without what it did, which takes a moment to show. */
  summary(): RequestSummary {
    const { number, sender } = this
    const base = this.#shown ?? this.#base ?? baseOf(this.#context!)
    const { auditId, time, method, url, verb, resource, namespace, impersonated, userAgent } = base
    return {
      number,
      auditId,
      time,
      method,
      url,
      verb,
      resource,
      namespace,
      name: base.name || this.#writes[0]?.name || '',
      user: sender,
      ...(impersonated ? { impersonated } : {}),
      userAgent,
      status: this.#status,
      milliseconds: this.#milliseconds,
      isOpen: this.#isOpen
    }
  }

  show(): RecordedRequest {
    if (this.#shown) return this.#shown
    const base = this.#base ?? baseOf(this.#context!)
    const shown: RecordedRequest = {
      ...base,
      number: this.number,
      name: base.name || this.#writes[0]?.name || '',
      admission: this.#steps.map(({ change, isChanged, ...step }) => ({
        ...step,
        ...(isChanged ? { diff: shownDiff(change) } : {})
      })),
      writes: this.#writes.map(({ change, ...write }) => ({ ...write, diff: shownDiff(change) })),
      faults: this.#faults,
      status: this.#status,
      ...(this.#message === undefined ? {} : { message: this.#message }),
      milliseconds: this.#milliseconds,
      isOpen: this.#isOpen,
      spans: this.#spans
    }
    // a request that has ended does not change any more
    if (!this.#isOpen) this.#shown = shown
    return shown
  }
}

type Base = Omit<
  RecordedRequest,
  'number' | 'admission' | 'writes' | 'faults' | 'status' | 'message' | 'milliseconds' | 'isOpen' | 'spans'
>

function baseOf(context: RequestContext): Base {
  const { request, record, info, warnings } = context
  const { requester, impersonated, authorization } = record
  return {
    auditId: record.auditId,
    time: new Date(record.receivedAt).toISOString(),
    method: request.method,
    url: cut(safeUrl(request.url)),
    verb: info?.verb ?? request.method.toLowerCase(),
    resource: info?.isResourceRequest ? qualified(info) + (info.subresource && `/${info.subresource}`) : '',
    namespace: info?.namespace ?? '',
    name: info?.name ?? '',
    user: requester?.name ?? '',
    groups: requester?.groups ?? [],
    ...(impersonated ? { impersonated: impersonated.name } : {}),
    userAgent: cut(context.header('user-agent') ?? ''),
    ...(authorization ? { authorization: decisionOf(authorization) } : {}),
    warnings: [...warnings],
    parts: Object.fromEntries(record.milliseconds)
  }
}

const questionOf = (context: RequestContext): AuthorizationAttributes | undefined =>
  context.record.authorization && attributesOf(context)

const shownDiff = (change: Change | undefined) => (change ? diffOf(change) : 'too large to be kept\n')

const cut = (text: string) => (text.length > maxText ? `${text.slice(0, maxText)}…` : text)

const decisionOf = ({ allowed, reason, error }: AuthorizationDecision) => ({
  allowed,
  reason,
  ...(error === undefined ? {} : { error })
})
