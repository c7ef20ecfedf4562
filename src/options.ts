import type { AdmissionPlugin } from './admission/admission.js'
import type { OwnKind } from './apiextensions/own-kind.js'
import type { TokenAuthenticator } from './authentication/authenticator.js'
import type { Authorizer } from './request/authorization.js'
import type { Store } from './storage/contract.js'
import type { Clock } from './util/clock.js'
import type { Logger } from './util/logger.js'

/** The options of one server, named after kube-apiserver's flags. Comments name the default if there is one. */
export interface ServerOptions {
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly bindAddress?: string | undefined
  /** Address at which clients reach the server, if it differs from `bindAddress`. */
  readonly advertiseAddress?: string | undefined
  /** Port to listen on; 0 takes any free port. Default: 0 (6443 on the command line). */
  readonly securePort?: number | undefined
  /** Folder of the embedded store and, in `pki/`, of the certificates. Without it, the server writes nothing to disk. */
  readonly dataDir?: string | undefined
  /** `memory` loses everything at the end, `lmdb` needs `dataDir`, `etcd3` needs `etcdServers`. Default: `memory`. */
  readonly storageBackend?: 'lmdb' | 'memory' | 'etcd3' | undefined
  /** URLs such as `https://10.0.0.1:2379`. Several servers may share one etcd. */
  readonly etcdServers?: readonly string[] | undefined
  /** Prefix of all keys in etcd. Default: `/registry`. */
  readonly etcdPrefix?: string | undefined
  readonly etcdCAFile?: string | undefined
  readonly etcdCertFile?: string | undefined
  readonly etcdKeyFile?: string | undefined
  /** Milliseconds between compactions of etcd's history, 0 for never. Default: 5 minutes. */
  readonly etcdCompactionInterval?: number | undefined
  /** Milliseconds that `/healthz` and `/livez`, and `/readyz`, wait for etcd. Default: 2000. */
  readonly etcdHealthcheckTimeout?: number | undefined
  readonly etcdReadycheckTimeout?: number | undefined

  /** Folder of the certificates. Default: `<dataDir>/pki`. */
  readonly certDir?: string | undefined
  readonly tlsCertFile?: string | undefined
  readonly tlsPrivateKeyFile?: string | undefined
  /** Authorities whose client certificates the server accepts besides those of its own authority. */
  readonly clientCAFile?: string | undefined
  /** Name under which external clients reach the server; the serving certificate includes it. */
  readonly externalHostname?: string | undefined

  readonly tokenAuthFile?: string | undefined
  /** Whether bootstrap tokens in Secrets authenticate. Default: false. */
  readonly enableBootstrapTokenAuth?: boolean | undefined
  /** Whether requests without credentials are accepted. Default: true, but false with the mode AlwaysAllow. */
  readonly anonymousAuth?: boolean | undefined
  /** The authorizers, in the order in which they decide. Members of system:masters may do everything. Default: `Node`, `RBAC`. */
  readonly authorizationMode?: readonly AuthorizationMode[] | undefined
  /** Admission plugins to run besides the default ones. */
  readonly enableAdmissionPlugins?: readonly string[] | undefined
  /** Default admission plugins not to run. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined
  /** The first issues tokens; tokens of all are accepted. Default: `https://kubernetes.default.svc`. */
  readonly serviceAccountIssuer?: readonly string[] | undefined
  /** Keys that verify service account tokens besides the signing key. */
  readonly serviceAccountKeyFiles?: readonly string[] | undefined
  readonly serviceAccountSigningKeyFile?: string | undefined

  /** Milliseconds that a request may take, except for long-running ones such as watches. Default: 60000. */
  readonly requestTimeout?: number | undefined
  /** Limits of concurrent reads and writes, 0 for none. Requests of administrators do not count. Defaults: 400 and 200. */
  readonly maxRequestsInflight?: number | undefined
  readonly maxMutatingRequestsInflight?: number | undefined

  /** One CIDR, or two of different families. Default: `10.0.0.0/24`. */
  readonly serviceClusterIPRange?: string | undefined
  /** The ports for NodePort Services. Default: `30000-32767`. */
  readonly serviceNodePortRange?: string | undefined
  /** Maps `apps/v1`, `apps/v1/deployments` or `api/alpha` to on or off. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>> | undefined
  /** Addresses of Services for webhooks, instead of their endpoints: `namespace/name` or `namespace/name:port` → `host:port`. */
  readonly resolveService?: Readonly<Record<string, string>> | undefined
  /** Controllers to run: `*` for all but those of bootstrap tokens, `name` adds one, `-name` switches one off. Default: `*`. */
  readonly controllers?: readonly string[] | undefined

  /** Your own kinds, besides those of Kubernetes: see `defineKind`. */
  readonly kinds?: readonly OwnKind[] | undefined

  /** Authenticators for bearer tokens, which run after the server's own. */
  readonly authenticators?: readonly TokenAuthenticator[] | undefined
  /** Authorizers that may allow requests besides those that `authorizationMode` allows. */
  readonly authorizers?: readonly Authorizer[] | undefined
  /** Your own admission plugins, which run after the built-in ones but before ResourceQuota. */
  readonly admissionPlugins?: readonly AdmissionPlugin[] | undefined
  /** A store to use instead of `storageBackend`. The server closes it when it stops. */
  readonly store?: Store | undefined

  /** Adds the metrics of the process, for a process that runs only this server. Default: false. */
  readonly processMetrics?: boolean | undefined
  /** Log verbosity. Default: 0. */
  readonly verbosity?: number | undefined
  /** The server's log. Default: standard error. */
  readonly log?: Logger | undefined
  /** The source of time. Default: the system clock. */
  readonly clock?: Clock | undefined
}

export type AuthorizationMode = 'Node' | 'RBAC' | 'AlwaysAllow' | 'AlwaysDeny'
