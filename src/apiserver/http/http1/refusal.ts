/** Bytes that are no request: the connection is told why, in the words of Go's HTTP server, and ends. */
export class Refusal extends Error {
  /** The status line without its version, which is the body as well unless there is another one. */
  readonly status: string
  readonly body: string

  constructor(status: string, body = status) {
    super(status)
    this.status = status
    this.body = body
  }
}

export const badRequest = (why = '') => new Refusal(`400 Bad Request${why && `: ${why}`}`)
export const headTooLarge = () => new Refusal('431 Request Header Fields Too Large')
export const tooLate = () => new Refusal('408 Request Timeout')
