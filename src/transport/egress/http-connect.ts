/** Connects through a proxy that speaks HTTP CONNECT and listens with TLS or on a Unix socket. */
import net, { type Socket } from 'node:net'
import tls, { type ConnectionOptions } from 'node:tls'
import { hostAndPort } from '../../util/url-parts.js'
import { EgressError } from './egress-error.js'
import type { Connect } from './egress-selector.js'

/** The most bytes that the head of the proxy's answer may have: Go's limit. */
const maxHeadBytes = 1024 * 1024
const timeoutMs = 30_000

export interface ConnectProxy {
  /** The proxy's address as errors print it. */
  readonly name: string
  /** Where the proxy listens: the path of a Unix socket, or host and port with the options of TLS. */
  readonly address: { readonly path: string } | (ConnectionOptions & { readonly host: string; readonly port: number })
}

/** Opens a connection through the proxy. Rejects with an EgressError, or with the signal's reason when the signal aborts. */
export const connectThrough =
  ({ name, address }: ConnectProxy): Connect =>
  (host, port, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const target = hostAndPort(host, port)
      const isLocal = 'path' in address
      const socket = isLocal ? net.connect(address) : tls.connect({ ...address, ALPNProtocols: ['http/1.1'] })
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        socket.off('error', onError).off('close', onClose).off('readable', onReadable)
      }
      const fail = (error: Error) => {
        settle()
        // errors that follow are of no interest
        socket.on('error', () => {})
        socket.destroy()
        reject(error)
      }
      let isConnected = false
      const failed = (why: string) =>
        fail(
          isConnected
            ? new EgressError('proxy', `reading HTTP response from CONNECT to ${target} via proxy ${name} failed: ${why}`)
            : new EgressError('connect', why)
        )
      const onError = (error: Error) => failed(isLocal ? `dial unix ${name}: ${unixReason(error)}` : error.message)
      const onClose = () => failed(isConnected ? 'unexpected EOF' : 'EOF')
      const onAbort = () => fail(signal!.reason as Error)
      const timer = setTimeout(() => failed('i/o timeout'), timeoutMs)
      signal?.addEventListener('abort', onAbort)
      let head = ''
      /** The last characters of the head, which are searched again: a search in all of it would join its pieces each time. */
      let tail = ''
      const onReadable = () => {
        let end = -1
        for (let piece = socket.read() as Buffer | null; piece; piece = socket.read() as Buffer | null) {
          const text = piece.toString('latin1')
          const found = end < 0 ? (tail + text).indexOf('\r\n\r\n') : -1
          if (found >= 0) end = head.length - tail.length + found
          head += text
          tail = (tail + text).slice(-3)
        }
        if (end < 0) return void (head.length > maxHeadBytes && failed('unexpected EOF'))
        const status = /^HTTP\/1\.[01] (\d{3}(?: [^\r]*)?)\r\n/.exec(head)?.[1]
        if (status === undefined) return failed(`malformed HTTP response ${JSON.stringify(head.slice(0, head.indexOf('\r\n')))}`)
        const code = status.slice(0, 3)
        if (code !== '200')
          return fail(new EgressError('proxy', `proxy error from ${name} while dialing ${target}, code ${code}: ${status}`))
        const more = head.length - end - 4
        if (more > 0)
          return fail(
            new EgressError('proxy', `unexpected ${more} bytes of buffered data from CONNECT proxy ${JSON.stringify(name)}`)
          )
        settle()
        resolve(socket)
      }
      socket.on('error', onError).on('close', onClose).on('readable', onReadable)
      socket.once(isLocal ? 'connect' : 'secureConnect', () => {
        isConnected = true
        prepare(socket)
        socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
      })
    })

function prepare(socket: Socket): void {
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 30_000)
}

const unixReason = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'ENOENT' ? 'connect: no such file or directory' : code === 'ECONNREFUSED' ? 'connect: connection refused' : message
