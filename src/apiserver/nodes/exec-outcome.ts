/** The outcome of a command: reads the kubelet's error stream, and words what the client is told. */
import type { SpdyStream } from './spdy/connection.js'

/** The most bytes of the error stream. */
const maxBytes = 1024 * 1024

interface KubeletStatus {
  readonly status?: string
  readonly message?: string
  readonly reason?: string
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] }
}

export class ExecOutcome {
  /** The fields of the Status, in Go's order. */
  readonly #status: object
  /** The code for the metrics: a command's exit code is no failure of the stream. */
  readonly code: number

  private constructor(status: object, code = 200) {
    this.#status = status
    this.code = code
  }

  static readonly #success = new ExecOutcome({ metadata: {}, status: 'Success' })

  static failed(why: string): ExecOutcome {
    const status = {
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${why}`,
      reason: 'InternalError',
      details: { causes: [{ message: why }] },
      code: 500
    }
    return new ExecOutcome(status, 500)
  }

  static #exited(code: number): ExecOutcome {
    return new ExecOutcome({
      metadata: {},
      status: 'Failure',
      message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: String(code) }] }
    })
  }

  /** Reads the whole error stream. `isStatus` says that it contains a Status, as since version 4 of the protocol. */
  static async read(stream: SpdyStream, isStatus: boolean): Promise<ExecOutcome> {
    const pieces: Buffer[] = []
    let length = 0
    for await (const piece of stream as AsyncIterable<Buffer>) {
      length += piece.length
      if (length <= maxBytes) pieces.push(piece)
    }
    const text = Buffer.concat(pieces).toString()
    if (text === '') return ExecOutcome.#success
    return isStatus ? ExecOutcome.#ofStatus(text) : ExecOutcome.failed(`error executing remote command: ${text}`)
  }

  static #ofStatus(text: string): ExecOutcome {
    let given: KubeletStatus
    try {
      given = JSON.parse(text) as KubeletStatus
    } catch (error) {
      return ExecOutcome.failed(`error stream protocol error: ${(error as Error).message} in ${JSON.stringify(text)}`)
    }
    if (given.status === 'Success') return ExecOutcome.#success
    if (given.status !== 'Failure') return ExecOutcome.failed('error stream protocol error: unknown error')
    if (given.reason !== 'NonZeroExitCode') return ExecOutcome.failed(given.message ?? '')
    const cause = given.details?.causes?.find(({ reason }) => reason === 'ExitCode')
    if (!cause) return ExecOutcome.failed('error stream protocol error: no ExitCode cause given')
    const code = Number(cause.message)
    return Number.isInteger(code)
      ? ExecOutcome.#exited(code)
      : ExecOutcome.failed(`error stream protocol error: invalid exit code value ${JSON.stringify(cause.message ?? '')}`)
  }

  encode(): Buffer {
    return Buffer.from(JSON.stringify(this.#status))
  }
}
