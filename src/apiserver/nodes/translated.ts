/**
 * exec and attach over WebSocket, for kubelets that speak SPDY (KEP-4006): the channels of `v5.channel.k8s.io` become streams. The
 * first byte of a message names its channel; 255 and a channel close that.
 */
import type { Duplex } from 'node:stream'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { StreamCounts } from '../../registry/services.js'
import { exchange } from '../../transport/proxy/exchange.js'
import { Throttle } from '../../transport/proxy/throttle.js'
import type { Upstream } from '../../transport/proxy/upstream.js'
import { SpdyConnection, type SpdyStream } from '../../transport/spdy/connection.js'
import { hostAndPort } from '../../util/url-parts.js'
import { ExecOutcome } from './exec-outcome.js'
import { protocolsOf } from './tunnel.js'

const version5 = 'v5.channel.k8s.io'
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const
const closeSignal = 255

/** The protocols of kubelets, the preferred first. */
const kubeletProtocols = [5, 4, 3, 2].map(n => `v${n}.channel.k8s.io`).concat('channel.k8s.io')
/** Milliseconds in which the kubelet must accept the streams; Go's. */
const acceptMs = 30_000
/** Milliseconds without a message after which the client counts as gone; the kubelet's default, too. */
const idleMs = 4 * 60 * 60 * 1000
/** Bytes of the kubelet's refusal that the client is told. */
const maxRefusalBytes = 50_000

export type StreamName = 'stdin' | 'stdout' | 'stderr' | 'tty'

/** Whether a WebSocket client speaks the version of the protocol in which it can close its stdin. */
export const asksForStreamClose = ({ request }: RequestContext): boolean =>
  request.upgrade === 'websocket' && protocolsOf(request.headers['sec-websocket-protocol']).includes(version5)

export const translated = (upstream: Upstream, asked: ReadonlySet<StreamName>, counts: StreamCounts): Response => ({
  status: 101,
  headers: {},
  upgrade: {
    protocols: [version5],
    open: client => void new Translation(client, asked, upstream.bytesPerSecond, counts).run(upstream)
  }
})

class Translation {
  readonly #client: Duplex
  readonly #asked: ReadonlySet<StreamName>
  readonly #bytesPerSecond: number | undefined
  readonly #counts: StreamCounts
  readonly #gone = new AbortController()
  readonly #idle: NodeJS.Timeout

  constructor(client: Duplex, asked: ReadonlySet<StreamName>, bytesPerSecond: number | undefined, counts: StreamCounts) {
    this.#counts = counts
    this.#bytesPerSecond = bytesPerSecond
    this.#client = client
    this.#asked = asked
    this.#idle = setTimeout(() => client.destroy(), idleMs).unref()
    client.on('error', () => client.destroy())
    client.once('close', () => {
      clearTimeout(this.#idle)
      this.#gone.abort()
    })
  }

  async run(upstream: Upstream): Promise<void> {
    const first = this.#asked.has('stdout') ? 'stdout' : this.#asked.has('stderr') ? 'stderr' : 'error'
    // shows the client that it is connected
    this.#send(channels[first], Buffer.alloc(0))
    let connection: SpdyConnection | undefined
    try {
      const { socket, protocol } = await this.#connect(upstream)
      connection = new SpdyConnection(socket)
      const lost = connection
      this.#client.once('close', () => lost.destroy())
      this.#end(await this.#stream(connection, protocol))
    } catch (error) {
      this.#end(ExecOutcome.failed((error as Error).message))
    }
    connection?.close()
  }

  async #connect(upstream: Upstream): Promise<{ socket: Duplex; protocol: string }> {
    const { target, path, query } = upstream
    const authority = hostAndPort(target.host, target.port)
    const headers = ['Host', authority]
    for (const protocol of kubeletProtocols) headers.push('X-Stream-Protocol-Version', protocol)
    const { head, connection } = await exchange(
      upstream,
      { method: 'POST', headers, upgrade: 'SPDY/3.1' },
      this.#gone.signal
    ).catch(error => {
      throw new Error(`error sending request: Post ${JSON.stringify(`https://${authority}${path}${query}`)}: ${error.message}`)
    })
    if (connection) return { socket: connection, protocol: String(head.headers['x-stream-protocol-version'] ?? '') }
    let text = ''
    for await (const piece of head.setEncoding('utf8')) {
      text += piece
      if (text.length > maxRefusalBytes) break
    }
    throw new Error(`unable to upgrade connection: ${messageOf(text)}`)
  }

  /** Resolves when the command has ended. */
  async #stream(connection: SpdyConnection, protocol: string): Promise<ExecOutcome> {
    const asked = this.#asked
    const open = (streamtype: string) => connection.open({ streamtype })
    const error = open('error')
    const stdin = asked.has('stdin') ? open('stdin') : undefined
    const stdout = asked.has('stdout') ? open('stdout') : undefined
    // a terminal has one output
    const stderr = asked.has('stderr') && !asked.has('tty') ? open('stderr') : undefined
    const canResize = protocol !== '' && protocol !== 'channel.k8s.io' && protocol !== 'v2.channel.k8s.io'
    const resize = asked.has('tty') && canResize ? open('resize') : undefined
    const streams = [error, stdin, stdout, stderr, resize].filter(stream => stream !== undefined)
    const timer = setTimeout(() => {
      if (streams.some(stream => !stream.isAccepted && !stream.readableEnded)) connection.destroy()
    }, acceptMs)
    // nothing comes on these
    stdin?.resume()
    resize?.resume()
    this.#receive(stdin && this.#limited(stdin, input => input.pipe(stdin)), resize)
    try {
      const outcome = ExecOutcome.read(error, /^v[45]\./.test(protocol))
      outcome.catch(() => {})
      await Promise.all([this.#output(stdout, channels.stdout), this.#output(stderr, channels.stderr)])
      return await outcome
    } finally {
      clearTimeout(timer)
    }
  }

  /** Returns what stands before or behind a stream so that it has only its rate, joined to it by `join`. */
  #limited<T extends Duplex>(stream: T, join: (throttle: Throttle) => void): T | Throttle {
    if (!this.#bytesPerSecond) return stream
    const throttle = new Throttle(this.#bytesPerSecond)
    join(throttle)
    stream.once('close', () => stream.readableEnded || throttle.destroy())
    return throttle
  }

  /** Passes on the messages of the client, as fast as the kubelet takes them. */
  #receive(stdin: Duplex | undefined, resize: Duplex | undefined): void {
    const client = this.#client
    const targets = new Map([
      [channels.stdin as number, stdin],
      [channels.resize, resize]
    ])
    for (const stream of targets.values()) stream?.on('drain', () => client.resume())
    // a stream that has ended takes nothing more, and must not keep the client waiting
    for (const stream of targets.values()) stream?.once('close', () => client.resume())
    client.on('data', (given: Buffer | string) => {
      this.#idle.refresh()
      const message = typeof given === 'string' ? Buffer.from(given) : given
      if (message.length === 0) return
      if (message[0] === closeSignal) return void targets.get(message[1] ?? -1)?.end()
      const stream = targets.get(message[0]!)
      if (!stream || stream.destroyed || stream.writableEnded) return
      if (!stream.write(message.subarray(1))) client.pause()
    })
    client.once('end', () => client.destroy())
  }

  /** Passes on an output, as fast as the client takes it. Rejects when the connection to the kubelet is lost. */
  #output(stream: SpdyStream | undefined, channel: number): Promise<void> {
    if (!stream) return Promise.resolve()
    const output = this.#limited(stream, throttle => stream.pipe(throttle))
    return new Promise((resolve, reject) => {
      output.on('data', (piece: Buffer) => {
        this.#idle.refresh()
        if (this.#send(channel, piece)) return
        output.pause()
        this.#client.once('drain', () => output.resume())
      })
      output.once('end', resolve)
      stream.once('error', reject)
      stream.once('close', () => stream.readableEnded || reject(new Error('the connection to the kubelet is lost')))
    })
  }

  #send(channel: number, bytes: Buffer): boolean {
    if (this.#client.destroyed || this.#client.writableEnded) return true
    return this.#client.write(Buffer.concat([Buffer.from([channel]), bytes]))
  }

  #end(outcome: ExecOutcome): void {
    this.#counts.translated(outcome.code)
    this.#send(channels.error, outcome.encode())
    this.#client.end()
    // the client answers the end of a WebSocket
    this.#client.resume()
  }
}

/** Returns the message of a Status, or the text as it is. */
function messageOf(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown }
    for (const said of [message, error]) if (typeof said === 'string' && said.trim() !== '') return said.trim()
  } catch {
    // the answer is a text
  }
  return text.trim() || 'empty server response'
}
