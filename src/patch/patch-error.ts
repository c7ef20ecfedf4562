/** A patch that cannot be decoded or applied, with the parts of the Status in which kube-apiserver says so. */
export class PatchError extends Error {
  readonly code: 400 | 413 | 422 | 500
  /** 500 answers carry no reason. */
  readonly reason: 'BadRequest' | 'RequestEntityTooLarge' | 'Invalid' | undefined
  /** Only 422 has details, and they are empty. */
  readonly details: Record<string, never> | undefined
  /** What the library that kube-apiserver uses says of it, where an answer tells more than that it was rejected. */
  readonly problem: string

  constructor(code: PatchError['code'], message: string, problem = message) {
    super(message)
    this.name = 'PatchError'
    this.problem = problem
    this.code = code
    this.reason = code === 500 ? undefined : reasons[code]
    this.details = code === 422 ? {} : undefined
  }
}

const reasons = { 400: 'BadRequest', 413: 'RequestEntityTooLarge', 422: 'Invalid' } as const

export function badPatch(message: string): PatchError {
  return new PatchError(400, message)
}

/** The operations or lists of the patch do not go with the object. The answer never says which. */
export function rejectedPatch(problem?: string): PatchError {
  return new PatchError(422, 'the server rejected our request due to an error in our request', problem)
}

/** Most mistakes in directives of a strategic merge patch are internal errors in the original. */
export function failedPatch(message: string): PatchError {
  return new PatchError(500, message)
}

/** A nil pointer or an unhashable map key in the original: it recovers, and answers with this. */
export function panickedPatch(): PatchError {
  return failedPatch('This request caused apiserver to panic. Look in the logs for details.')
}
