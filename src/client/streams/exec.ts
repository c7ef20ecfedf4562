/**
 * Runs commands in containers and attaches to them, over WebSocket with the protocol `v5.channel.k8s.io` (KEP-4006): the first byte of a
 * message names its channel.
 */
import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import type { Status } from '../../apimachinery/status/status.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { holdingProcess } from '../../util/holding-process.js'
import { UserError } from '../../util/user-error.js'
import type { OpenWebSocket } from '../transport.js'
import type { KubeClient, ObjectName } from '../types.js'
import { podPath } from './pod-path.js'

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const
const closeSignal = 255
/** The second is that of servers before 1.30, which cannot be told that stdin has ended. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
/** The most bytes of stdout and of stderr that are kept for the result. */
const maxKeptBytes = 64 * 1024 * 1024

/** The most characters of the Status that tells how a command ended. */
const maxEndingCharacters = 65_536

/**
 * The size of a terminal.
 *
 * @example
 * const size: TerminalSize = { columns: 80, rows: 24 }
 */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/**
 * Options of `attach`.
 *
 * @example
 * const options: AttachOptions = { container: 'web', stdin: process.stdin, stdout: process.stdout, tty: true }
 */
export interface AttachOptions {
  readonly namespace?: string | undefined
  /** May be left out for a Pod with one container. */
  readonly container?: string | undefined
  /** What the command reads. Without it, it reads nothing. */
  readonly stdin?: Readable | string | Uint8Array | undefined
  /** Where its output goes; it is in the result, when left out. */
  readonly stdout?: Writable | undefined
  /** Where its errors go; they are in the result, when left out. A terminal has one output, `stdout`. */
  readonly stderr?: Writable | undefined
  /** Whether the command has a terminal. */
  readonly tty?: boolean | undefined
  /** The sizes of the terminal, as they change. */
  readonly sizes?: AsyncIterable<TerminalSize> | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Options of `exec`.
 *
 * @example
 * const options: ExecOptions = { command: ['cat', '/etc/hostname'] }
 */
export interface ExecOptions extends AttachOptions {
  /** The program and its arguments. There is no shell, unless it is called: `['sh', '-c', 'ls | wc -l']`. */
  readonly command: readonly string[]
}

/**
 * What became of a command.
 *
 * @example
 * const { exitCode, stdout }: ExecResult = await exec(client, 'web', { command: ['ls'] })
 */
export interface ExecResult {
  readonly exitCode: number
  /** Empty when it went elsewhere. */
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a command in a container. Resolves when it has ended, whatever its exit code; rejects with a StatusError when it could not be run.
 *
 * @example
 * const { stdout, exitCode } = await exec(client, 'web', { command: ['cat', '/etc/hostname'] })
 */
export async function exec(client: KubeClient, pod: ObjectName, options: ExecOptions): Promise<ExecResult> {
  if (options.command.length === 0) throw new UserError('exec needs a command: a list of the program and its arguments')
  return run(client, pod, 'exec', options, options.command)
}

/**
 * Attaches to the process of a container. Resolves when that has ended.
 *
 * @example
 * await attach(client, 'web', { stdout: process.stdout, stderr: process.stderr })
 */
export function attach(client: KubeClient, pod: ObjectName, options: AttachOptions = {}): Promise<ExecResult> {
  return run(client, pod, 'attach', options, [])
}

async function run(
  client: KubeClient,
  pod: ObjectName,
  subresource: 'exec' | 'attach',
  options: AttachOptions,
  command: readonly string[]
): Promise<ExecResult> {
  const { namespace, container, stdin, tty = false, signal } = options
  const url = podPath(client, pod, subresource, namespace, [
    ['container', container],
    ['stdin', stdin !== undefined],
    ['stdout', true],
    ['stderr', !tty],
    ['tty', tty],
    ...command.map(word => ['command', word] as const)
  ])
  const opened = await client.webSocket({ url }, protocols, signal)
  return holdingProcess(new Session(opened, options).result())
}

class Session {
  readonly #opened: OpenWebSocket
  readonly #options: AttachOptions
  readonly #stdout: Output
  readonly #stderr: Output
  readonly #isOver = new AbortController()

  constructor(opened: OpenWebSocket, options: AttachOptions) {
    this.#opened = opened
    this.#options = options
    this.#stdout = new Output(options.stdout)
    this.#stderr = new Output(options.stderr)
  }

  async result(): Promise<ExecResult> {
    const { connection } = this.#opened
    const { stdin, sizes } = this.#options
    const failed = (error: Error) => connection.destroy(error)
    if (stdin !== undefined) this.#send(stdin).catch(failed)
    if (sizes) this.#resize(sizes).catch(failed)
    try {
      const status = await this.#receive()
      return { exitCode: exitCodeOf(status), stdout: this.#stdout.text, stderr: this.#stderr.text }
    } finally {
      this.#isOver.abort()
      connection.destroy()
    }
  }

  /** Reads until the server says how the command has ended. */
  async #receive(): Promise<Status> {
    let ending = ''
    for await (const message of this.#opened.connection as AsyncIterable<Buffer | string>) {
      const bytes = Buffer.from(message)
      const content = bytes.subarray(1)
      if (bytes[0] === channels.stdout) await this.#stdout.write(content)
      else if (bytes[0] === channels.stderr) await this.#stderr.write(content)
      else if (bytes[0] === channels.error && content.length > 0) {
        ending += content.toString()
        if (ending.length > maxEndingCharacters) throw new Error('the server says too much about the end of the command')
        const status = parsed(ending)
        if (status) return status
      }
    }
    this.#options.signal?.throwIfAborted()
    throw new Error('the connection ended before the command')
  }

  async #send(stdin: Readable | string | Uint8Array): Promise<void> {
    const { connection, protocol } = this.#opened
    const source = stdin instanceof Readable ? stdin : Readable.from([Buffer.from(stdin as string)])
    const end = () => void source.destroy()
    this.#isOver.signal.addEventListener('abort', end, { once: true })
    for await (const piece of source as AsyncIterable<Buffer | string>) {
      if (this.#isOver.signal.aborted) return
      await this.#write(channels.stdin, Buffer.from(piece as string))
    }
    if (protocol === protocols[0] && !connection.destroyed) connection.write(Buffer.from([closeSignal, channels.stdin]))
  }

  async #resize(sizes: AsyncIterable<TerminalSize>): Promise<void> {
    for await (const { columns, rows } of sizes) {
      if (this.#isOver.signal.aborted) return
      await this.#write(channels.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows })))
    }
  }

  async #write(channel: number, content: Buffer): Promise<void> {
    const { connection } = this.#opened
    if (connection.destroyed) return
    if (!connection.write(Buffer.concat([Buffer.from([channel]), content])))
      await once(connection, 'drain', { signal: this.#isOver.signal }).catch(() => {})
  }
}

/** Takes an output to its place, or keeps it. */
class Output {
  readonly #to: Writable | undefined
  readonly #kept: Buffer[] = []
  #size = 0

  constructor(to: Writable | undefined) {
    this.#to = to
  }

  async write(content: Buffer): Promise<void> {
    if (content.length === 0) return
    if (this.#to) {
      if (!this.#to.write(content)) await once(this.#to, 'drain')
      return
    }
    this.#size += content.length
    if (this.#size > maxKeptBytes)
      throw new Error(`the command printed more than ${maxKeptBytes} bytes: give a stream as stdout or stderr`)
    this.#kept.push(content)
  }

  get text(): string {
    return Buffer.concat(this.#kept).toString()
  }
}

function parsed(text: string): Status | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function exitCodeOf(status: Status): number {
  if (status.status === 'Success') return 0
  const cause = status.details?.causes?.find(({ reason }) => (reason as string) === 'ExitCode')
  if ((status.reason as string) !== 'NonZeroExitCode' || cause === undefined) throw new StatusError(status)
  return Number(cause.message)
}
