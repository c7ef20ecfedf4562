/** A mutation cannot be applied. The policy's failurePolicy decides whether the request fails. */
export class MutationError extends Error {}
