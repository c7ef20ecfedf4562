/** The streams of commands: what a client sends to a container and gets from it, over SPDY or WebSocket, and how a command ends. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { serveSpdy } from '../../../transport/spdy/server.js'
import { chosenProtocol, openChannels } from './channels.js'

export interface Streams {
  readonly stdin: Duplex | undefined
  readonly stdout: Duplex | undefined
  readonly stderr: Duplex | undefined
  readonly isTerminal: boolean
}

/** Runs a command with its streams, and resolves with its exit code. It rejects when the client is gone. */
type Run = (streams: Streams) => Promise<number>

const withStatus = ['v4.channel.k8s.io', 'v4.base64.channel.k8s.io']
const withText = ['channel.k8s.io', 'base64.channel.k8s.io']

/** What a client that speaks WebSocket is understood to speak; undefined for none of it. */
export const commandProtocol = (request: IncomingMessage): string | undefined =>
  chosenProtocol(request, [...withStatus, ...withText])

/** Waits for the streams that the query announces, runs the command, and tells how it ended. */
export function overSpdy(socket: Duplex, query: URLSearchParams, run: Run): void {
  const found = new Map<string, Duplex>()
  const isTerminal = isOn(query, 'tty')
  const wanted =
    ['input', 'output', ...(isTerminal ? [] : ['error'])].filter(name => isOn(query, name)).length + (isTerminal ? 2 : 1)
  serveSpdy(socket, stream => {
    found.set(stream.headers.streamtype!, stream)
    if (found.size !== wanted) return
    const [stdin, stdout, stderr] = ['stdin', 'stdout', 'stderr'].map(name => found.get(name))
    found.get('resize')?.resume()
    const ended = (code: number) => {
      found.get('error')?.end(JSON.stringify(outcome(code)))
      stdout?.end()
      stderr?.end()
    }
    run({ stdin, stdout, stderr, isTerminal }).then(ended, () => socket.destroy())
  })
}

/** The channels are numbered: stdin, stdout, stderr, the outcome, and the size of the terminal. */
export async function overWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  protocol: string,
  query: URLSearchParams,
  run: Run
): Promise<void> {
  const { all, end } = await openChannels(request, socket, protocol, 5)
  const [input, output, errors, status, size] = all as [Duplex, Duplex, Duplex, Duplex, Duplex]
  const isTerminal = isOn(query, 'tty')
  const stdin = isOn(query, 'input') ? input : undefined
  const stdout = isOn(query, 'output') ? output : undefined
  const stderr = isOn(query, 'error') && !isTerminal ? errors : undefined
  for (const unread of stdin ? [output, errors, status, size] : all)
    unread.resume()
    // an empty message tells that the streams are there
  ;(stdout ?? stderr ?? status).write(Buffer.alloc(0))
  try {
    const code = await run({ stdin, stdout, stderr, isTerminal })
    await Promise.all([output, errors].map(sent))
    if (withStatus.includes(protocol)) status.write(JSON.stringify(outcome(code)))
    else if (code !== 0) status.write(failure(code))
    await sent(status)
    end()
  } catch {
    socket.destroy()
  }
}

/** Resolves when all is sent. */
const sent = (stream: Duplex) => new Promise<void>(resolve => stream.end(resolve))

const isOn = (query: URLSearchParams, name: string) => ['1', 'true'].includes(query.get(name) ?? '')

const failure = (code: number) => `command terminated with non-zero exit code: exit code ${code}`

const outcome = (code: number): object =>
  code === 0
    ? { metadata: {}, status: 'Success' }
    : {
        metadata: {},
        status: 'Failure',
        message: failure(code),
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: String(code) }] }
      }
