/**
 * Events of audit.k8s.io/v1. The JSON text is built directly, because most of it is text that is at hand, and there is an event or
 * two of every request.
 */
import { AuditLevel } from '../../apimachinery/request/record.js'
import { exactJson } from '../../util/exact-json.js'
import { withHtmlEscapes } from '../../util/html-escapes.js'
import { annotationsJson } from './annotations.js'
import type { AuditedRequest } from './audited-request.js'
import { legacyLine } from './legacy-line.js'
import type { Stage } from './policy.js'
import { decoded, microTime, quoted } from './text.js'

const head = '{"kind":"Event","apiVersion":"audit.k8s.io/v1",'
const itemStart = head.length

export class AuditEvent {
  readonly request: AuditedRequest
  readonly stage: Stage
  /** Milliseconds since 1970. */
  readonly time: number
  #json: string | undefined

  constructor(request: AuditedRequest, stage: Stage, time: number) {
    this.request = request
    this.stage = stage
    this.time = time
  }

  /** Why the event cannot be written. */
  get problem(): string | undefined {
    return this.stage === 'RequestReceived' ? undefined : this.request.context.record.unwritable
  }

  /** The event as one line of JSON. */
  get json(): string {
    return (this.#json ??= this.#text(true))
  }

  /** The event without its objects, the form in which large events are written. Undefined at levels that have none. */
  truncated(): AuditEvent | undefined {
    if (this.request.decision.level < AuditLevel.Request) return undefined
    const bare = new AuditEvent(this.request, this.stage, this.time)
    bare.#json = this.#text(false)
    return bare
  }

  /** The event as one line for people, in the form `legacy`. */
  get line(): string {
    return legacyLine(this.request, this.stage)
  }

  #text(withObjects: boolean): string {
    const { request, stage, time } = this
    const { record } = request.context
    const about = `${head}"level":"${request.decision.levelName}","auditID":${quoted(decoded(record.auditId))},"stage":"${stage}",${request.who}${request.objectRef}`
    const outcome =
      stage === 'RequestReceived' ? '' : `,"responseStatus":${statusJson(request)}${withObjects ? objectsJson(request) : ''}`
    const times = `,"requestReceivedTimestamp":"${microTime(record.receivedAt)}","stageTimestamp":"${microTime(time)}"`
    return `${about}${outcome}${times}${annotationsJson(request, stage, time, withObjects ? undefined : truncated)}}`
  }
}

const truncated: readonly [string, string] = ['audit.k8s.io/truncated', 'true']

/** Joins events to a list. Its events have no kind and apiVersion of their own. */
export const listOfEvents = (events: readonly string[]): string =>
  `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${events.map(e => `{${e.slice(itemStart)}`).join(',')}]}\n`

function objectsJson({ context, responseJson }: AuditedRequest): string {
  const { requestJson } = context.record
  const request = requestJson === undefined ? '' : `,"requestObject":${withHtmlEscapes(requestJson)}`
  return responseJson === undefined ? request : `${request},"responseObject":${withHtmlEscapes(responseJson)}`
}

/** Writes the Status of an answer: only the fields of limited size. */
function statusJson({ status, code }: AuditedRequest): string {
  if (!status) return `{"metadata":{},"code":${code}}`
  let text = '{"metadata":{}'
  if (status.status) text += `,"status":${quoted(status.status)}`
  if (status.message) text += `,"message":${quoted(status.message)}`
  if (status.reason) text += `,"reason":${quoted(status.reason)}`
  if (status.details) text += `,"details":${exactJson(status.details)}`
  return `${text},"code":${code}}`
}
