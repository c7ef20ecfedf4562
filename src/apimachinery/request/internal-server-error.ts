/**
 * Ends a request with a 500 in plain text, which kube-apiserver's filters send where they fail before the request has an endpoint.
 * The answer names the request's path and the message.
 */
export class InternalServerError extends Error {}
