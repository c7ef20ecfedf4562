import type { OwnKind } from '../apiextensions/own-kind.js'
import type { AdmissionPlugin } from '../apimachinery/request/admission.js'
import type { Authorizer } from '../apimachinery/request/authorization.js'
import type { Policy } from '../apiserver/audit/policy.js'
import type { RecorderOptions } from '../apiserver/recorder/recorder.js'
import type { TokenAuthenticator } from '../auth/authentication/authenticator.js'
import type { Reconciler } from '../client/operator/reconciler.js'
import type { SimulateOptions } from '../controllers/simulation/simulate-options.js'
import type { Store } from '../storage/contract.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'

import type { FlagOptions } from './options/generated/flag-options.js'

/**
 * The options of one server. Those that kube-apiserver has, too, have the names of its flags; each comment ends with the default.
 *
 * @example
 * const options: ServerOptions = {
 *   dataDir: '/var/lib/binnacle',
 *   storageBackend: 'lmdb',
 *   securePort: 6443,
 *   authenticators: [sessions],
 *   admissionPlugins: [teamLabel]
 * }
 * const server = createServer(options)
 */
export interface ServerOptions extends FlagOptions, ProgramOptions {}

export type { AuthorizationMode } from './options/authorization.js'

/** The options that only programs can give. */
export interface ProgramOptions {
  /** Kinds of your own, served beside those of Kubernetes: see `defineKind`. */
  readonly kinds?: readonly OwnKind[] | undefined
  /** Authenticators of your own for bearer tokens. They are asked after the server's own. */
  readonly authenticators?: readonly TokenAuthenticator[] | undefined
  /** Authorizers of your own. They are asked after those of `authorizationMode`, and allow more requests. */
  readonly authorizers?: readonly Authorizer[] | undefined
  /** Admission plugins of your own. They run after the built-in ones, policies and webhooks, but before quotas are charged. */
  readonly admissionPlugins?: readonly AdmissionPlugin[] | undefined
  /** Reconcilers of your own: see `defineReconciler`. With several servers on one etcd, each server that has the option runs them. */
  readonly reconcilers?: readonly Reconciler[] | undefined
  /**
   * Makes a cluster of the server, in which workloads run without anything that runs: the controllers of kube-controller-manager, a scheduler, and
   * Nodes that act as kubelets do (docs/simulate.md); off.
   */
  readonly simulate?: boolean | SimulateOptions | undefined
  /** The store of all objects, in place of `storageBackend`. The server closes it when it stops. */
  readonly store?: Store | undefined
  /** What `/flagz` shows: the flags of the command line, as texts by name; nothing. */
  readonly flags?: Readonly<Record<string, string>> | undefined
  /** Whether `/metrics` shows the metrics of the process, too: for a process with one server; false. */
  readonly processMetrics?: boolean | undefined
  /** Takes the lines that the server logs, in place of standard error: `v`, `loggingFormat`, `logTextSplitStream` and `logJsonSplitStream` do not count then. */
  readonly log?: Logger | undefined
  /** Keeps what became of the last requests for `server.recorder`: `true` for 1,000 requests and 16 MiB, or other limits; off. */
  readonly recorder?: boolean | RecorderOptions | undefined
  /**
   * Makes uids, generated names and addresses repeat from one run to the next and from one machine to another, for tests that compare
   * with files; none. Keys and certificates are new in each run.
   */
  readonly seed?: string | undefined
  /** The time that the server goes by; the system's. */
  readonly clock?: Clock | undefined
  /** Whether the server opens a port at all: `inject` and clients in the process reach it without one; true. */
  readonly listen?: boolean | undefined
  /** Whether the process may end while the port is open, as it may after `unref()` of Node's servers: for tests, where a stop may be forgotten; false. */
  readonly unref?: boolean | undefined
  /** The audit policy itself, in place of a file. */
  readonly auditPolicy?: Policy | undefined
  /**
   * Takes every audit event as an object of `audit.k8s.io/v1`, beside the log and the webhook. The request waits for it, so it should
   * be quick.
   */
  readonly auditWrite?: ((event: any) => void) | undefined
}
