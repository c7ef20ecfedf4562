/**
 * The stages that make audit events: one around everything that a known user asks for, and one for requests that are refused
 * earlier.
 */

import type { RequestContext } from '../../apimachinery/request/context.js'
import { isLongRunning } from '../../apimachinery/request/deadline.js'
import { type Response, sentUrl } from '../../apimachinery/request/message.js'
import { AuditLevel } from '../../apimachinery/request/record.js'
import type { Stage as ChainStage, Handle } from '../../apimachinery/request/stage.js'
import type { Clock } from '../../util/clock.js'
import { goQuote, withoutHtml } from '../../util/go-format.js'
import { respondText } from '../endpoints/respond.js'
import { attemptedMethods } from './attempted-methods.js'
import type { AuditMetrics } from './audit-metrics.js'
import { AuditedRequest } from './audited-request.js'
import { AuditEvent } from './event.js'
import type { Decision, PolicyEvaluator, Stage } from './policy.js'
import { responseJson } from './response-object.js'

/** Keeps an event. Returns, or resolves with, whether it was kept, on which a request may depend. */
export interface AuditSink {
  process(event: AuditEvent): boolean | Promise<boolean>
}

export interface AuditParts {
  readonly policy: PolicyEvaluator
  readonly sink: AuditSink
  readonly metrics: AuditMetrics
  readonly clock: Clock
}

export class Audit {
  readonly #parts: AuditParts

  constructor(parts: AuditParts) {
    this.#parts = parts
  }

  /** Around all stages that know the user, with a stage for errors below it. */
  get stage(): ChainStage {
    return {
      name: 'audit',
      why: 'writes down who asked for what and what became of it, as the audit policy says',
      handle: (context, next) => this.#handle(context, next)
    }
  }

  /** Around the stages before, with a stage for errors below it. */
  get refusals(): ChainStage {
    return {
      name: 'audit of refusals',
      why: 'writes down requests that are refused before their user is known',
      handle: (context, next) => {
        const response = next(context)
        if (response instanceof Promise) return response.then(late => this.#refused(context, late))
        return this.#refused(context, response)
      }
    }
  }

  #handle(context: RequestContext, next: Handle): Response | Promise<Response> {
    const decision = this.#decide(context)
    if (decision.level === AuditLevel.None) return next(context)
    const request = new AuditedRequest(context, decision)
    const stored = this.#emit(request, 'RequestReceived', context.record.receivedAt)
    if (stored === true) return this.#answer(request, next)
    if (stored === false) return this.#reject(context)
    return stored.then(isStored => (isStored ? this.#answer(request, next) : this.#reject(context)))
  }

  #decide(context: RequestContext): Decision {
    const { record } = context
    const decision = this.#parts.policy.decide(context.info, record.requester)
    record.hasAuditDecision = true
    record.auditLevel = decision.level
    record.omitsManagedFields = decision.omitsManagedFields
    this.#parts.metrics.countLevel(decision.levelName)
    return decision
  }

  /** Refuses a request whose event cannot be kept, in --audit-log-mode=blocking-strict and the like. */
  #reject(context: RequestContext): Response {
    this.#parts.metrics.countRejected()
    const text = `Internal Server Error: ${goQuote(sentUrl(context.request))}: failed to store audit event\n`
    return respondText(withoutHtml(text), 500)
  }

  #answer(request: AuditedRequest, next: Handle): Response | Promise<Response> {
    const response = next(request.context)
    return response instanceof Promise ? response.then(late => this.#answered(request, late)) : this.#answered(request, response)
  }

  #answered(request: AuditedRequest, response: Response): Response | Promise<Response> {
    const { context } = request
    if (context.record.failure !== undefined) {
      describePanic(request, context.record.failure)
      return after(this.#emit(request, 'Panic'), response)
    }
    describeAnswer(request, response)
    const started = isLongRunning(context) ? this.#emit(request, 'ResponseStarted') : true
    if (response.stream || response.upgrade || (response.body && !Buffer.isBuffer(response.body))) {
      context.onEnd(() => void this.#emit(request, 'ResponseComplete'))
      return after(started, response)
    }
    if (started instanceof Promise) return started.then(() => after(this.#emit(request, 'ResponseComplete'), response))
    return after(this.#emit(request, 'ResponseComplete'), response)
  }

  /** Makes the one event of a request for which no user was found. */
  #refused(context: RequestContext, response: Response): Response | Promise<Response> {
    const { record } = context
    if (record.hasAuditDecision || record.timedOut || record.failure !== undefined) return response
    const decision = this.#decide(context)
    if (decision.level === AuditLevel.None) return response
    const request = new AuditedRequest(context, decision)
    request.status = { status: '' as 'Failure', message: attemptedMethods(context) }
    describeAnswer(request, response)
    return after(this.#emit(request, 'ResponseStarted'), response)
  }

  #emit(request: AuditedRequest, stage: Stage, time = this.#parts.clock.now()): boolean | Promise<boolean> {
    if (request.decision.omits.has(stage)) return true
    this.#parts.metrics.countEvent()
    return this.#parts.sink.process(new AuditEvent(request, stage, time))
  }
}

/** Delays the answer until its event is kept, in the modes that wait at all. */
const after = (stored: boolean | Promise<boolean>, response: Response) =>
  stored instanceof Promise ? stored.then(() => response) : response

function describeAnswer(request: AuditedRequest, response: Response): void {
  const { context, decision } = request
  request.code = response.stream && context.request.upgrade !== undefined ? 101 : response.status
  const object = context.record.timedOut ? tooLate(context) : response.object
  if ((object as { kind?: unknown } | undefined)?.kind === 'Status') {
    request.status = object as NonNullable<AuditedRequest['status']>
    if (context.record.timedOut) request.code = (object as { code: number }).code
  }
  if (decision.level < AuditLevel.RequestResponse) return
  request.responseJson = responseJson(context, { ...response, object })
}

/**
 * Returns the answer for a request that nobody waits for any more: kube-apiserver's handlers answer it nevertheless, and the
 * event shows that.
 */
function tooLate({ info }: RequestContext): object {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }
  if (info.verb === 'get' || info.verb === 'list') return { ...status, message: 'context deadline exceeded', code: 500 }
  const message = 'Timeout: request did not complete within requested timeout - context deadline exceeded'
  return { ...status, message, reason: 'Timeout', details: {}, code: 504 }
}

function describePanic(request: AuditedRequest, failure: unknown): void {
  const why = failure instanceof Error ? failure.message : String(failure)
  request.code = 500
  request.status = { status: 'Failure', message: `APIServer panic'd: ${why}`, reason: 'InternalError' }
}
