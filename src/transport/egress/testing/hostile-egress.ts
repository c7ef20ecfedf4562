/** Proxies for egress, of HTTP CONNECT and of konnectivity, that answer with hostile bytes, and what becomes of connections through them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { Server, ServerCredentials, type ServerDuplexStream, status } from '@grpc/grpc-js'
import { broken, type Field, message } from '../../../testkit/hostile-protobuf.js'
import { HostileValues } from '../../../testkit/hostile-values.js'
import { turns } from '../../../testkit/other-end.js'
import { pick, type Random } from '../../../testkit/random.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { Reader, wireVarint } from '../../../util/protobuf/reader.js'
import { loadOrCreatePki } from '../../certificates/pki.js'
import { EgressError } from '../egress-error.js'
import { type Connect, type Connection, openEgressSelector } from '../egress-selector.js'

export const egressKinds = ['uds', 'tls', 'grpc'] as const
export type EgressKind = (typeof egressKinds)[number]

/** What a proxy does with a request to connect. */
interface Script {
  /** Pieces of HTTP, or packets of konnectivity. */
  readonly pieces: readonly Buffer[]
  readonly end: 'ends' | 'breaks' | 'stalls'
  /** What must become of the connection, by a reading of its own. */
  readonly outcome: 'connects' | 'fails' | 'any'
  /** Of a connection: what can be read from it, at most. */
  readonly data: Buffer
}

/** What the proxy was asked, and whether the connection to it is open. */
interface Proxy {
  script: Script | undefined
  readonly asked: Buffer[]
  readonly open: Set<{ destroy(): unknown }>
}

const statuses = [
  '200 OK',
  '200',
  '200 ',
  '200 OK',
  '200 OK',
  '407 Proxy Authentication Required',
  '503 x',
  '101 x',
  '201 x',
  '302 x'
]
const lines = [
  ...[
    'Content-Length: 5',
    'Content-Length: 0',
    'Transfer-Encoding: chunked',
    'Connection: close',
    'Location: http://x/',
    'X A: b'
  ],
  ...['Proxy-Authenticate: Basic', 'X-A: \xe4', ' folded', 'X-A: \0', `X-Long: ${'x'.repeat(30_000)}`, 'Set-Cookie: a=b']
]
const some = (next: Random, most: number) => Array.from({ length: next(most + 1) }, () => pick(next, lines))

/** Cuts bytes into pieces, of which some are single bytes. */
function inPieces(next: Random, bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = pieces.length > 30 ? bytes.length : pick(next, [1, 2, 1 + next(40), bytes.length])
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

function httpScript(next: Random): Script {
  const version = next(12) === 0 ? pick(next, ['HTTP/2.0', 'HTTP/1.2', 'ICY', '', 'http/1.1', 'HTTP/1.0']) : 'HTTP/1.1'
  const first = `${version} ${next(12) === 0 ? pick(next, ['', 'x', '20', '2000', '-200', '\xb2\xb2\xb2']) : pick(next, statuses)}`
  let text = [first, ...some(next, 3), '', ''].join(next(12) === 0 ? '\n' : '\r\n')
  if (next(4) === 0) text += pick(next, ['hello', '\r\n', text, '\0', 'x'.repeat(100_000)])
  if (next(20) === 0) text = `${first}\r\nX-A: ${'x'.repeat(1_100_000)}`
  if (next(6) === 0) text = text.slice(0, next(text.length))
  const bytes = Buffer.from(text, 'latin1')
  const end = bytes.indexOf('\r\n\r\n')
  const isGood = end > 0 && /^HTTP\/1\.[01] 200(?: [^\r]*)?$/.test(text.slice(0, text.indexOf('\r\n')))
  const data = bytes.subarray(end + 4)
  return {
    pieces: inPieces(next, bytes),
    end: pick(next, ['ends', 'breaks', 'stalls', 'stalls']),
    outcome: !isGood ? 'fails' : data.length > 0 ? 'any' : 'connects',
    data: isGood ? data : Buffer.alloc(0)
  }
}

const ours = 7
/** Packets of a proxy that was asked to dial with a number. */
function grpcScript({ next, text }: { readonly next: Random; readonly text: () => string }, dial: number | bigint): Script {
  const numbers = [ours, ours, ours, 0, 8, -1, 2 ** 40]
  const packets: Record<string, () => readonly [number, number, readonly Field[]]> = {
    response: () => [1, 3, [...(next(4) === 0 ? [[1, text()] as Field] : []), [2, ours], [3, next(4) === 0 ? next(9) : dial]]],
    data: () => [
      4,
      4,
      [
        [1, pick(next, numbers)],
        [3, Buffer.alloc(pick(next, [0, 1, 100, 70_000]), 1 + next(250))]
      ]
    ],
    close: () => [
      3,
      6,
      [
        [1, text()],
        [2, pick(next, numbers)]
      ]
    ],
    'dial close': () => [5, 7, [[1, next(4) === 0 ? next(9) : dial]]],
    request: () => [
      pick(next, [0, 2]),
      2,
      [
        [1, 'tcp'],
        [2, 'x:1'],
        [3, dial]
      ]
    ],
    unknown: () => [next(100), 1 + next(20), [[1, text()]]]
  }
  const pieces: Buffer[] = []
  const data: Buffer[] = []
  let outcome: Script['outcome'] | undefined
  for (let i = 0; i < 1 + next(6); i++) {
    const name = i === 0 && next(3) > 0 ? 'response' : pick(next, Object.keys(packets))
    const [type, number, fields] = packets[name]!()
    const whole = message([
      [1, type],
      [number, fields]
    ])
    const sent = next(4) === 0 ? broken(next, whole) : whole
    pieces.push(sent)
    // what a broken packet means, nobody else says; data that it may have carried is none that was meant
    if (sent !== whole || name === 'unknown') outcome ??= 'any'
    const [, value] = fields.find(([tag]) => tag === (name === 'response' ? 3 : 1)) ?? []
    if (name === 'response' && value === dial)
      outcome ??= fields.some(([tag, error]) => tag === 1 && error !== '') ? 'fails' : 'connects'
    if (name === 'dial close') outcome ??= 'fails'
    // what comes before the connection has its number is nobody's
    if (name === 'data' && value === ours && outcome === 'connects') data.push(fields[1]![1] as Buffer)
  }
  return {
    pieces,
    end: pick(next, ['ends', 'breaks', 'stalls', 'stalls']),
    outcome: outcome ?? 'fails',
    data: Buffer.concat(data)
  }
}

const aborted = new Error('the test gave it up')
/** Milliseconds for what must happen. */
const patience = 3000
const sleep = (ms: number) => new Promise<undefined>(resolve => void setTimeout(() => resolve(undefined), ms))

export class HostileEgress {
  readonly #kind: EgressKind
  readonly #folder = mkdtempSync(join(tmpdir(), 'binnacle-hostile-egress-'))
  /** What the seed of now asks; connections of an earlier one keep theirs. */
  #proxy: Proxy = { script: undefined, asked: [], open: new Set() }
  #connect: Connect | undefined
  #stop: () => void = () => {}
  #values = new HostileValues(0)

  private constructor(kind: EgressKind) {
    this.#kind = kind
  }

  static async start(kind: EgressKind): Promise<HostileEgress> {
    const egress = new HostileEgress(kind)
    const connection = await (kind === 'grpc' ? egress.#startGrpc() : egress.#startHttp())
    const file = join(egress.#folder, 'egress.json')
    const apiVersion = 'apiserver.k8s.io/v1beta1'
    const egressSelections = [{ name: 'cluster', connection }]
    writeFileSync(file, JSON.stringify({ apiVersion, kind: 'EgressSelectorConfiguration', egressSelections }))
    egress.#connect = openEgressSelector(file, new Metrics()).cluster
    return egress
  }

  async #startHttp(): Promise<object> {
    const { serving, admin } = await loadOrCreatePki({ servingNames: ['127.0.0.1'], now: Date.now() })
    const accept = (socket: net.Socket) => {
      const [proxy, values] = [this.#proxy, this.#values]
      proxy.open.add(socket)
      socket.once('close', () => proxy.open.delete(socket)).on('error', () => socket.destroy())
      socket.on('data', async (bytes: Buffer) => {
        const isFirst = proxy.asked.length === 0
        proxy.asked.push(bytes)
        if (!isFirst) return
        const { pieces, end } = (proxy.script = httpScript(values.next))
        for (const piece of pieces) {
          socket.write(piece)
          if (values.next(3) === 0) await turns(1)
        }
        if (end === 'ends') socket.end()
        else if (end === 'breaks') socket.write('', () => socket.destroy())
      })
    }
    const path = join(this.#folder, 'http.sock')
    const isLocal = this.#kind === 'uds'
    const server = isLocal ? net.createServer(accept) : tls.createServer({ cert: serving.certificate, key: serving.key }, accept)
    await new Promise<void>(
      resolve => void (isLocal ? server.listen(path, () => resolve()) : server.listen(0, '127.0.0.1', () => resolve()))
    )
    this.#stop = () => server.close()
    if (isLocal) return { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: path } } }
    const write = (name: string, text: string) => {
      writeFileSync(join(this.#folder, name), text)
      return join(this.#folder, name)
    }
    const tlsConfig = {
      caBundle: write('ca.crt', serving.trust),
      clientCert: write('client.crt', admin.certificate),
      clientKey: write('client.key', admin.key)
    }
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { proxyProtocol: 'HTTPConnect', transport: { tcp: { url, tlsConfig } } }
  }

  async #startGrpc(): Promise<object> {
    const server = new Server()
    const bytes = (b: Buffer) => b
    const codecs = { requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes }
    const method = { path: '/ProxyService/Proxy', requestStream: true, responseStream: true, ...codecs }
    const serve = (stream: ServerDuplexStream<Buffer, Buffer>) => {
      const [proxy, values] = [this.#proxy, this.#values]
      proxy.open.add(stream)
      const closed = () => proxy.open.delete(stream)
      stream.once('close', closed).once('cancelled', closed).on('error', closed)
      stream.once('end', () => {
        closed()
        stream.end()
      })
      stream.on('data', (packet: Buffer) => {
        const isFirst = proxy.asked.length === 0
        proxy.asked.push(Buffer.from(packet))
        if (!isFirst) return
        const script = grpcScript({ next: values.next, text: () => values.wellFormed() }, dialOf(packet).dial)
        proxy.script = script
        for (const piece of script.pieces) stream.write(piece)
        if (script.end === 'ends') stream.end()
        else if (script.end === 'breaks') stream.emit('error', { code: status.UNAVAILABLE, details: values.wellFormed() })
      })
    }
    server.addService({ proxy: method } as never, { proxy: serve })
    const path = join(this.#folder, 'grpc.sock')
    await new Promise<void>((resolve, reject) =>
      server.bindAsync(`unix:${path}`, ServerCredentials.createInsecure(), error => (error ? reject(error) : resolve()))
    )
    this.#stop = () => server.forceShutdown()
    return { proxyProtocol: 'GRPC', transport: { uds: { udsName: path } } }
  }

  /** Returns what is wrong with a connection of a seed; undefined when nothing is. */
  async problem(seed: number): Promise<string | undefined> {
    const proxy: Proxy = (this.#proxy = { script: undefined, asked: [], open: new Set() })
    const { next } = (this.#values = new HostileValues(seed))
    const host = pick(next, [
      '10.0.0.1',
      'fd00::1',
      'node-1.example.com',
      'node_1.',
      this.#values.text(),
      `a${this.#values.text()}`
    ])
    const problem = (what: unknown) =>
      `egress by ${this.#kind}, seed ${seed}, host ${JSON.stringify(host)}: ${what instanceof Error ? what.stack : what}\n${JSON.stringify(proxy.script?.pieces.map(piece => piece.toString('latin1').slice(0, 100)))} ${proxy.script?.end}`
    const controller = new AbortController()
    const asked = this.#connect!(host, 1 + next(65_535), controller.signal).catch((error: Error) => error)
    const outcome = await this.#decided(asked, controller)
    const script = proxy.script as Script | undefined
    if (outcome instanceof Error) {
      if (outcome !== aborted && !(outcome instanceof EgressError)) return problem(outcome)
      if (!script) return proxy.asked.length > 0 || !/no such host/.test(outcome.message) ? problem(outcome) : undefined
      if (outcome === aborted && script.end !== 'stalls') return problem('nothing became of it')
      if (script.outcome === 'connects' && script.end === 'stalls') return problem(`failed: ${outcome.message}`)
    } else {
      const wrong = await this.#wrongConnection(outcome, script!)
      if (wrong) return problem(wrong)
    }
    const malformed = this.#malformed(host)
    if (malformed) return problem(malformed)
    for (let turn = 0; proxy.open.size > 0; turn++) {
      if (turn > 200) return problem('a connection stays open')
      await sleep(turn < 50 ? 0 : 10)
    }
    return undefined
  }

  /** Gives up what a proxy that stalls leaves undecided. */
  async #decided(asked: Promise<Connection | Error>, controller: AbortController): Promise<Connection | Error> {
    for (let turn = 0; ; turn++) {
      const found = await Promise.race([asked, sleep(1)])
      if (found) return found
      const { script } = this.#proxy
      const mayStall = script?.end === 'stalls' && script.outcome !== 'connects'
      if (turn > (mayStall ? 30 : patience)) controller.abort(aborted)
    }
  }

  async #wrongConnection(connection: Connection, { outcome, end, data }: Script): Promise<string | undefined> {
    if (outcome === 'fails') return 'it connected'
    const sent = 'hello'
    const read: Buffer[] = []
    connection.on('data', piece => read.push(piece as Buffer)).on('error', () => {})
    if (!connection.destroyed) connection.write(sent)
    const isGrpc = this.#kind === 'grpc'
    const received = () => Buffer.concat(this.#proxy.asked.slice(1)).toString()
    const isComplete = () => Buffer.concat(read).length >= data.length && received().length >= sent.length
    for (let turn = 0; turn < (isGrpc ? 20 : patience) && end === 'stalls' && !isComplete(); turn++) await sleep(1)
    const found = Buffer.concat(read)
    connection.destroy()
    // a packet that is broken, or one that closes the connection, may have ended it before
    if (isGrpc)
      return data.subarray(0, found.length).equals(found) || outcome === 'any'
        ? undefined
        : `read ${found.length} bytes of ${data.length}`
    if (end !== 'stalls') return undefined
    return data.equals(found) && received() === sent ? undefined : `read ${found.length} bytes, and sent ${received()}`
  }

  /** What a strict reader refuses of what the proxy was asked. */
  #malformed(host: string): string | undefined {
    const [first] = this.#proxy.asked
    if (!first) return undefined
    if (!/^[\w.:-]+$/.test(host)) return 'the proxy was asked for what is no host'
    const target = host.includes(':') ? `[${host}]` : host
    if (this.#kind === 'grpc') {
      const { address } = dialOf(first)
      return address.startsWith(`${target}:`) && /^\d+$/.test(address.slice(target.length + 1))
        ? undefined
        : `asked for ${address}`
    }
    const [line, ...rest] = first.toString('latin1').split('\r\n')
    const isRight = line!.startsWith(`CONNECT ${target}:`) && /^\d+ HTTP\/1\.1$/.test(line!.slice(`CONNECT ${target}:`.length))
    return isRight && rest.join('|') === 'Host: 127.0.0.1||' ? undefined : `asked ${JSON.stringify(first.toString('latin1'))}`
  }

  close(): void {
    for (const open of this.#proxy.open) open.destroy()
    this.#stop()
    rmSync(this.#folder, { recursive: true })
  }
}

/** The address and the number of a request to dial. */
function dialOf(packet: Buffer): { readonly address: string; readonly dial: number | bigint } {
  const reader = new Reader(packet)
  let address = ''
  let dial: number | bigint = 0
  const readContent = () => {
    while (!reader.done) {
      const tag = reader.tag('DialRequest')
      if (reader.wire === wireVarint) dial = reader.exactInt64()
      else if (tag === 2) address = reader.bytes().toString()
      else reader.skip()
    }
  }
  while (!reader.done)
    if (reader.tag('Packet') === 2) reader.message(readContent)
    else reader.skip()
  return { address, dial }
}
