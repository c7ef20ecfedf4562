/** A mutation cannot be done: what that means for the request is for the policy's failurePolicy to say. */
export class MutationError extends Error {}
