import { objectPath } from './paths.js'
import { impersonated } from './session.js'
import { openSocket } from './socket.js'
import type { Resource } from './types.js'

/** A program in a container, and its terminal. */
export interface Execution {
  send(text: string): void
  resize(columns: number, rows: number): void
  close(): void
}

export interface ExecutionEvents {
  onOutput(bytes: Uint8Array): void
  /** Called once: with what went wrong, or nothing. */
  onEnd(why: string): void
}

// The channels of v5.channel.k8s.io: the first byte of each message.
const [stdin, stdout, stderr, failure, size] = [0, 1, 2, 3, 4]

/** Runs a command in a container, with a terminal. */
export function execute(
  pods: Resource,
  pod: { namespace: string; name: string; container: string },
  command: string,
  events: ExecutionEvents
): Execution {
  const query = new URLSearchParams({ container: pod.container, command, stdin: 'true', stdout: 'true', tty: 'true' })
  const socket = openSocket(`${objectPath(pods, pod.namespace, pod.name, 'exec')}?${query}`, 'v5.channel.k8s.io')
  let end = ''
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    const bytes = new Uint8Array(data, 1)
    const channel = new Uint8Array(data)[0]
    if (channel === stdout || channel === stderr) events.onOutput(bytes)
    else if (channel === failure) end = messageOfStatus(new TextDecoder().decode(bytes))
  }
  socket.onclose = ({ code, reason }) => events.onEnd(end || reason || (code === 1000 ? '' : 'The connection ended.'))
  const send = (channel: number, text: string) => {
    if (socket.readyState !== WebSocket.OPEN) return
    const bytes = new TextEncoder().encode(text)
    const message = new Uint8Array(bytes.length + 1)
    message[0] = channel
    message.set(bytes, 1)
    socket.send(message)
  }
  return {
    send: text => send(stdin, text),
    resize: (columns, rows) => send(size, JSON.stringify({ Width: columns, Height: rows })),
    close: () => socket.close()
  }
}

/** Whether a terminal can be opened: as another user it cannot, because a WebSocket cannot impersonate. */
export const canExecute = (): boolean => impersonated.value === undefined

function messageOfStatus(text: string): string {
  try {
    const { status, message } = JSON.parse(text) as { status?: string; message?: string }
    return status === 'Success' ? '' : (message ?? text)
  } catch {
    return text
  }
}
