import type { OwnKind } from '../apiextensions/own-kind.js'
import type { AdmissionPlugin } from '../apimachinery/request/admission.js'
import type { Authorizer } from '../apimachinery/request/authorization.js'
import type { AuditOptions } from '../apiserver/audit/options.js'
import type { LogOptions } from '../apiserver/logging/log.js'
import type { RecorderOptions } from '../apiserver/recorder/recorder.js'
import type { TokenAuthenticator } from '../auth/authentication/authenticator.js'
import type { OidcOptions } from '../auth/authentication/jwt/oidc-flags.js'
import type { Reconciler } from '../controllers/reconcilers/reconciler.js'
import type { Store } from '../storage/contract.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'

/**
 * The options of one server. Their names are those of kube-apiserver's flags; each comment ends with the default.
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
export interface ServerOptions extends AuditOptions, LogOptions, OidcOptions {
  /** The address to listen on; `127.0.0.1`. */
  readonly bindAddress?: string | undefined
  /** The address at which others reach the server; `bindAddress`. */
  readonly advertiseAddress?: string | undefined
  /**
   * How the Endpoints of the Service `kubernetes` are kept at the addresses of the servers: `lease` (each server holds a key that ends
   * with it), `master-count` (there are `apiserverCount`), or `none`; `lease`.
   */
  readonly endpointReconcilerType?: 'lease' | 'master-count' | 'none' | undefined
  /** The number of servers, for `master-count`; 1. */
  readonly apiserverCount?: number | undefined
  /** The port of the nodes at which the Service `kubernetes` is reached; 0, none. */
  readonly kubernetesServiceNodePort?: number | undefined
  /** The port to listen on. 0 takes any free one and is the default here (the command line's default is 6443). */
  readonly securePort?: number | undefined
  /** Whether the server opens a port at all: `inject` and clients in the process reach it without one; true. */
  readonly listen?: boolean | undefined
  /** Whether the process may end while the port is open, as it may after `unref()` of Node's servers: for tests, where a stop may be forgotten; false. */
  readonly unref?: boolean | undefined
  /** Whether other processes may listen on the same address and port (SO_REUSEPORT; Node 23.1 or later); false. */
  readonly permitPortSharing?: boolean | undefined
  /** A Unix socket that serves profiles and the log's verbosity, to the user who runs the server, without credentials. */
  readonly debugSocketPath?: string | undefined
  /** The folder of the embedded store and, in `pki/`, of the certificates. Without it the server writes nothing to disk. */
  readonly dataDir?: string | undefined
  /**
   * Where objects are kept: `lmdb` (needs `dataDir`), `etcd3` (needs `etcdServers`), or `memory` until the server stops; what is given
   * of `etcdServers` and `dataDir` decides, and `memory` without both.
   */
  readonly storageBackend?: 'lmdb' | 'memory' | 'etcd3' | undefined
  /** URLs of etcd: `https://10.0.0.1:2379`. Several servers may share one etcd. */
  readonly etcdServers?: readonly string[] | undefined
  /** Servers of etcd for single resources: `/events#https://10.0.0.3:2379;https://10.0.0.4:2379`. */
  readonly etcdServersOverrides?: readonly string[] | undefined
  /** The prefix of all keys in etcd; `/registry`. */
  readonly etcdPrefix?: string | undefined
  /** A file with the authority of etcd's certificate. */
  readonly etcdCAFile?: string | undefined
  /** The certificate that the server shows etcd, and its key. */
  readonly etcdCertFile?: string | undefined
  readonly etcdKeyFile?: string | undefined
  /** Milliseconds between compactions of etcd's history, 0 for never; 300000. */
  readonly etcdCompactionInterval?: number | undefined
  /**
   * Milliseconds between questions for the size of the store, for the metric `apiserver_storage_db_total_size_in_bytes`, 0 for never;
   * 30000.
   */
  readonly etcdDbMetricPollInterval?: number | undefined
  /** Seconds that one lease of etcd serves new Events; 60. */
  readonly leaseReuseDurationSeconds?: number | undefined
  /** Milliseconds that `/healthz` and `/livez` wait for etcd; 2000. */
  readonly etcdHealthcheckTimeout?: number | undefined
  /** Milliseconds that `/readyz` waits for etcd; 2000. */
  readonly etcdReadycheckTimeout?: number | undefined
  /** A file that says which resources are stored encrypted, and how: kube-apiserver's EncryptionConfiguration; none. */
  readonly encryptionProviderConfig?: string | undefined
  /** Whether `encryptionProviderConfig` is read again when it changes; false. */
  readonly encryptionProviderConfigAutomaticReload?: boolean | undefined

  /** The folder of the certificates; `<dataDir>/pki`. */
  readonly certDir?: string | undefined
  /** A serving certificate and its key, in place of the ones that the server makes. */
  readonly tlsCertFile?: string | undefined
  readonly tlsPrivateKeyFile?: string | undefined
  /** Serving certificates for single host names: `cert.pem,key.pem` or `cert.pem,key.pem:name,*.name`. */
  readonly tlsSniCertKey?: readonly string[] | undefined
  /** A file with authorities whose client certificates authenticate, beside the server's own authority. */
  readonly clientCAFile?: string | undefined
  /** The name under which clients outside reach the server. The serving certificate holds it. */
  readonly externalHostname?: string | undefined

  /** A CSV file of static tokens: token, user name, user uid, groups. */
  readonly tokenAuthFile?: string | undefined
  /**
   * A file with an AuthenticationConfiguration: issuers of JSON Web Tokens, and anonymous requests. It is read again when it
   * changes.
   */
  readonly authenticationConfig?: string | undefined
  /** Whether the Secrets of bootstrap tokens authenticate; false. */
  readonly enableBootstrapTokenAuth?: boolean | undefined
  /** Whether requests without credentials are served, as system:anonymous; true, but false with the mode AlwaysAllow. */
  readonly anonymousAuth?: boolean | undefined
  /** A kubeconfig file that names a webhook which knows the users of bearer tokens. */
  readonly authenticationTokenWebhookConfigFile?: string | undefined
  /** The version of the TokenReview that the webhook gets and sends; `v1beta1`. */
  readonly authenticationTokenWebhookVersion?: 'v1' | 'v1beta1' | undefined
  /** Milliseconds for which the webhook's answers are remembered; 120000. */
  readonly authenticationTokenWebhookCacheTTL?: number | undefined
  /** A file with authorities of an authenticating proxy's certificate. With it, the proxy's headers name the user. */
  readonly requestheaderClientCAFile?: string | undefined
  /** The common names that the proxy's certificate may have; any. */
  readonly requestheaderAllowedNames?: readonly string[] | undefined
  /** The headers in which the proxy names the user, such as `X-Remote-User`; none. */
  readonly requestheaderUsernameHeaders?: readonly string[] | undefined
  /** The headers for the user's uid, such as `X-Remote-Uid`; none. */
  readonly requestheaderUidHeaders?: readonly string[] | undefined
  /** The headers for the user's groups, such as `X-Remote-Group`; none. */
  readonly requestheaderGroupHeaders?: readonly string[] | undefined
  /** The beginnings of headers for extra values, such as `X-Remote-Extra-`; none. */
  readonly requestheaderExtraHeadersPrefix?: readonly string[] | undefined
  /** The authorizers, asked in this order. Members of system:masters may do everything in every mode; `Node`, `RBAC`. */
  readonly authorizationMode?: readonly AuthorizationMode[] | undefined
  /** A file with an AuthorizationConfiguration, in place of `authorizationMode` and the options of the webhook; none. */
  readonly authorizationConfig?: string | undefined
  /** The policies of the mode ABAC: a file with a JSON object a line; none. */
  readonly authorizationPolicyFile?: string | undefined
  /** The webhook of the mode Webhook: a kubeconfig file; none. */
  readonly authorizationWebhookConfigFile?: string | undefined
  /** The version of the SubjectAccessReviews that the webhook of the mode Webhook is sent, v1 or v1beta1; `v1beta1`. */
  readonly authorizationWebhookVersion?: string | undefined
  /** Milliseconds for which the webhook's permissions are remembered; 300000. */
  readonly authorizationWebhookCacheAuthorizedTTL?: number | undefined
  /** Milliseconds for which the webhook's refusals are remembered; 30000. */
  readonly authorizationWebhookCacheUnauthorizedTTL?: number | undefined
  /** Built-in admission plugins to run beside the default ones. */
  readonly enableAdmissionPlugins?: readonly string[] | undefined
  /** Default admission plugins that do not run. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined
  /** A file with an AdmissionConfiguration: the configurations of admission plugins; none. */
  readonly admissionControlConfigFile?: string | undefined
  /** Issuers of service account tokens: the first issues, tokens of all of them are accepted; `https://kubernetes.default.svc`. */
  readonly serviceAccountIssuer?: readonly string[] | undefined
  /** Files with keys that verify service account tokens, beside the signing key. */
  readonly serviceAccountKeyFiles?: readonly string[] | undefined
  /** A file with the key that signs service account tokens, in place of the one that the server makes. */
  readonly serviceAccountSigningKeyFile?: string | undefined

  /** The Unix socket of a program that signs service account tokens, in place of keys: gRPC, `v1.ExternalJWTSigner`. */
  readonly serviceAccountSigningEndpoint?: string | undefined
  /** The audiences by which the server is known: tokens must be for one of them; `serviceAccountIssuer`. */
  readonly apiAudiences?: readonly string[] | undefined
  /** Whether tokens in Secrets are valid only as long as their Secret and their account exist; true. */
  readonly serviceAccountLookup?: boolean | undefined
  /** The most milliseconds that a service account token is valid; no limit. */
  readonly serviceAccountMaxTokenExpiration?: number | undefined
  /** Whether the tokens that kubelets request for Pods are valid for a year; true. */
  readonly serviceAccountExtendTokenExpiration?: boolean | undefined
  /** The URL of the keys of service account tokens in the issuer's discovery document; that of this server. */
  readonly serviceAccountJwksUri?: string | undefined

  /** A file with the authorities that sign the serving certificates of kubelets; none, and these are not verified. */
  readonly kubeletCertificateAuthority?: string | undefined
  /** A file with the client certificate for connections to kubelets; none. */
  readonly kubeletClientCertificate?: string | undefined
  /** A file with its key. */
  readonly kubeletClientKey?: string | undefined
  /** The types of Node addresses by which kubelets are connected to, the preferred first; `Hostname`, `InternalDNS`, `InternalIP`, `ExternalDNS`, `ExternalIP`. */
  readonly kubeletPreferredAddressTypes?: readonly string[] | undefined

  /** A file with an EgressSelectorConfiguration: by which proxies the server reaches the cluster, the control plane and etcd; none, and all connections are direct. */
  readonly egressSelectorConfigFile?: string | undefined
  /** Whether containers may be privileged, and Windows' containers HostProcess containers; default true. */
  readonly allowPrivileged?: boolean | undefined
  /** The most bytes a second in each direction of an upgraded connection to a kubelet, Pod or Service; 0 for any number. */
  readonly maxConnectionBytesPerSec?: number | undefined

  /** The lowest version of TLS: `VersionTLS12` or `VersionTLS13`; `VersionTLS12`. */
  readonly tlsMinVersion?: string | undefined
  /** Cipher suites of TLS 1.2, by Go's names, such as `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`; Node's. */
  readonly tlsCipherSuites?: readonly string[] | undefined
  /** Curves of key exchanges, by their numbers in TLS: 23, 24, 25, 29; Node's. */
  readonly tlsCurvePreferences?: readonly number[] | undefined
  /** Whether clients may use HTTP/1.1 only; false. */
  readonly disableHttp2Serving?: boolean | undefined
  /** Concurrent requests over one HTTP/2 connection; 100. */
  readonly http2MaxStreamsPerConnection?: number | undefined
  /** Directives of the header Strict-Transport-Security, such as `max-age=31536000`; none, and no header. */
  readonly strictTransportSecurityDirectives?: readonly string[] | undefined
  /** Regular expressions for the origins whose web pages may use the server; none. */
  readonly corsAllowedOrigins?: readonly string[] | undefined
  /** From 0 to 1: how likely a request over HTTP/2 makes its client connect anew; 0. */
  readonly goawayChance?: number | undefined
  /** Milliseconds for which the server goes on serving when it is told to stop, and `/readyz` fails already; 0. */
  readonly shutdownDelayDuration?: number | undefined
  /**
   * Whether new requests are answered with 429 and Retry-After while the server stops, after `shutdownDelayDuration`, until those under
   * way have ended; false.
   */
  readonly shutdownSendRetryAfter?: boolean | undefined
  /** Milliseconds in which watches end one by one when the server stops; 0, all at once. */
  readonly shutdownWatchTerminationGracePeriod?: number | undefined
  /** Milliseconds after the start in which `/livez` does not fail for what the server has not done yet; 0. */
  readonly livezGracePeriod?: number | undefined
  /** Milliseconds after which a watch without `timeoutSeconds` ends, or up to as long again; 1800000. */
  readonly minRequestTimeout?: number | undefined
  /** Whether the garbage collector deletes objects whose owners are gone; true. */
  readonly enableGarbageCollector?: boolean | undefined
  /**
   * A file with the authorities of the certificates of other API servers over the same etcd: requests for resources that only these serve
   * are passed on to them, and discovery shows what all serve. Needs `proxyClientCertFile`.
   */
  readonly peerCAFile?: string | undefined
  /** With `peerAdvertisePort`, the IP address by which other API servers over the same etcd reach this one; the advertised one. */
  readonly peerAdvertiseIP?: string | undefined
  /** See `peerAdvertiseIP`; the port that the server listens on. */
  readonly peerAdvertisePort?: string | undefined
  /** Milliseconds for which the server that elects leaders from LeaseCandidates holds its own Lease; 15000. */
  readonly coordinatedLeadershipLeaseDuration?: number | undefined
  /** Milliseconds after which that server stops electing when it cannot renew its Lease; 10000. */
  readonly coordinatedLeadershipRenewDeadline?: number | undefined
  /** Milliseconds between two attempts to acquire or renew that Lease; 2000. */
  readonly coordinatedLeadershipRetryPeriod?: number | undefined
  /** Milliseconds that Events are kept after they were last written; 3600000. */
  readonly eventTtl?: number | undefined
  /** Seconds for which Pods stay on a node that is not ready, unless they say otherwise; 300. */
  readonly defaultNotReadyTolerationSeconds?: number | undefined
  /** The same for a node that cannot be reached; 300. */
  readonly defaultUnreachableTolerationSeconds?: number | undefined

  /** Milliseconds that a request may take, watches and connections apart; 60000. */
  readonly requestTimeout?: number | undefined
  /** Whether requests wait for seats of their priority level, fairly among users; true. Otherwise too many are refused. */
  readonly enablePriorityAndFairness?: boolean | undefined
  /**
   * With priority and fairness the seats of all levels, together with those of the next option. Otherwise the reads that may be under
   * way at once, 0 for no limit; 400.
   */
  readonly maxRequestsInflight?: number | undefined
  /** The same for writes; 200. */
  readonly maxMutatingRequestsInflight?: number | undefined

  /** Cluster IPs of Services: one CIDR, or two of different families; `10.0.0.0/24`. */
  readonly serviceClusterIPRange?: string | undefined
  /** Node ports of Services; `30000-32767`. */
  readonly serviceNodePortRange?: string | undefined
  /** Switches features on or off by the names that Kubernetes gives them, such as `ClusterTrustBundle`; Kubernetes' defaults. */
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined
  /** The release to behave as, `['1.35']`: its kinds, versions and feature gates. 1.33 to 1.36, the default. */
  readonly emulatedVersion?: readonly string[] | undefined
  /** The oldest release that servers of the same store have, `['1.35']`; the one before `emulatedVersion`. */
  readonly minCompatibilityVersion?: readonly string[] | undefined
  /** Whether versions that the emulated release lacks are served where a less stable one of the same resource is; false. */
  readonly emulationForwardCompatible?: boolean | undefined
  /** Whether versions that the emulated release lacks are served where `runtimeConfig` names them; false. */
  readonly runtimeConfigEmulationForwardCompatible?: boolean | undefined
  /**
   * The groups of built-in kinds that are served, such as `['apps', 'core']`; all. Own kinds are served besides: with `[]`, nothing else is
   * (docs/scaling.md).
   */
  readonly apiGroups?: readonly string[] | undefined
  /** Switches `apps/v1`, `apps/v1/deployments` or `api/alpha` on or off. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>> | undefined
  /**
   * A file with the client certificate by which extension API servers know this server; one that the server makes, unless
   * `requestheaderClientCAFile` is given.
   */
  readonly proxyClientCertFile?: string | undefined
  /** The key of `proxyClientCertFile`. */
  readonly proxyClientKeyFile?: string | undefined
  /** Whether to use endpoints of the Services of APIServices. This server always does; false. */
  readonly enableAggregatorRouting?: boolean | undefined
  /** Whether redirects of extension API servers are refused; true. */
  readonly aggregatorRejectForwardingRedirect?: boolean | undefined
  /**
   * Where the Services of webhooks and of APIServices are, other than at their endpoints: `namespace/name` or `namespace/name:port` to
   * `host:port`.
   *
   * @example
   * createServer({ resolveService: { 'my-namespace/my-webhook': '127.0.0.1:9443' } })
   */
  readonly resolveService?: Readonly<Record<string, string>> | undefined
  /** Controllers to run: `*` for all but those of bootstrap tokens, a name for one, `-` and a name for all but one; `*`. */
  readonly controllers?: readonly string[] | undefined

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
  /** The store of all objects, in place of `storageBackend`. The server closes it when it stops. */
  readonly store?: Store | undefined

  /** A file with a TracingConfiguration: where spans of requests are sent. Needs packages of OpenTelemetry. */
  readonly tracingConfigFile?: string | undefined
  /** What `/flagz` shows: the flags of the command line, as texts by name; nothing. */
  readonly flags?: Readonly<Record<string, string>> | undefined
  /** Whether there are the paths for profiles below `/debug/pprof/`, and `/debug/flags/v`; true. */
  readonly profiling?: boolean | undefined
  /** Whether `/metrics` shows the metrics of the process, too: for a process with one server; false. */
  readonly processMetrics?: boolean | undefined
  /** Names of metrics that `/metrics` leaves out; none. */
  readonly disabledMetrics?: readonly string[] | undefined
  /**
   * The values that labels of metrics may have, with commas between them, by `metric,label`; all others are shown as `unexpected`.
   *
   * @example
   * createServer({ allowMetricLabels: { 'apiserver_request_total,code': '200,201,404' } })
   */
  readonly allowMetricLabels?: Readonly<Record<string, string>> | undefined
  /** The path of a YAML file with the same. */
  readonly allowMetricLabelsManifest?: string | undefined
  /** Shows metrics that are hidden since this release: `1.35`, the previous one; none. */
  readonly showHiddenMetricsForVersion?: string | undefined
  /** Takes the lines that the server logs, in place of standard error: `v`, `loggingFormat` and `logTextSplitStream` do not count then. */
  readonly log?: Logger | undefined
  /** Keeps what became of the last requests for `server.recorder`: `true` for 1,000 requests and 16 MiB, or other limits; off. */
  readonly recorder?: boolean | RecorderOptions | undefined
  /**
   * Makes uids, generated names and addresses repeat from one run to the next and from one machine to another, for tests that compare
   * with files; none. Keys and certificates are new in each run.
   */
  readonly seed?: string | undefined
  /**
   * Whether the paths below `/testing/v1/` are there, by which tests in any language have the server's snapshots, clock and the like
   * (docs/testing.md); false. Whoever may use them is an administrator. Not for servers with etcd.
   */
  readonly testApi?: boolean | undefined
  /** The time that the server goes by; the system's. */
  readonly clock?: Clock | undefined
}

/**
 * A mode of authorization, as kube-apiserver's --authorization-mode names it.
 *
 * @example
 * const everything: AuthorizationMode[] = ['AlwaysAllow']
 * const server = createServer({ authorizationMode: everything })
 */
export type AuthorizationMode = 'Node' | 'RBAC' | 'ABAC' | 'Webhook' | 'AlwaysAllow' | 'AlwaysDeny'
