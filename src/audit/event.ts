/**
 * Events of audit.k8s.io/v1. The JSON text is built directly, because most of it is text that is at hand, and there is an event or
 * two of every request.
 */
import { AuditLevel } from '../request/record.js'
import { exactJson } from '../util/exact-json.js'
import { annotationsJson } from './annotations.js'
import type { AuditedRequest } from './audited-request.js'
import { legacyLine } from './legacy-line.js'
import type { Stage } from './policy.js'
import { quoted } from './text.js'

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

  /** The event as JSON in one line. */
  get json(): string {
    return (this.#json ??= this.#text(true))
  }

  /** The event without its objects, as large events are written. Undefined at levels that have none. */
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
    const { request, stage } = this
    const { record } = request.context
    let text = `${head}"level":"${request.decision.levelName}","auditID":${quoted(record.auditId)},"stage":"${stage}",${request.who}`
    const reference = request.objectRef
    if (reference !== '') text += `,"objectRef":${reference}`
    if (stage !== 'RequestReceived') {
      text += `,"responseStatus":${statusJson(request)}`
      if (withObjects) {
        if (record.requestJson !== undefined) text += `,"requestObject":${record.requestJson}`
        if (request.responseJson !== undefined) text += `,"responseObject":${request.responseJson}`
      }
    }
    text += `,"requestReceivedTimestamp":"${microTime(record.receivedAt)}","stageTimestamp":"${microTime(this.time)}"`
    const annotations = annotationsJson(request, stage, this.time, withObjects ? undefined : truncated)
    return withoutHtml(annotations === '' ? `${text}}` : `${text},"annotations":${annotations}}`)
  }
}

const truncated: readonly [string, string] = ['audit.k8s.io/truncated', 'true']

/** Events of a list have no kind and apiVersion of their own. */
export const listOfEvents = (events: readonly string[]): string =>
  `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${events.map(e => `{${e.slice(itemStart)}`).join(',')}]}\n`

/** A Status of an answer, of which only fields of limited size stand in an event. */
function statusJson({ status, code }: AuditedRequest): string {
  let text = '{"metadata":{}'
  if (status) {
    if (status.status) text += `,"status":${quoted(status.status)}`
    if (status.message) text += `,"message":${quoted(status.message)}`
    if (status.reason) text += `,"reason":${quoted(status.reason)}`
    if (status.details) text += `,"details":${exactJson(status.details)}`
  }
  return `${text},"code":${code}}`
}

const html = /[<>&\u2028\u2029]/g
const hasHtml = /[<>&\u2028\u2029]/

/** Go's encoder escapes these characters, which in JSON stand only in strings. */
const withoutHtml = (text: string): string =>
  hasHtml.test(text) ? text.replace(html, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`) : text

let second = Number.NaN
let secondText = ''

/** metav1.MicroTime: RFC 3339 with six digits. */
function microTime(milliseconds: number): string {
  const whole = Math.floor(milliseconds / 1000)
  if (whole !== second) {
    second = whole
    secondText = new Date(whole * 1000).toISOString().slice(0, 20)
  }
  const micros = Math.floor((milliseconds - whole * 1000) * 1000)
  return `${secondText}${String(micros).padStart(6, '0')}Z`
}
