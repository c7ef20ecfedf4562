/** Answers a set: with every object as it is now, or with a Status that says what was wrong with which object. */
import type { Response } from '../../apimachinery/request/message.js'
import { type Status, type StatusCause, StatusError } from '../../apimachinery/status/status.js'
import { type SetEntry, setVersion } from './entry.js'

/** An entry with the answer to its own request. */
export interface Answered {
  readonly entry: SetEntry
  readonly response: Response
  /** Whether the object is changed by the set. */
  readonly changes: boolean
  readonly warnings: readonly string[]
}

/** `revision` is the one at which the set was committed; undefined in a dry run, and when nothing changed. */
export function succeeded(answers: readonly Answered[], revision: number | undefined): Response {
  const metadata = revision === undefined ? {} : { resourceVersion: String(revision) }
  const parts: Buffer[] = [
    Buffer.from(`{"kind":"SetResult","apiVersion":${JSON.stringify(setVersion)},"metadata":${JSON.stringify(metadata)},"items":[`)
  ]
  answers.forEach((answer, i) => {
    const { entry, warnings } = answer
    const { body, isObject } = objectOf(answer)
    const head = { operation: entry.operation, result: resultOf(answer, isObject), ...(warnings.length > 0 ? { warnings } : {}) }
    parts.push(Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(head).slice(0, -1)}`))
    if (isObject) parts.push(Buffer.from(',"object":'), body)
    parts.push(Buffer.from('}'))
  })
  parts.push(Buffer.from(']}\n'))
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.concat(parts) }
}

/** Returns the object of an answer. A deletion is answered with a Status, unless the object stays for now. */
function objectOf({ entry, response }: Answered): { body: Buffer; isObject: boolean } {
  const body = response.body as Buffer
  const isObject = entry.operation !== 'delete' || JSON.parse(body.toString()).kind !== 'Status'
  return { body, isObject }
}

function resultOf({ entry, response, changes }: Answered, isObject: boolean): string {
  if (entry.operation === 'delete') return isObject ? 'deleting' : 'deleted'
  if (response.status === 201) return 'created'
  return changes ? 'configured' : 'unchanged'
}

/** Reads the Status of a refusal. */
export function statusOf({ status: code, body }: Response): Status {
  const text = (body as Buffer).toString()
  try {
    const value = JSON.parse(text)
    if (value?.status === 'Failure') return value
  } catch {
    // the answer is plain text, as when an authorizer failed
  }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: text.trim(), code }
}

/** Makes the error for a set with refused objects: it has the code and the reason of the first one. */
export function refused(refusals: readonly { readonly field: string; readonly status: Status }[], count: number): StatusError {
  const [first] = refusals
  const { code, reason, message } = first!.status
  const causes = refusals.flatMap(({ field, status }): StatusCause[] => [
    { ...(status.reason ? { reason: status.reason } : {}), message: status.message ?? '', field },
    ...(status.details?.causes ?? []).map(cause => ({
      ...cause,
      field: cause.field ? `${field}.${cause.field.replace(/^\./, '')}` : field
    }))
  ])
  const others = refusals.length - 1
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `nothing was written, because ${refusals.length} of ${count} objects were refused: ${first!.field}: ${message}${others > 0 ? `, and ${others} more (details.causes)` : ''}`,
    ...(reason ? { reason } : {}),
    details: { causes },
    code: code ?? 500
  })
}
