/** What a program sees of a server that it embeds. */

import type { InjectedRequest, InjectedResponse } from '../apimachinery/request/injected.js'
import type { Faults } from '../apiserver/faults/faults.js'
import type { Recorder } from '../apiserver/recorder/recorder.js'
import type { CertificateUser, ServiceAccountReference } from '../client/credentials.js'
import type { ManifestOptions, ManifestSource } from '../client/manifests.js'
import type { ClientOptions, KubeClient, UntypedObject } from '../client/types.js'
import type { ServerOptions } from './options.js'

/**
 * A server that `createServer` made. Everything but `start` and `stop` throws while the server is not running.
 *
 * @example
 * const server: BinnacleServer = createServer({ securePort: 6443 })
 * await server.start()
 * console.log(server.url) // https://127.0.0.1:6443
 */
export interface BinnacleServer {
  /**
   * Resolves when the server answers requests; at once when it does already. Rejects with a UserError where the user can put it
   * right, and with an Error when the server is stopped meanwhile.
   */
  start(): Promise<void>
  /**
   * Waits for requests under way, ends watches, and closes the store. Resolves when everything is freed, at once when the server is
   * not running. The server may be started again.
   */
  stop(): Promise<void>
  /** Reads configuration files and certificates again, as SIGHUP makes `binnacle serve` do. Problems are logged, and the old content stays. */
  reload(): Promise<void>
  /** `https://127.0.0.1:6443`. Throws for a server with the option `listen: false`. */
  readonly url: string
  /**
   * The text of a kubeconfig: of a member of system:masters, of a user with a client certificate, or of a ServiceAccount with a token
   * that the server issues.
   */
  kubeconfig(user?: CertificateUser): string
  kubeconfig(account: ServiceAccountReference): Promise<string>
  /**
   * Returns a link by which a browser signs in to the console (docs/console.md), once within ten minutes: as a member of system:masters, or
   * as the user. Rejects with a UserError where there is no console: without the option `console`, and where binnacle-console is not installed.
   */
  consoleLink(user?: CertificateUser): Promise<string>
  /** PEM of the certificate authority that clients have to trust. */
  readonly caCertificate: string
  /** Rules that make requests fail: docs/testing.md. */
  readonly faults: Faults
  /** Holds the last requests, where the option `recorder` asks for them: docs/testing.md. */
  readonly recorder: Recorder | undefined
  /** Returns a client of this server that needs no port; it acts as a member of system:masters. */
  client(options?: ClientOptions): KubeClient
  /**
   * A client that acts as another user. A ServiceAccount, `system:serviceaccount:team:builder`, has its groups without being given
   * them.
   */
  as(user: string, groups?: readonly string[]): KubeClient
  /**
   * Applies manifests as a member of system:masters (`KubeClient.apply`): a YAML text with one document or several, the path of a file
   * or folder, an object, or a list of these.
   */
  apply(source: ManifestSource, options?: ManifestOptions): Promise<UntypedObject[]>
  /** Sends a request through the whole handler chain, without a connection. */
  inject(request: InjectedRequest): Promise<InjectedResponse>
  /**
   * Takes a snapshot of everything: objects, history, resource versions, keys. Rejects with a UserError for servers with etcd. With
   * the storage backend `memory` this costs no more for many objects than for few; with `lmdb` it copies the file.
   */
  snapshot(): Promise<Snapshot>
  /**
   * Goes back to a snapshot of this server, of a fork of it, or of what it is a fork of. Connections stay, requests that come meanwhile
   * wait, and watches end with 410 (Expired), so that clients list again. Resource versions go back, too. Fault rules are removed, the
   * recorder keeps its requests.
   */
  restore(snapshot: Snapshot): Promise<void>
  /**
   * Starts a second server with the state of this one, from which it then changes independently: `snapshot`, and `fork` of that.
   */
  fork(options?: ForkOptions): Promise<BinnacleServer>
  /**
   * Starts a server that is reached through this one, at `<url>/servers/<name>`: one port for any number of servers. `name`: letters a
   * to z, digits and `-`. It ends with this one.
   */
  host(name: string, options?: HostOptions): Promise<BinnacleServer>
  /** Stops the server: `await using server = …`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * The state of a server at one moment, from which any number of servers can go on.
 *
 * @example
 * const seeded: Snapshot = await server.snapshot()
 * const mine = await seeded.fork()
 */
export interface Snapshot {
  /** Starts a server that goes on from the snapshot. It cannot be started again once it has been stopped. */
  fork(options?: ForkOptions): Promise<BinnacleServer>
  /**
   * Saves the snapshot to a file, from which other processes start servers: the option `snapshot`. The file has all objects, also
   * Secrets, and the server's keys: only its owner may read it. History stays behind. It appears complete or not at all. Rejects with a
   * UserError for a file that cannot be written.
   */
  save(path: string): Promise<void>
  /** Frees what the snapshot holds on a disk. Servers that began from it are not affected. */
  dispose(): Promise<void>
  /** `await using snapshot = …` */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * What may differ between a server and its fork. All other options are the same; a fork has no data folder.
 *
 * @example
 * const options: ForkOptions = { listen: false }
 */
export interface ForkOptions extends Pick<ServerOptions, 'listen' | 'securePort' | 'clock' | 'log' | 'seed'> {}

/**
 * Options of `BinnacleServer.host`.
 *
 * @example
 * const options: HostOptions = { snapshot: seeded }
 */
export interface HostOptions extends Pick<ServerOptions, 'clock' | 'log' | 'seed'> {
  /** Whether it has a simulated cluster (docs/simulate.md), and what that has; as its host, when left out. */
  readonly simulate?: ServerOptions['simulate']
  /** What the server begins with; when left out, it begins empty, in memory. */
  readonly snapshot?: Snapshot | undefined
}
