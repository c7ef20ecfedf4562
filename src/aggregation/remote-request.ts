/** Requests of this server itself to the servers of APIServices, with the user that it names in headers. */
import https from 'node:https'
import { addUser, type ProxiedHeaders } from '../proxy/forwarded-headers.js'
import type { UserInfo } from '../request/user.js'
import { hostAndPort } from '../util/url-parts.js'
import { asGoError, deadlineExceeded } from '../webhooks/go-errors.js'
import type { RemoteServer } from './api-service-table.js'
import type { RemoteConnections } from './remote-connections.js'

export interface RemoteRequest {
  readonly server: RemoteServer
  readonly user: UserInfo
  readonly method?: string
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  /** Bytes that the answer may have. */
  readonly maxBytes: number
}

export interface RemoteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** The URL that was asked, with the address. */
  readonly url: string
}

export class RemoteRequestError extends Error {
  readonly url: string
  constructor(url: string, message: string) {
    super(message)
    this.url = url
  }
}

export const aggregatorUser: UserInfo = { name: 'system:kube-aggregator', groups: ['system:masters'] }

/** Rejects with a RemoteRequestError, whose message is Go's; throws what the resolver throws. */
export function askRemote(connections: RemoteConnections, request: RemoteRequest): Promise<RemoteAnswer> {
  const { server, user, method = 'GET', path, body, timeoutMs, maxBytes } = request
  const { host, port, agent } = connections.reach(server)
  const authority = hostAndPort(host, port)
  const url = `https://${authority}${path}`
  const headers: ProxiedHeaders = { ...request.headers, host: authority, 'user-agent': 'kube-apiserver' }
  addUser(headers, user)
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      clearTimeout(timer)
      reject(new RemoteRequestError(url, asGoError(error)))
    }
    const sent = https.request({ host, port, agent, method, path, headers })
    const late = `${deadlineExceeded} (Client.Timeout exceeded while awaiting headers)`
    const timer = setTimeout(() => sent.destroy(new Error(late)), timeoutMs)
    sent.on('error', fail)
    sent.once('response', answer => {
      const chunks: Buffer[] = []
      let size = 0
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) sent.destroy(new Error(`the answer has more than ${maxBytes} bytes`))
        else chunks.push(chunk)
      })
      answer.on('error', fail)
      answer.once('end', () => {
        clearTimeout(timer)
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks, size), url })
      })
    })
    sent.end(body)
  })
}
