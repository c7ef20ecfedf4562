/**
 * One connection to each etcd server. Calls rotate among the reachable servers. If a read fails in transit or is not answered in time,
 * it is sent to the next server. A write is not, because it may have happened. gRPC reconnects by itself, with backoff.
 */
import { readFile } from 'node:fs/promises'
import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
  status
} from '@grpc/grpc-js'
import type { Connect } from '../../transport/egress/egress-selector.js'
import { openRelay, type Relay } from '../../transport/egress/relay.js'
import type { Logger } from '../../util/logger.js'
import { traced } from '../../util/trace.js'
import { fileError, UserError } from '../../util/user-error.js'
import { type Caller, StoreUnavailableError } from '../contract.js'
import { goStatusName } from '../go-status.js'
import { encodeRange } from './messages.js'
import { Trust } from './trust.js'

export interface EtcdClientOptions {
  /** `https://host:2379` or `http://…`. A server without a scheme gets https when there are certificates. */
  readonly servers: readonly string[]
  /** PEM files. */
  readonly caFile?: string | undefined
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
  /** Opens the connections, where they are not direct. */
  readonly egress?: Connect | undefined
  readonly log?: Logger | undefined
}

/** etcd's answer to a request that failed. The message is the one that kube-apiserver would pass on. */
export class EtcdError extends StoreUnavailableError {
  readonly code: number
  constructor(error: ServiceError) {
    const { code, details } = error
    super(details.startsWith('etcdserver: ') ? details : `rpc error: code = ${goStatusName(code)} desc = ${details}`, {
      cause: error
    })
    this.code = code
  }
}

export interface CallLimits {
  readonly timeoutMs?: number | undefined
  /** How long one server may take for a repeatable request before the next one is asked; twice as long after each attempt. */
  readonly attemptMs?: number | undefined
  /** The request that waits for the answer. */
  readonly caller?: Caller | undefined
}

/** How long a call waits for a reachable server. */
const connectMs = 3000
const probe = encodeRange({ key: Buffer.from('compact_rev_key'), countOnly: true })
/** How long a read waits for an answer, from all servers that it asks one after the other. */
const readMs = 30_000
/**
 * How long a write waits for the answer of the server that it has reached. etcd itself gives a write up after 7 s, so a server that
 * says nothing for longer has stalled or is cut off. Later writes of the same object wait for this one.
 */
const writeMs = 10_000
const attemptMs = 10_000
/** How long a server may take to accept a watch. */
export const watchMs = 2000
const retryMs = 50

const channelOptions = {
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 5000,
  // keeps two stores in one process (as in tests) independent of each other
  'grpc.use_local_subchannel_pool': 1
}

export interface EtcdStream<T> {
  readonly stream: ClientDuplexStream<Buffer, T>
  /** Says that the server behind this stream does not do its work. */
  doubt(reason: string): void
}

export class EtcdClient {
  readonly #clients: readonly Client[]
  readonly #relays: readonly Relay[]
  readonly #trust: Trust<Client>
  #next: number
  #closed = false

  private constructor(clients: readonly Client[], relays: readonly Relay[], log: Logger | undefined) {
    this.#clients = clients
    this.#relays = relays
    this.#trust = new Trust(clients.length, ask, log)
    this.#next = Math.floor(Math.random() * clients.length)
  }

  /** Reads the certificates. Connects on first use. */
  static async create(options: EtcdClientOptions): Promise<EtcdClient> {
    const tls = await tlsCredentials(options)
    const hasFiles = options.caFile !== undefined || options.certFile !== undefined
    const relays: Relay[] = []
    const clients = options.servers.map(async server => {
      const { secure, target } = address(server, hasFiles)
      const security = secure ? tls : credentials.createInsecure()
      if (!options.egress || target.startsWith('unix:')) return new Client(target, security, channelOptions)
      const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(target)!
      const relay = await openRelay(options.egress, host!, Number(port))
      relays.push(relay)
      // the name in the certificate is that of the server
      const names = { 'grpc.ssl_target_name_override': host!, 'grpc.default_authority': target }
      return new Client(`unix:${relay.path}`, security, { ...channelOptions, ...names })
    })
    return new EtcdClient(await Promise.all(clients), relays, options.log)
  }

  /**
   * Sends one request. A `repeatable` request changes nothing, so it is sent again when its outcome is unknown. Rejects with
   * EtcdError, or with the reason of the caller's signal.
   */
  async call<T>(
    method: string,
    request: Buffer,
    decode: (bytes: Buffer) => T,
    repeatable: boolean,
    { timeoutMs = repeatable ? readMs : writeMs, attemptMs: firstAttemptMs = attemptMs, caller }: CallLimits = {}
  ): Promise<T> {
    const began = Date.now()
    const giveUp = began + Math.min(connectMs, timeoutMs)
    for (let patience = repeatable ? firstAttemptMs : timeoutMs; ; patience *= 2) {
      const client = await this.#reachable(Math.max(giveUp, Date.now() + 1))
      const left = began + timeoutMs - Date.now()
      try {
        caller?.signal?.throwIfAborted()
        const attributes = () => ({
          'rpc.system': 'grpc',
          'rpc.service': 'etcdserverpb.KV',
          'rpc.method': method.slice(method.lastIndexOf('/') + 1)
        })
        return await traced(method.slice(1), 'client', attributes, span =>
          unary(client, method, request, decode, { timeoutMs: Math.min(patience, left), caller }, span?.headers())
        )
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error
        const late = error.code === status.DEADLINE_EXCEEDED
        if (late || isHelpless(error)) this.#trust.doubt(client, error.message)
        const again = late ? patience < left : error.code === status.UNAVAILABLE && Date.now() + retryMs < giveUp
        if (!repeatable || !again) throw error
        if (!late) await new Promise(resolve => setTimeout(resolve, retryMs))
      }
    }
  }

  /**
   * Sends one request, and gives each message of the answer to `onMessage`. No message may take longer than a read. Rejects with EtcdError, or with the
   * reason of the caller's signal.
   */
  async read<T>(
    method: string,
    request: Buffer,
    decode: (bytes: Buffer) => T,
    onMessage: (message: T) => void,
    caller?: Caller
  ): Promise<void> {
    const client = await this.#reachable(Date.now() + connectMs)
    caller?.signal?.throwIfAborted()
    const call = client.makeServerStreamRequest(method, (bytes: Buffer) => bytes, decode, request, new Metadata())
    const cancel = () => call.cancel()
    caller?.signal?.addEventListener('abort', cancel)
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      call.cancel()
    }, readMs)
    try {
      for await (const message of call) {
        late.refresh()
        onMessage(message)
      }
    } catch (error) {
      caller?.signal?.throwIfAborted()
      if ((error as Partial<ServiceError>).details === undefined) throw error
      const failure = new EtcdError(error as ServiceError)
      if (isLate || isHelpless(failure)) this.#trust.doubt(client, failure.message)
      throw failure
    } finally {
      clearTimeout(late)
      caller?.signal?.removeEventListener('abort', cancel)
      call.cancel()
    }
  }

  /** Opens the stream that carries watches, to a server that has a leader. */
  async watchStream<T>(decode: (bytes: Buffer) => T): Promise<EtcdStream<T>> {
    const client = await this.#reachable(Date.now() + connectMs)
    const metadata = new Metadata()
    metadata.set('hasleader', 'true')
    const stream = client.makeBidiStreamRequest('/etcdserverpb.Watch/Watch', (bytes: Buffer) => bytes, decode, metadata)
    const doubt = (reason: string) => this.#trust.doubt(client, reason)
    stream.on('error', (error: ServiceError) => {
      if (error.code !== undefined && error.details !== undefined && isHelpless(new EtcdError(error))) doubt(error.details)
    })
    return { stream, doubt }
  }

  /** Returns the next connected client in turn, trusted ones first, or the first one that connects. */
  async #reachable(giveUp: number): Promise<Client> {
    this.#assertOpen()
    const turn = this.#next++
    const inTurn = this.#clients.map((_, i) => this.#clients[(turn + i) % this.#clients.length]!)
    const ready = inTurn.filter(client => client.getChannel().getConnectivityState(true) === connectivityReady)
    const trusted = ready.find(client => this.#trust.has(client)) ?? ready[0]
    if (trusted) return trusted
    try {
      return await Promise.any(inTurn.map(client => waitForReady(client, giveUp)))
    } catch {
      this.#assertOpen()
      throw new EtcdError(
        Object.assign(new Error(), {
          code: status.UNAVAILABLE,
          details: `no etcd server can be reached: ${this.targets.join(', ')}`,
          metadata: new Metadata()
        })
      )
    }
  }

  get targets(): string[] {
    return this.#clients.map(targetOf)
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnavailableError('the store is closed')
  }

  close(): void {
    this.#closed = true
    this.#trust.close()
    for (const client of this.#clients) client.close()
    for (const relay of this.#relays) void relay.close()
  }
}

const targetOf = (client: Client): string => client.getChannel().getTarget().replace(/^dns:/, '')

/** Whether a server answers that it cannot do its work, because it has no leader or no majority. */
const isHelpless = ({ code, message }: EtcdError) => code === status.UNAVAILABLE && message.startsWith('etcdserver: ')

/** Asks for something that only a server in touch with the majority can answer. */
const ask = {
  nameOf: targetOf,
  async works(client: Client, timeoutMs: number): Promise<void> {
    try {
      await unary(client, '/etcdserverpb.KV/Range', probe, () => {}, { timeoutMs, caller: undefined })
    } catch (error) {
      const { code } = error as EtcdError
      if (code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED) throw error
    }
  }
}

/** grpc-js exports this enumeration only under an experimental name. */
const connectivityReady = 2

const waitForReady = (client: Client, deadline: number): Promise<Client> =>
  new Promise((resolve, reject) => client.waitForReady(deadline, error => (error ? reject(error) : resolve(client))))

const unary = <T>(
  client: Client,
  method: string,
  request: Buffer,
  decode: (bytes: Buffer) => T,
  { timeoutMs, caller }: { timeoutMs: number; caller: Caller | undefined },
  headers: Readonly<Record<string, string>> = {}
): Promise<T> =>
  new Promise((resolve, reject) => {
    const metadata = new Metadata()
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
    const signal = caller?.signal
    const cancel = () => call.cancel()
    const call = client.makeUnaryRequest<Buffer, T>(
      method,
      bytes => bytes,
      decode,
      request,
      metadata,
      { deadline: Date.now() + timeoutMs },
      (error, response) => {
        signal?.removeEventListener('abort', cancel)
        if (!error) resolve(response!)
        else reject(signal?.aborted ? signal.reason : new EtcdError(error))
      }
    )
    signal?.addEventListener('abort', cancel)
  })

export function address(server: string, secureByDefault: boolean): { secure: boolean; target: string } {
  const [, scheme, rest = ''] = /^(?:(https?|unixs?):\/\/)?(.*?)\/?$/.exec(server) ?? []
  if (rest === '' || rest.includes('://'))
    throw new UserError(`--etcd-servers ${server}: must be a URL such as https://127.0.0.1:2379`)
  const secure = scheme === 'https' || scheme === 'unixs' || (scheme === undefined && secureByDefault)
  return { secure, target: scheme?.startsWith('unix') ? `unix:${rest}` : /:\d+$/.test(rest) ? rest : `${rest}:2379` }
}

export async function tlsCredentials({
  caFile,
  certFile,
  keyFile
}: Pick<EtcdClientOptions, 'caFile' | 'certFile' | 'keyFile'>): Promise<ChannelCredentials> {
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UserError('--etcd-certfile and --etcd-keyfile must be given together')
  const read = async (flag: string, path: string | undefined): Promise<Buffer | null> => {
    if (path === undefined) return null
    return readFile(path).catch(error => {
      throw fileError(`--${flag} ${path}`, error)
    })
  }
  const [ca, cert, key] = await Promise.all([
    read('etcd-cafile', caFile),
    read('etcd-certfile', certFile),
    read('etcd-keyfile', keyFile)
  ])
  try {
    return credentials.createSsl(ca, key, cert)
  } catch (error) {
    throw new UserError(`the certificates for etcd cannot be used: ${(error as Error).message}`, { cause: error })
  }
}
