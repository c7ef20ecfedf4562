/** A server as a value: it is created from options, started, used, forked and stopped. */

import type { InjectedRequest, InjectedResponse } from '../apimachinery/request/injected.js'
import type { Handler } from '../apimachinery/request/message.js'
import { inject } from '../apiserver/chain/inject.js'
import { inProcess } from '../apiserver/chain/transport.js'
import type { Faults } from '../apiserver/faults/faults.js'
import type { Recorder } from '../apiserver/recorder/recorder.js'
import { TestApi } from '../apiserver/test-api/test-api.js'
import { createClient } from '../client/client.js'
import { type CertificateUser, type ServiceAccountReference, serviceAccountToken, userNamed } from '../client/credentials.js'
import type { ManifestOptions, ManifestSource } from '../client/manifests.js'
import type { ClientOptions, KubeClient, UntypedObject } from '../client/types.js'
import { type Credentials, certificateOf, kubeconfigText } from '../transport/certificates/kubeconfig.js'
import { adminUser } from '../transport/certificates/pki.js'
import { issueUserCertificate } from '../transport/certificates/user-certificate.js'
import { systemClock } from '../util/clock.js'
import { ControllableClock } from '../util/controllable-clock.js'
import { holdingProcess } from '../util/holding-process.js'
import { checkMembers, type Shape, valueTypes } from '../util/members.js'
import { UserError } from '../util/user-error.js'
import type { Edge } from './assembly.js'
import type { BinnacleServer, ForkOptions, HostOptions, Snapshot } from './binnacle-server.js'
import { Gate } from './gate.js'
import { HostedServers, hostedAt } from './hosted.js'
import { Lifecycle } from './lifecycle.js'
import { checkForkOptions, checkOptions } from './options/check-options.js'
import type { ServerOptions } from './options.js'
import { type Origin, sharedKeys } from './origin.js'
import { readSnapshot, saveSnapshot } from './snapshot-file.js'
import { type RunningServer, startServer } from './start.js'

/**
 * Makes a server. It opens, reads and listens to nothing before `start`, and leaves nothing open after `stop`. One process may
 * run any number of servers. Throws a UserError for options that do not exist or are of the wrong type.
 *
 * @example
 * const server = createServer()
 * await server.start()
 * fs.writeFileSync('kubeconfig', server.kubeconfig())
 * await server.stop()
 */
export function createServer(options: ServerOptions = {}): BinnacleServer {
  checkOptions(options)
  return new Server(options, { relatives: {} })
}

/** Which process of a server this is, where the server has several (docs/scaling.md). */
export interface Place extends Pick<Edge, 'crew' | 'primary' | 'consoleFolder'> {
  /** Called before each request: brings the caches up to what other processes have committed. */
  readonly catchUp?: (() => void) | undefined
}

/** Creates one process of a server that has several. */
export function createServerAt(place: Place, options: ServerOptions): BinnacleServer {
  checkOptions(options)
  return new Server(options, { relatives: {}, place })
}

/** What a server takes over from the server that it was forked from, or that hosts it. */
interface Descent {
  /** The same object for a server and all of its forks: their options agree in everything that a snapshot depends on. */
  readonly relatives: object
  readonly origin?: Origin | undefined
  /** The server that passes requests on to this one. */
  readonly host?: Host | undefined
  readonly place?: Place | undefined
}

interface Host {
  /** The URL of the server that is hosted. */
  readonly url: string
  readonly port: number
  /** The clock that the host's test API controls, where the host has a test API. */
  readonly clock: ControllableClock | undefined
  /** Called when the server has stopped. */
  left(): void
}

class Server implements BinnacleServer {
  #options: ServerOptions
  readonly #descent: Descent
  readonly #hosted = new HostedServers()
  readonly #guests = new Map<string, Server>()
  readonly #lifecycle: Lifecycle<RunningServer>
  readonly #testApi: TestApi | undefined
  /** The snapshot with which hosted servers begin when they are given none. */
  #empty: Promise<ServerSnapshot> | undefined
  #handler: Handler | undefined
  #hasBegun = false

  constructor(options: ServerOptions, descent: Descent) {
    this.#options = options
    this.#descent = descent
    this.#lifecycle = new Lifecycle({ start: () => this.#start(), stop: running => this.#stop(running) })
    if (options.testApi) this.#testApi = new TestApi(this, descent.host?.clock ?? new ControllableClock(options.clock))
  }

  get relatives(): object {
    return this.#descent.relatives
  }

  get hosted(): ReadonlyMap<string, Server> {
    return this.#guests
  }

  get handler(): Handler {
    return this.#handler ?? this.#lifecycle.running.handler
  }

  start(): Promise<void> {
    return this.#lifecycle.start()
  }

  stop(): Promise<void> {
    return this.#lifecycle.stop()
  }

  async #start(): Promise<RunningServer> {
    const { origin } = this.#descent
    if (origin && this.#hasBegun) throw new Error('a fork that has been stopped cannot be started again')
    this.#hasBegun = true
    const { snapshot } = this.#options
    if (origin || snapshot === undefined) return this.#run(origin)
    const saved = await readSnapshot(snapshot, this.#options)
    // also for its forks
    this.#options = { ...this.#options, serviceClusterIPRange: this.#options.serviceClusterIPRange ?? saved.serviceRange }
    return this.#run(saved.origin)
  }

  async #run(origin?: Origin, before?: RunningServer): Promise<RunningServer> {
    const testApi = this.#testApi
    const { catchUp, crew, primary, consoleFolder } = this.#descent.place ?? {}
    const around = (handler: Handler) => caughtUp(catchUp, this.#hosted.around(testApi?.around(handler) ?? handler))
    const { listener, faults, recorder, webConsole } = before ?? {}
    const kept = { listener, faults, recorder, consoleSessions: webConsole?.own, consoleFolder }
    const edge = { ...kept, around, port: this.#descent.host?.port, paths: testApi?.paths, crew, primary }
    return startServer(testApi ? { recorder: true, ...this.#options, clock: testApi.clock } : this.#options, edge, origin)
  }

  async #stop(running: RunningServer): Promise<void> {
    await Promise.all([...this.#guests.values()].map(guest => guest.stop()))
    await this.#testApi?.stop()
    await running.stop()
    this.#empty = undefined
    this.#descent.host?.left()
  }

  async reload(): Promise<void> {
    await this.#lifecycle.running.reload()
  }

  get url(): string {
    const { url } = this.#lifecycle.running
    const { host } = this.#descent
    if (host) return host.url
    if (url === undefined) throw new Error('the server has no port: it was made with the option listen: false')
    return url
  }

  kubeconfig(user?: CertificateUser): string
  kubeconfig(account: ServiceAccountReference): Promise<string>
  kubeconfig(of: CertificateUser | ServiceAccountReference): string | Promise<string>
  kubeconfig(of: CertificateUser | ServiceAccountReference = {}): string | Promise<string> {
    const { pki } = this.#lifecycle.running
    checkMembers(of, kubeconfigShape, 'kubeconfig.')
    if ('serviceAccount' in of)
      return serviceAccountToken(this.client(), of.serviceAccount).then(token => this.#kubeconfigWith({ token }))
    if (of.user === undefined) return this.#kubeconfigWith(certificateOf(pki.admin))
    const now = (this.#options.clock ?? systemClock).now()
    return this.#kubeconfigWith(certificateOf(issueUserCertificate(pki.ca, of.user, of.groups ?? [], now)))
  }

  #kubeconfigWith(credentials: Credentials): string {
    const { trust, tlsServerName } = this.#lifecycle.running.pki.serving
    return kubeconfigText({ server: this.url, certificateAuthority: trust, tlsServerName, ...credentials })
  }

  async consoleLink(of: CertificateUser = {}): Promise<string> {
    const { webConsole } = this.#lifecycle.running
    checkMembers(of, userShape, 'consoleLink.')
    const { user, groups } = of
    // groups of nobody would be those of an administrator
    if (user === undefined && groups) throw new UserError('consoleLink.groups needs consoleLink.user')
    if (!webConsole) throw new UserError('the server has no console: see the option console')
    return webConsole.link(this.url, user === undefined ? userNamed(adminUser.name, adminUser.groups) : userNamed(user, groups))
  }

  client(options?: ClientOptions): KubeClient {
    return createClient(
      inProcess(
        () => this.handler,
        () => this.#lifecycle.starting
      ),
      options
    )
  }

  as(user: string, groups?: readonly string[]): KubeClient {
    return this.client({ user: userNamed(user, groups) })
  }

  apply(source: ManifestSource, options?: ManifestOptions): Promise<UntypedObject[]> {
    return this.client().apply(source, options)
  }

  get caCertificate(): string {
    return this.#lifecycle.running.pki.serving.trust
  }

  get faults(): Faults {
    return this.#lifecycle.running.faults
  }

  get recorder(): Recorder | undefined {
    return this.#lifecycle.running.recorder
  }

  async inject(request: InjectedRequest): Promise<InjectedResponse> {
    return holdingProcess(inject(this.handler, request))
  }

  async snapshot(): Promise<ServerSnapshot> {
    return new ServerSnapshot(this.#options, this.relatives, await this.#lifecycle.running.origin())
  }

  async restore(snapshot: Snapshot): Promise<void> {
    const { origin } = this.#own(snapshot)
    await this.#lifecycle.replace(async before => {
      const { listener } = before
      const gate = new Gate()
      this.#handler = gate.handler
      listener?.handBy(gate.handler)
      try {
        await before.retire()
        before.faults.clear()
        const after = await this.#run(origin, before)
        gate.open(after.handler)
        return after
      } catch (error) {
        gate.refuse(error)
        await listener?.stop()
        throw error
      } finally {
        this.#handler = undefined
      }
    })
  }

  /** Throws a UserError for a snapshot of a server with other options. */
  #own(snapshot: Snapshot): ServerSnapshot {
    if (snapshot instanceof ServerSnapshot && snapshot.relatives === this.relatives) return snapshot
    throw new UserError(
      'the snapshot is of a server that is no relative of this one: neither a fork of it nor what it is a fork of'
    )
  }

  async fork(options: ForkOptions = {}): Promise<BinnacleServer> {
    const snapshot = await this.snapshot()
    try {
      return await snapshot.fork(options)
    } finally {
      await snapshot.dispose()
    }
  }

  async host(name: string, { snapshot, ...options }: HostOptions = {}): Promise<BinnacleServer> {
    if (!/^[a-z0-9-]{1,63}$/.test(name))
      throw new UserError(`the name of a server has 1 to 63 letters a to z, digits and "-", not ${JSON.stringify(name)}`)
    checkForkOptions(options, true)
    const from = snapshot ? this.#own(snapshot) : await this.#beginning(options)
    const left = () => {
      this.#hosted.remove(name)
      this.#guests.delete(name)
    }
    const clock = options.clock ? undefined : this.#testApi?.clock.copy()
    const host = { url: this.url + hostedAt(name), port: this.#lifecycle.running.port, clock, left }
    const guest: Server = from.server({ ...options, listen: false }, host)
    this.#hosted.add(name, () => guest.handler)
    this.#guests.set(name, guest)
    try {
      await guest.start()
      return guest
    } catch (error) {
      left()
      throw error
    }
  }

  /**
   * Returns the snapshot for a hosted server that was given none. With a seed, the uids of its first objects follow from the seed
   * as well. One that is to have other Nodes than its host begins without these.
   */
  async #beginning({ seed, simulate }: HostOptions): Promise<ServerSnapshot> {
    const hasOtherNodes = simulate !== undefined && this.#options.simulate
    if (seed !== undefined || hasOtherNodes) return new ServerSnapshot(this.#emptyOptions, this.relatives, this.#emptyOrigin)
    return (this.#empty ??= this.#makeEmpty().catch(error => this.#noEmpty(error)))
  }

  get #emptyOptions(): ServerOptions {
    return { ...this.#options, ...ownOfForks, storageBackend: 'memory', listen: false }
  }

  get #emptyOrigin(): Origin {
    return { pki: sharedKeys(this.#lifecycle.running.pki) }
  }

  /** Takes a snapshot of a server that has just started, so that the next ones need not repeat its work. */
  async #makeEmpty(): Promise<ServerSnapshot> {
    const empty = new Server(this.#emptyOptions, { relatives: this.relatives, origin: this.#emptyOrigin })
    await empty.start()
    try {
      return await empty.snapshot()
    } finally {
      await empty.stop()
    }
  }

  #noEmpty(error: unknown): never {
    this.#empty = undefined
    throw error
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

const caughtUp = (catchUp: (() => void) | undefined, handler: Handler): Handler =>
  catchUp
    ? request => {
        catchUp()
        return handler(request)
      }
    : handler

const userShape: Shape = { members: { user: valueTypes.text, groups: valueTypes.texts }, isData: true }
const kubeconfigShape: Shape = { members: { ...userShape.members, serviceAccount: valueTypes.text }, isData: true }

/** The options that a server does not share with its forks. */
const ownOfForks = {
  dataDir: undefined,
  certDir: undefined,
  store: undefined,
  snapshot: undefined,
  debugSocketPath: undefined,
  backupSchedule: undefined,
  backupFolder: undefined,
  securePort: 0
}

class ServerSnapshot implements Snapshot {
  readonly #options: ServerOptions
  readonly relatives: object
  readonly origin: Origin

  constructor(options: ServerOptions, relatives: object, origin: Origin) {
    this.#options = options
    this.relatives = relatives
    this.origin = origin
  }

  server(options: ForkOptions & Pick<HostOptions, 'simulate'>, host?: Descent['host']): Server {
    // a seed given for the fork begins a new sequence
    const origin = options.seed === undefined ? this.origin : { ...this.origin, random: undefined }
    return new Server({ ...this.#options, ...ownOfForks, ...options }, { relatives: this.relatives, origin, host })
  }

  async fork(options: ForkOptions = {}): Promise<BinnacleServer> {
    checkForkOptions(options)
    const server = this.server(options)
    await server.start()
    return server
  }

  save(path: string): Promise<void> {
    return saveSnapshot(path, this.origin, this.#options)
  }

  dispose(): Promise<void> {
    return this.origin.store?.dispose() ?? Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}
