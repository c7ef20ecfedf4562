/** The outcome of a command: reads the kubelet's error stream, and words what the client is told. */
import { describeJson, TypeMismatch } from '../../apimachinery/schema/scalars.js'
import { goQuote } from '../../util/go-format.js'
import { getKey, isObject, type JsonObject } from '../../util/json.js'

/** The most bytes of the error stream. */
const maxBytes = 1024 * 1024

/** The members of a Status that say how a command has ended; empty texts where there are none. */
interface KubeletStatus {
  readonly status: string
  readonly message: string
  readonly reason: string
  readonly causes: readonly { readonly reason: string; readonly message: string }[] | undefined
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
  static async read(stream: AsyncIterable<Buffer>, isStatus: boolean): Promise<ExecOutcome> {
    const pieces: Buffer[] = []
    let length = 0
    for await (const piece of stream) {
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
      given = statusOf(JSON.parse(text))
    } catch (error) {
      return ExecOutcome.failed(`error stream protocol error: ${(error as Error).message} in ${goQuote(text)}`)
    }
    if (given.status === 'Success') return ExecOutcome.#success
    if (given.status !== 'Failure') return ExecOutcome.failed('error stream protocol error: unknown error')
    if (given.reason !== 'NonZeroExitCode') return ExecOutcome.failed(given.message)
    if (!given.causes) return ExecOutcome.failed('error stream protocol error: details must be set')
    const cause = given.causes.find(({ reason }) => reason === 'ExitCode')
    if (!cause) return ExecOutcome.failed('error stream protocol error: no ExitCode cause given')
    const code = /^\d+$/.test(cause.message) ? Number(cause.message) : Number.NaN
    return code <= 255
      ? ExecOutcome.#exited(code)
      : ExecOutcome.failed(`error stream protocol error: invalid exit code value ${goQuote(cause.message)}`)
  }

  encode(): Buffer {
    return Buffer.from(JSON.stringify(this.#status))
  }
}

/** Reads the Status of a kubelet as Go does. Throws TypeMismatch. */
function statusOf(given: unknown): KubeletStatus {
  const status = structOf(given, 'v1.Status', '')
  const text = (from: JsonObject, name: string, struct: string, path = name) => {
    const value = getKey(from, name) ?? ''
    if (typeof value !== 'string') throw new TypeMismatch(describeJson(value), 'string', struct, path)
    return value
  }
  const details = getKey(status, 'details') ?? undefined
  const causes = details && (getKey(structOf(details, 'v1.StatusDetails', 'details'), 'causes') ?? [])
  if (causes !== undefined && !Array.isArray(causes))
    throw new TypeMismatch(describeJson(causes), '[]v1.StatusCause', 'StatusDetails', 'details.causes')
  return {
    ...{ status: text(status, 'status', 'Status'), message: text(status, 'message', 'Status') },
    reason: text(status, 'reason', 'Status'),
    causes: causes?.map(one => {
      const cause = structOf(one, 'v1.StatusCause', 'details.causes')
      const part = (name: string) => text(cause, name, 'StatusCause', `details.causes.${name}`)
      return { reason: part('reason'), message: part('message') }
    })
  }
}

function structOf(value: unknown, type: string, path: string): JsonObject {
  if (value === null || isObject(value)) return value ?? {}
  throw new TypeMismatch(describeJson(value), type, path === '' ? '' : 'Status', path)
}
