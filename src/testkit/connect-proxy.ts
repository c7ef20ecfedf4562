/** A small proxy for tests that speaks HTTP CONNECT, over TLS with client certificates or on a Unix socket. */
import http from 'node:http'
import https, { type ServerOptions } from 'node:https'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface ConnectProxy {
  /** The hosts and ports that were asked for, in order. */
  readonly asked: string[]
  readonly port: number
  close(): Promise<void>
}

/** `leadTo` replaces the address that a client asks for. */
export async function startConnectProxy(
  at: { readonly path: string } | { readonly tls: ServerOptions },
  leadTo: (asked: string) => { readonly host: string; readonly port: number } | undefined
): Promise<ConnectProxy> {
  const asked: string[] = []
  const sockets = new Set<Duplex>()
  const server =
    'tls' in at ? https.createServer({ requestCert: true, rejectUnauthorized: true, ...at.tls }) : http.createServer()
  server.on('connect', (request, client: Duplex) => {
    asked.push(request.url!)
    sockets.add(client)
    client.on('error', () => client.destroy())
    const target = leadTo(request.url!)
    if (!target) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const socket = net.connect(target, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(socket)
      // kube-apiserver refuses a proxy that sends more together with its answer, and servers of HTTP/2 speak first
      client.once('data', () => socket.pipe(client))
    })
    sockets.add(socket)
    socket.on('error', () => client.destroy())
    client.once('close', () => socket.destroy())
  })
  await new Promise<void>(resolve => {
    if ('path' in at) server.listen(at.path, resolve)
    else server.listen(0, '127.0.0.1', resolve)
  })
  return {
    asked,
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    }
  }
}
