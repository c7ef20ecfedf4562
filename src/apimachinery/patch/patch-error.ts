/** A patch that cannot be decoded or applied, with the fields of the Status that kube-apiserver answers. */
export class PatchError extends Error {
  readonly code: 400 | 413 | 422 | 500
  /** The reason; answers with 500 have none. */
  readonly reason: 'BadRequest' | 'RequestEntityTooLarge' | 'Invalid' | undefined
  /** The details; only a 422 has some, and they are empty. */
  readonly details: Record<string, never> | undefined

  constructor(code: PatchError['code'], message: string) {
    super(message)
    this.name = 'PatchError'
    this.code = code
    this.reason = code === 500 ? undefined : reasons[code]
    this.details = code === 422 ? {} : undefined
  }
}

const reasons = { 400: 'BadRequest', 413: 'RequestEntityTooLarge', 422: 'Invalid' } as const

export function badPatch(message: string): PatchError {
  return new PatchError(400, message)
}

const rejection = 'the server rejected our request due to an error in our request'

/** The operations or lists of the patch do not fit the object. The answer to a PATCH does not name them. */
export function rejectedPatch(): PatchError {
  return new PatchError(422, rejection)
}

/** An operation of a JSON patch does not fit the document. */
export class RejectedOperation extends PatchError {
  /** The message of kube-apiserver's library, for callers that show it. */
  readonly why: string
  /** True when a test operation failed. */
  readonly testFailed: boolean

  constructor(why: string, testFailed = false) {
    super(422, rejection)
    this.why = why
    this.testFailed = testFailed
  }
}

/** In the original, most mistakes in directives of a strategic merge patch are internal errors. */
export function failedPatch(message: string): PatchError {
  return new PatchError(500, message)
}

/** The original dereferences a nil pointer or uses an unhashable map key here, recovers, and answers with this error. */
export function panickedPatch(): PatchError {
  return failedPatch('This request caused apiserver to panic. Look in the logs for details.')
}
