/** What is told of a request that was answered, or was not. */

/**
 * A request and what came of it, as `client.onAnswer` tells it.
 *
 * @example
 * client.onAnswer(({ method, code, ms }) => requests.observe({ method, code }, ms / 1000))
 */
export interface AnsweredRequest {
  readonly method: string
  /** `10.0.0.1:6443` */
  readonly host: string
  /** The path without its query. */
  readonly path: string
  /** The status code; undefined when there was no answer. */
  readonly code: number | undefined
  /** Milliseconds until the head of the answer. */
  readonly ms: number
}
