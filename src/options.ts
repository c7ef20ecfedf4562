import type { OwnKind } from './apiextensions/own-kind.js'
import type { TokenAuthenticator } from './authentication/authenticator.js'
import type { AdmissionPlugin } from './request/admission.js'
import type { Authorizer } from './request/authorization.js'
import type { Store } from './storage/contract.js'
import type { Clock } from './util/clock.js'
import type { Logger } from './util/logger.js'

/** How one server is set up. The names are kube-apiserver's flags; what is left out has the default given here. */
export interface ServerOptions {
  /** Address to listen on; `127.0.0.1`. */
  readonly bindAddress?: string | undefined
  /** Address at which others reach the server, where that is not `bindAddress`. */
  readonly advertiseAddress?: string | undefined
  /** Port to listen on; 0, the default here, takes any free one (the command line's default is 6443). */
  readonly securePort?: number | undefined
  /** Folder of the embedded store and, in `pki/`, of the certificates. Without it nothing is written to disk. */
  readonly dataDir?: string | undefined
  /** `memory` forgets everything at the end and is the default here; `lmdb` needs `dataDir`, `etcd3` needs `etcdServers`. */
  readonly storageBackend?: 'lmdb' | 'memory' | 'etcd3' | undefined
  /** `https://10.0.0.1:2379`; several servers may share one etcd. */
  readonly etcdServers?: readonly string[] | undefined
  /** Folder of all keys in etcd; `/registry`. */
  readonly etcdPrefix?: string | undefined
  readonly etcdCAFile?: string | undefined
  readonly etcdCertFile?: string | undefined
  readonly etcdKeyFile?: string | undefined
  /** Milliseconds between compactions of etcd's history, 0 for never; 5 minutes. */
  readonly etcdCompactionInterval?: number | undefined
  /** Milliseconds that `/healthz` and `/livez`, and `/readyz`, wait for etcd; 2000. */
  readonly etcdHealthcheckTimeout?: number | undefined
  readonly etcdReadycheckTimeout?: number | undefined

  /** Folder of the certificates; `<dataDir>/pki`. */
  readonly certDir?: string | undefined
  readonly tlsCertFile?: string | undefined
  readonly tlsPrivateKeyFile?: string | undefined
  /** More authorities whose client certificates are believed, beside the server's own. */
  readonly clientCAFile?: string | undefined
  /** Name under which clients outside reach the server; it goes into the serving certificate. */
  readonly externalHostname?: string | undefined

  readonly tokenAuthFile?: string | undefined
  /** Whether the Secrets of bootstrap tokens authenticate; false. */
  readonly enableBootstrapTokenAuth?: boolean | undefined
  /** true, but false with the mode AlwaysAllow */
  readonly anonymousAuth?: boolean | undefined
  /** Who decides what a user may do, asked in this order: `Node`, `RBAC`. Members of system:masters may do everything in every mode. */
  readonly authorizationMode?: readonly AuthorizationMode[] | undefined
  /** Admission plugins to run beside the default ones. */
  readonly enableAdmissionPlugins?: readonly string[] | undefined
  /** Default admission plugins not to run. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined
  /** The first issues; all are believed. `https://kubernetes.default.svc` */
  readonly serviceAccountIssuer?: readonly string[] | undefined
  /** Keys that verify service account tokens, beside the signing key. */
  readonly serviceAccountKeyFiles?: readonly string[] | undefined
  readonly serviceAccountSigningKeyFile?: string | undefined

  /** Milliseconds that a request may take, unless it goes on for as long as its client wants; 60000. */
  readonly requestTimeout?: number | undefined
  /** Reads and writes that may be under way at once, 0 for no limit; 400 and 200. Administrators are not counted. */
  readonly maxRequestsInflight?: number | undefined
  readonly maxMutatingRequestsInflight?: number | undefined

  /** One CIDR, or two of different families; `10.0.0.0/24`. */
  readonly serviceClusterIPRange?: string | undefined
  /** `30000-32767` */
  readonly serviceNodePortRange?: string | undefined
  /** `apps/v1` or `apps/v1/deployments` or `api/alpha` → on or off. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>> | undefined
  /** Where services are that webhooks name, instead of at their endpoints: `namespace/name` or `namespace/name:port` → `host:port`. */
  readonly resolveService?: Readonly<Record<string, string>> | undefined
  /** Controllers to run: `*` for all but those of bootstrap tokens, a name for one, `-` and a name for all but one; `*`. */
  readonly controllers?: readonly string[] | undefined

  /** Kinds of your own, beside those of Kubernetes: see `defineKind`. */
  readonly kinds?: readonly OwnKind[] | undefined

  /** Recognise bearer tokens beside the server's own authenticators, which are asked first. */
  readonly authenticators?: readonly TokenAuthenticator[] | undefined
  /** Allow requests beside those that `authorizationMode` allows. */
  readonly authorizers?: readonly Authorizer[] | undefined
  /** Admission plugins of your own: they run after the built-in ones, but before quotas are counted. */
  readonly admissionPlugins?: readonly AdmissionPlugin[] | undefined
  /** Where objects are kept, instead of `storageBackend`. The server closes it when it stops. */
  readonly store?: Store | undefined

  /** Has metrics of the process besides, for one that this server has to itself; false. */
  readonly processMetrics?: boolean | undefined
  /** How much is logged; 0. */
  readonly verbosity?: number | undefined
  /** Where the server says what went wrong; standard error. */
  readonly log?: Logger | undefined
  /** Where time comes from; the system. */
  readonly clock?: Clock | undefined
}

export type AuthorizationMode = 'Node' | 'RBAC' | 'AlwaysAllow' | 'AlwaysDeny'
