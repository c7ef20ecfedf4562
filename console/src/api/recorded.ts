import { request } from './request.js'

/** A request in the list of the server's recorder (docs/explain.md). */
export interface RequestSummary {
  readonly number: number
  readonly time: string
  readonly method: string
  readonly url: string
  readonly verb: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly user: string
  readonly impersonated?: string
  readonly userAgent: string
  readonly status: number
  readonly milliseconds: number
  readonly isOpen: boolean
}

/** A step of admission, as explanations and recorded requests have it. */
export interface AdmissionStep {
  readonly kind: string
  readonly phase: string
  readonly name: string
  readonly depth: number
  readonly milliseconds: number
  readonly diff?: string
  readonly answer?: string
  readonly cost?: number
  readonly error?: string
}

/** All that the recorder keeps of a request. */
export interface RecordedRequest extends RequestSummary {
  readonly auditId: string
  readonly groups: readonly string[]
  readonly authorization?: { readonly allowed: boolean; readonly reason: string }
  readonly admission: readonly AdmissionStep[]
  readonly writes: readonly { readonly resource: string; readonly name: string; readonly action: string; readonly diff: string }[]
  readonly warnings: readonly string[]
  readonly message?: string
  readonly parts: Readonly<Record<string, number>>
}

/** The requests after a number. */
export const requestsSince = (since: number, signal: AbortSignal) =>
  request<{ last: number; requests: RequestSummary[] }>('/binnacle/v1/explain/requests', { query: { since }, signal })

export const recordedRequest = async (number: number, signal: AbortSignal): Promise<RecordedRequest> => {
  const body = { request: String(number) }
  return (await request<{ request: RecordedRequest }>('/binnacle/v1/explain/access', { method: 'POST', body, signal })).request
}
