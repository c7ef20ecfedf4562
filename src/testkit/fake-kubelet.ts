/** A small kubelet for tests: logs, commands that read and write, ports that answer what they are sent. */
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { loadOrCreatePki } from '../transport/certificates/pki.js'
import { type ServerStream, serveSpdy } from '../transport/spdy/server.js'

export interface FakeKubelet {
  readonly port: number
  /** PEM of the authority that has signed the kubelet's certificate. */
  readonly authority: string
  /** Method and URL of every request, in order. */
  readonly requests: string[]
  /** The headers of the last request. */
  headers(): IncomingMessage['headers']
  /** The connections that are open. */
  connections(): number
  /** Breaks all connections, as when the node is lost. */
  breakConnections(): void
  close(): Promise<void>
}

export interface KubeletHandlers {
  /** Answers plain requests. */
  request?(message: IncomingMessage, answer: import('node:http').ServerResponse): void
  /** Runs a command: writes its output, and resolves with its exit code. */
  run?(command: readonly string[], streams: CommandStreams): Promise<number>
}

export interface CommandStreams {
  readonly stdin: ServerStream | undefined
  readonly stdout: ServerStream | undefined
  readonly stderr: ServerStream | undefined
  readonly resize: ServerStream | undefined
}

export async function startFakeKubelet(handlers: KubeletHandlers = {}): Promise<FakeKubelet> {
  const pki = await loadOrCreatePki({ servingNames: ['localhost', '127.0.0.1'], now: Date.now() })
  const requests: string[] = []
  let headers: IncomingMessage['headers'] = {}
  const sockets = new Set<Duplex>()
  const server = https.createServer({ cert: pki.serving.certificate, key: pki.serving.key })
  const note = (message: IncomingMessage) => {
    requests.push(`${message.method} ${message.url}`)
    headers = message.headers
  }
  server.on('secureConnection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (message, answer) => {
    note(message)
    if (handlers.request) handlers.request(message, answer)
    else answer.writeHead(404).end('404 page not found\n')
  })
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    note(message)
    if (head.length > 0) socket.unshift(head)
    const url = new URL(message.url!, 'https://kubelet')
    const [protocol] = String(message.headers['x-stream-protocol-version'] ?? '').split(',')
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', `Upgrade: ${message.headers.upgrade}`]
    if (protocol) lines.push(`X-Stream-Protocol-Version: ${protocol}`)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    if (message.headers.upgrade !== 'SPDY/3.1') return void socket.pipe(socket)
    if (url.pathname.startsWith('/portForward/')) serveSpdy(socket, answerPort)
    else serveCommand(socket, url.searchParams, handlers.run ?? runCommand)
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    authority: pki.ca.certificate,
    requests,
    headers: () => headers,
    connections: () => sockets.size,
    breakConnections: () => {
      for (const socket of sockets) socket.destroy()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    }
  }
}

/** Sends back everything that arrives. */
function answerPort(stream: ServerStream): void {
  if (stream.headers.streamtype === 'data') stream.pipe(stream)
  else stream.resume().end()
}

function serveCommand(socket: Duplex, query: URLSearchParams, run: NonNullable<KubeletHandlers['run']>): void {
  const streams = new Map<string, ServerStream>()
  const expected = ['input', 'output', 'error'].filter(name => query.has(name)).length + 1 + (query.has('tty') ? 1 : 0)
  // a terminal has one output
  const wanted = query.has('tty') && query.has('error') ? expected - 1 : expected
  serveSpdy(socket, stream => {
    streams.set(stream.headers.streamtype!, stream)
    if (streams.size < wanted) return
    const [stdin, stdout, stderr, resize] = ['stdin', 'stdout', 'stderr', 'resize'].map(name => streams.get(name))
    const ended = (code: number) => {
      const failure = {
        status: 'Failure',
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: String(code) }] }
      }
      streams.get('error')!.end(JSON.stringify({ metadata: {}, ...(code === 0 ? { status: 'Success' } : failure) }))
      stdout?.end()
      stderr?.end()
    }
    // a command fails when its client is gone
    run(query.getAll('command'), { stdin, stdout, stderr, resize }).then(ended, () => {})
  })
}

/**
 * Runs a command: `cat` sends its input back, `exit N` ends with a code, `size` prints the size of its terminal, and other words
 * are printed.
 */
async function runCommand(command: readonly string[], { stdin, stdout, stderr, resize }: CommandStreams): Promise<number> {
  const [name, ...words] = command
  if (name === 'exit') {
    stderr?.write('failed\n')
    return Number(words[0])
  }
  if (name === 'size') return new Promise(resolve => resize!.once('data', size => stdout!.write(size, () => resolve(0))))
  if (name === 'cat' || name === undefined) {
    for await (const piece of stdin!) if (!stdout!.write(piece)) await new Promise(resolve => stdout!.once('drain', resolve))
    return 0
  }
  stdout?.write(`${command.join(' ')}\n`)
  return 0
}
