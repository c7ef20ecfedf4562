/** A server whose answers a test writes: HTTP/2 and HTTP/1.1 over TLS. */
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'

let pki: ReturnType<typeof loadOrCreatePki> | undefined

export interface ScriptedServer {
  readonly url: string
  readonly ca: string
  /** The server's certificate and key, for clients that show one. */
  readonly pair: { readonly cert: string; readonly key: string }
  /** Method, path and the header Authorization of each request. */
  readonly requests: {
    readonly method: string
    readonly path: string
    readonly authorization: string | undefined
    readonly version: string
  }[]
  readonly sessions: Set<ServerHttp2Session>
}

export type Script = (request: Http2ServerRequest, response: Http2ServerResponse) => void

export async function scriptedServer(t: TestContext, script: Script, { http2 = true } = {}): Promise<ScriptedServer> {
  const { serving } = await (pki ??= loadOrCreatePki({ servingNames: ['127.0.0.1', 'api.example'], now: Date.now() }))
  const requests: ScriptedServer['requests'] = []
  const sessions = new Set<ServerHttp2Session>()
  const answer = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const { method, url: path, headers, httpVersion: version } = request
    requests.push({ method, path, authorization: headers.authorization, version })
    script(request, response)
  }
  const options = { cert: serving.certificate, key: serving.key }
  const server = http2 ? createSecureServer(options, answer) : https.createServer(options, answer as never)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.once('close', () => sessions.delete(session))
  })
  server.on('sessionError', () => {})
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: serving.trust,
    pair: options,
    requests,
    sessions
  }
}

export interface Relay {
  readonly port: number
  /** How many connections were made. */
  readonly count: number
  /** Bytes go on no further, in neither direction, and nobody is told. */
  freeze(): void
}

/** Passes connections on to a port, until it is frozen: a connection whose other end is gone without a word. */
export async function startRelay(t: TestContext, port: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = net.createServer(client => {
    count++
    const target = net.connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, target],
      [target, client]
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.pipe(to)
    }
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    get count() {
      return count
    },
    freeze() {
      for (const socket of sockets) socket.unpipe().pause()
    }
  }
}

export const json = (response: Http2ServerResponse, body: unknown, status = 200, headers: object = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Answers discovery of `v1`, and calls `script` for everything else. */
export const withDiscovery =
  (script: Script): Script =>
  (request, response) => {
    if (request.url !== '/api/v1') return script(request, response)
    const resources = [{ name: 'configmaps', kind: 'ConfigMap', namespaced: true }]
    json(response, { kind: 'APIResourceList', resources })
  }
