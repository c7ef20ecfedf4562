/** Requests through a proxy with odd paths, headers and bodies, to a back end that reads strictly and answers with hostile bytes. */
import type { Duplex } from 'node:stream'
import type { Handler } from '../../../apimachinery/request/message.js'
import { parseRequestInfo } from '../../../apimachinery/request/request-info.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import { HostileValues } from '../../../testkit/hostile-values.js'
import { pick, type Random } from '../../../testkit/random.js'
import { startWireServer, type WireServer } from '../../../testkit/wire-server.js'
import { loadOrCreatePki } from '../../../transport/certificates/pki.js'
import { dialer } from '../../../transport/proxy/dial.js'
import { queryOf } from '../../../transport/proxy/pass-on.js'
import { DialingAgent } from '../../../transport/proxy/upstream.js'
import { passOnForUser } from '../../aggregation/pass-on-for-user.js'
import { createHandler } from '../../chain/handler.js'
import { inject } from '../../chain/inject.js'
import { proxiedPath } from '../paths.js'
import { proxyTo } from '../proxy.js'

const secret = 'the-secret-of-the-client'
const pieces = [
  ...['/', '//', '/./', '/../', 'a', '%2e%2e', '%2F', '%0d%0a', '%00', '%25', '%20', '%e4', '%C3%A4', ';', ':', '@', '*', '~'],
  ...['%0d%0aX-Remote-User:%20admin', '%', '%zz', '%ud800', '\xe4', '"', '<', '\\', '|', '^', '`', '{', '[']
]
const names = [
  ...['connection', 'upgrade-insecure-requests', 'transfer-encoding', 'content-length', 'te', 'trailer', 'keep-alive', 'host'],
  ...['proxy-connection', 'expect', 'x-forwarded-for', 'x_a', 'x-a', '__proto__', 'sec-websocket-protocol', 'user-agent']
]
const values = [
  '',
  'x',
  'close',
  'host, content-length',
  'chunked',
  'identity',
  '5',
  '0',
  'trailers',
  '100-continue',
  'a\tb',
  '\xe4',
  '"'
]
const statuses = ['200 OK', '204 No Content', '304 Not Modified', '206 x', '301 x', '401 x', '404 Not Found', '500 x', '599 x']
const lines = [
  ...[
    'Content-Length: 5',
    'Content-Length: 5',
    'Content-Length: 500',
    'Content-Length: -1',
    'Content-Length: 5, 5',
    'Content-Length: x'
  ],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked, chunked', 'Connection: close'],
  ...[
    'Connection: content-length',
    'Content-Type: text/html',
    'Content-Encoding: gzip',
    'Location: /a\tb',
    'Location: http://[',
    'X-A: \xe4'
  ],
  ...[
    'X-A: a\rX-B: b',
    'X-A: a\nX-B: b',
    'X-A: \0',
    'X A: b',
    ': x',
    'X-A',
    ' folded',
    '__proto__: x',
    'Set-Cookie: a=b',
    'Upgrade: h2c'
  ],
  ...['Trailer: x', 'Access-Control-Allow-Origin: *', `X-Long: ${'x'.repeat(20_000)}`]
]
const bodies = [
  ...[
    '',
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    '5;a=b\r\nhello\r\n0\r\nX-T: a\r\n\r\n',
    '5\nhello\n0\n\n',
    '-1\r\n',
    'fffffffffffffffff\r\nx'
  ],
  ...[
    '<a href="/x">',
    'helloHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    '\x1f\x8b\x08\0',
    `5;${'a'.repeat(30_000)}\r\nhello\r\n0\r\n\r\n`
  ]
]
const some = (next: Random, all: readonly string[], most: number) => Array.from({ length: next(most + 1) }, () => pick(next, all))

function hostileAnswer(next: Random): string {
  const version = next(15) === 0 ? pick(next, ['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'ICY', '', 'HTTP/1.1 ']) : 'HTTP/1.1'
  const status =
    next(12) === 0 ? pick(next, ['99 x', '1000 x', '-1 x', '20', 'x', '', '101 x', '199 x', '600 x']) : pick(next, statuses)
  const information = next(5) === 0 ? pick(next, ['100 Continue', '103 x', '102 x']) : undefined
  const head = (first: string, more: readonly string[]) => [`HTTP/1.1 ${first}`, ...more, '', ''].join('\r\n')
  const early = information ? head(information, some(next, lines.slice(-3), 2)).repeat(1 + next(50)) : ''
  const answer = head(status, some(next, lines, 4)).replace('HTTP/1.1', version) + pick(next, bodies)
  return early + (next(8) === 0 ? answer.slice(0, next(answer.length)) : answer)
}

/**
 * Who is behind the proxy: a Pod or Service by HTTP; a node by TLS; an extension server or peer, which believes the headers that name the user; or a
 * Pod that is asked for another protocol.
 */
export type BackEnd = 'pod' | 'node' | 'server' | 'upgrade'
export const backEnds: readonly BackEnd[] = ['pod', 'node', 'server', 'upgrade']

const user = { name: 'alice', groups: ['a', 'b'] }
const protocols = ['websocket', 'SPDY/3.1', 'h2c', 'x', 'websocket, x', 'WebSocket', '', 'a\tb', '\xe4', '__proto__', 'chunked']

export class HostileProxy {
  readonly #backEnd: BackEnd
  readonly #wire: WireServer
  /** The authority of a back end with TLS. */
  readonly #ca: string | undefined

  private constructor(backEnd: BackEnd, wire: WireServer, ca: string | undefined) {
    this.#backEnd = backEnd
    this.#wire = wire
    this.#ca = ca
  }

  static async start(backEnd: BackEnd = 'pod'): Promise<HostileProxy> {
    if (backEnd === 'pod' || backEnd === 'upgrade') return new HostileProxy(backEnd, await startWireServer(), undefined)
    const { serving } = await loadOrCreatePki({ directory: undefined, servingNames: ['127.0.0.1'], now: Date.now() })
    const wire = await startWireServer({ cert: serving.certificate, key: serving.key })
    return new HostileProxy(backEnd, wire, serving.trust)
  }

  /** Returns what is wrong with the request and the answer of a seed; undefined when nothing is. */
  async problem(seed: number): Promise<string | undefined> {
    const wire = this.#wire
    const { next } = new HostileValues(seed)
    wire.requests.length = wire.malformed.length = 0
    const upgrade = this.#backEnd === 'upgrade' ? pick(next, protocols) : undefined
    const answer =
      upgrade !== undefined && next(2) === 0
        ? `HTTP/1.1 101 x\r\nConnection: ${pick(next, ['Upgrade', 'close', ''])}\r\nUpgrade: ${pick(next, [upgrade, 'x', '', 'a\rb'])}\r\n\r\nearly`
        : hostileAnswer(next)
    const isCut = next(2) === 0
    wire.answer = (_, socket: Duplex) => {
      socket.write(Buffer.from(answer, 'latin1'), () => (isCut ? socket.destroy() : socket.end()))
    }
    const sent = next(3) === 0 ? undefined : pick(next, ['', 'x', '{"a":1}', 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'])
    const method = pick(next, ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    // bytes beyond ASCII are passed on in queries, as in kube-apiserver
    const query = some(next, pieces, 3).join('').replaceAll('\xe4', '')
    const url = `/api/v1/namespaces/default/pods/web/proxy/${some(next, pieces, 6).join('')}?${query}`
    const headers: Record<string, string> = Object.create(null)
    for (const name of some(next, names, 5)) headers[name] = pick(next, values)
    for (const name of ['authorization', 'x-remote-user', 'x-remote-group', 'impersonate-user', 'x-remote-extra-a'])
      if (next(2)) headers[name] = secret
    const problem = (what: string) =>
      `proxy to a ${this.#backEnd}, seed ${seed}: ${what}\n${JSON.stringify({ method, url, headers, upgrade, sent, answer: answer.slice(0, 500) })}`
    const request = { method, url, headers, ...(sent !== undefined && { body: sent }) }
    const outcome = await this.#ask(request, upgrade).catch((error: Error) => error)
    if (outcome === 'late') return problem('no answer')
    if (outcome instanceof StatusError) {
      if (outcome.code < 400 || outcome.code > 599) return problem(`refused with ${outcome.code}`)
    } else if (outcome instanceof Error) {
      if (!/before it was complete/.test(outcome.message)) return problem(`failed with ${outcome.stack}`)
    } else if (outcome.status === 101 && upgrade !== undefined) {
      if (!answer.startsWith('HTTP/1.1 101')) return problem('switched the protocol by itself')
    } else if (!(outcome.status >= 200 && outcome.status <= 999)) return problem(`answered with ${outcome.status}`)
    else
      for (const [name, value] of Object.entries(outcome.headers))
        if (!/^[\w-]+$/.test(name) || /[\r\n\0]/.test(String(value))) return problem(`answered with the header ${name}: ${value}`)
    if (wire.malformed.length > 0) return problem(`sent ${wire.malformed}`)
    if (wire.requests.length > 1) return problem(`sent ${wire.requests.length} requests`)
    for (const { headers, body, method: asked } of wire.requests) {
      if (asked !== method) return problem(`asked for ${asked}`)
      if (body.toString() !== (upgrade === undefined ? (sent ?? '') : '')) return problem(`sent the body ${body}`)
      if (this.#backEnd === 'server' && `${headers.get('x-remote-user')} ${headers.get('x-remote-group')}` !== 'alice a,b')
        return problem(`sent the users ${headers.get('x-remote-user')}, ${headers.get('x-remote-group')}`)
      if (JSON.stringify([...headers]).includes(secret)) return problem('sent credentials')
    }
    for (let turn = 0; wire.open > 0; turn++) {
      if (turn > 2000) return problem('a connection stays open')
      await new Promise(resolve => setImmediate(resolve))
    }
    return undefined
  }

  async #ask(request: Parameters<typeof inject>[1], upgrade: string | undefined) {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>(resolve => {
      timer = setTimeout(resolve, 5000, 'late')
    })
    const handler: Handler = message => this.#handler(upgrade === undefined ? message : Object.assign(message, { upgrade }))
    const asked = upgrade === undefined ? request : { ...request, headers: { ...request.headers, upgrade } }
    return Promise.race([inject(handler, asked), late]).finally(() => clearTimeout(timer))
  }

  readonly #handler = createHandler(
    [
      {
        name: 'proxy',
        why: 'what is tested',
        handle: context => {
          context.info = parseRequestInfo(context.request.method, context.path, context.query)
          const target = { scheme: this.#ca === undefined ? 'http' : 'https', host: '127.0.0.1', port: this.#wire.port } as const
          const dial = dialer(() => ({ ca: this.#ca }))
          if (this.#backEnd !== 'server')
            return proxyTo(context, { dial, target, path: proxiedPath(context), query: queryOf(context) })
          context.user = user
          return passOnForUser(context, { dial, agent: this.#agent, target }, {})
        }
      }
    ],
    { now: () => 0, uuid: () => 'id' }
  )

  readonly #agent = new DialingAgent(dialer(() => ({ ca: this.#ca })))

  close(): Promise<void> {
    this.#agent.destroy()
    return this.#wire.close()
  }
}
