// Made by scripts/generate/options.mjs from the table of options.
import type { AuthorizationMode } from '../authorization.js'

/** The options of a server that have flags. */
export interface FlagOptions {
  /**
   * Folder for the data, the certificates and an admin kubeconfig. With `storageBackend`=memory nothing is written unless
   * this flag is given, and then only certificates and kubeconfig. Default none, and the server writes nothing to disk.
   */
  readonly dataDir?: string | undefined
  /**
   * Where objects are stored. "lmdb": in the data folder, safe against crashes. "memory": in memory only, lost when the
   * server ends. "etcd3": in the etcd of `etcdServers`, which several servers may share. Default "lmdb", "etcd3" with
   * `etcdServers`, or "memory" with `snapshot`.
   */
  readonly storageBackend?: 'lmdb' | 'memory' | 'etcd3' | undefined
  /**
   * Start in memory from a snapshot in this file, which "binnacle snapshot" or a program has saved: with its objects,
   * resource versions and keys (https://github.com/binnacle-dev/binnacle/blob/main/docs/testing.md). The file is not
   * changed.
   */
  readonly snapshot?: string | undefined
  /** The etcd servers that store the objects (scheme://host:port), separated by commas. */
  readonly etcdServers?: readonly string[] | undefined
  /**
   * Other etcd servers for single built-in resources, separated by commas: group/resource#servers, with semicolons between
   * servers (/events#https://10.0.0.3:2379).
   */
  readonly etcdServersOverrides?: readonly string[] | undefined
  /** Prefix of all keys in etcd. Default /registry. */
  readonly etcdPrefix?: string | undefined
  /** Authorities that verify the certificates of the etcd servers. */
  readonly etcdCAFile?: string | undefined
  /** Client certificate for connections to etcd. */
  readonly etcdCertFile?: string | undefined
  /** Private key of `etcdCertFile`. */
  readonly etcdKeyFile?: string | undefined
  /**
   * Interval between compactions of the history in etcd, and thus how long history is kept. 0 disables compaction by this
   * server. Milliseconds; default 300000.
   */
  readonly etcdCompactionInterval?: number | undefined
  /** Seconds that one lease of etcd serves new Events. Fewer seconds make more leases. Default 60. */
  readonly leaseReuseDurationSeconds?: number | undefined
  /**
   * How long former versions of objects are kept, with who wrote them when
   * (https://github.com/binnacle-dev/binnacle/blob/main/docs/history.md): 24h. 0 keeps none beyond the 5 minutes that
   * watches need. With etcd, its compaction forgets earlier. Milliseconds; default 0.
   */
  readonly history?: number | undefined
  /** The most bytes that are written within the history. The oldest history is forgotten first. Default 1073741824. */
  readonly historySize?: number | undefined
  /**
   * When to make backups of the data folder while the server runs, as the schedule of a CronJob: "0 3 * * *" for 3:00 each
   * day, "@every 6h", "CRON_TZ=Europe/Rome 0 3 * * *". Needs `backupFolder` or `backupBucket`, and `storageBackend`=lmdb.
   */
  readonly backupSchedule?: string | undefined
  /**
   * Folder in which each scheduled backup is a folder of its own, for "binnacle restore". Keep it on another disk, and copy
   * it to another machine.
   */
  readonly backupFolder?: string | undefined
  /**
   * Bucket of S3, or of a service that speaks its protocol, in which the scheduled backups are kept instead:
   * "s3://bucket/folder". Needs the packages @aws-sdk/client-s3 and @aws-sdk/lib-storage, which find region, endpoint and
   * credentials in AWS_* of the environment.
   */
  readonly backupBucket?: string | undefined
  /** How many scheduled backups stay; older ones are removed after a new one has been made. Default 7. */
  readonly backupKeep?: number | undefined
  /** How long /healthz and /livez wait for etcd. Milliseconds; default 2000. */
  readonly etcdHealthcheckTimeout?: number | undefined
  /** How long /readyz waits for etcd. Milliseconds; default 2000. */
  readonly etcdReadycheckTimeout?: number | undefined
  /**
   * File that says which resources are stored encrypted, and how
   * (https://github.com/binnacle-dev/binnacle/blob/main/docs/encryption.md).
   */
  readonly encryptionProviderConfig?: string | undefined
  /**
   * Reads the file of `encryptionProviderConfig` again when it changes. The health of all KMS plugins is then one check,
   * kms-providers. Default false.
   */
  readonly encryptionProviderConfigAutomaticReload?: boolean | undefined
  /**
   * Who is shown the console at /console/ (https://github.com/binnacle-dev/binnacle/blob/main/docs/console.md): those who
   * connect from this machine ("loopback"), everybody ("always") or nobody ("never"). They still have to sign in. Needs the
   * package binnacle-console. Default never.
   */
  readonly console?: 'loopback' | 'always' | 'never' | undefined
  /** Address to listen on. 0.0.0.0 or :: means all addresses. (kube-apiserver listens on all by default.) Default 127.0.0.1. */
  readonly bindAddress?: string | undefined
  /** Port to listen on, for HTTPS only. 0 means any free port. Default 0. */
  readonly securePort?: number | undefined
  /**
   * Lets other processes listen on the same address and port (SO_REUSEPORT): the system spreads connections over them. Needs
   * Node.js 23.1. Default false.
   */
  readonly permitPortSharing?: boolean | undefined
  /**
   * Folder of the certificates that the server creates for itself. If it contains an authority (ca.crt, ca.key), the server
   * uses that. Default `<dataDir>/pki`.
   */
  readonly certDir?: string | undefined
  /** Serving certificate, followed by its intermediates. By default the server creates one, signed by its own authority. */
  readonly tlsCertFile?: string | undefined
  /** Serves HTTP/1.1 only. Default false. */
  readonly disableHttp2Serving?: boolean | undefined
  /** Maximum number of concurrent requests over one HTTP/2 connection. 0 means 100. Default 0. */
  readonly http2MaxStreamsPerConnection?: number | undefined
  /** Lowest version of TLS: VersionTLS12 or VersionTLS13. Default VersionTLS12. */
  readonly tlsMinVersion?: string | undefined
  /** Cipher suites of TLS 1.2, by Go's names, in order of preference. Those that Go calls insecure are refused. */
  readonly tlsCipherSuites?: readonly string[] | undefined
  /** Curves of key exchanges, by their numbers in TLS (23, 24, 25, 29), in order of preference. */
  readonly tlsCurvePreferences?: readonly number[] | undefined
  /** Private key of `tlsCertFile`. */
  readonly tlsPrivateKeyFile?: string | undefined
  /**
   * Certificate and key for some host names: cert.pem,key.pem, or cert.pem,key.pem:name,*.name with the names in place of
   * those of the certificate. May be given more than once.
   */
  readonly tlsSniCertKey?: readonly string[] | undefined
  /** The audit policy, which says which requests leave which audit events. Without it there are no events. */
  readonly auditPolicyFile?: string | undefined
  /** File for audit events. - means standard output. */
  readonly auditLogPath?: string | undefined
  /** Form of the events: json, or legacy for one line of text each. Default json. */
  readonly auditLogFormat?: string | undefined
  /** Size in megabytes at which the file is renamed and a new one begins. 0 means never. Default 100. */
  readonly auditLogMaxSize?: number | undefined
  /** Days for which old files are kept. 0 means for ever. Default 366. */
  readonly auditLogMaxAge?: number | undefined
  /** Number of old files to keep. 0 means all. Default 100. */
  readonly auditLogMaxBackup?: number | undefined
  /** Compresses old files with gzip. Default false. */
  readonly auditLogCompress?: boolean | undefined
  /**
   * blocking: an answer waits until its event is written. blocking-strict: in addition, a request whose event cannot be
   * written fails. batch: no request waits. Default blocking.
   */
  readonly auditLogMode?: string | undefined
  /** Number of waiting events, in the mode batch. Default 10000. */
  readonly auditLogBatchBufferSize?: number | undefined
  /** Number of jointly written events, in the mode batch. Default 1. */
  readonly auditLogBatchMaxSize?: number | undefined
  /** How long an event waits for others, in the mode batch. Milliseconds; default 0. */
  readonly auditLogBatchMaxWait?: number | undefined
  /** Limits the rate of batches. Default false. */
  readonly auditLogBatchThrottleEnable?: boolean | undefined
  /** Batches per second. Default 0. */
  readonly auditLogBatchThrottleQPS?: number | undefined
  /** Batches at once after a pause. Default 0. */
  readonly auditLogBatchThrottleBurst?: number | undefined
  /** Large events are written without the objects, and dropped if they are still too large. Default false. */
  readonly auditLogTruncateEnabled?: boolean | undefined
  /** Maximum bytes of an event. Default 102400. */
  readonly auditLogTruncateMaxEventSize?: number | undefined
  /** Maximum bytes of a batch. Default 10485760. */
  readonly auditLogTruncateMaxBatchSize?: number | undefined
  /** API version of the events. Default audit.k8s.io/v1. */
  readonly auditLogVersion?: string | undefined
  /** Kubeconfig of a server to which audit events are sent. */
  readonly auditWebhookConfigFile?: string | undefined
  /** Time before a failed call is made again for the first time. Milliseconds; default 10000. */
  readonly auditWebhookInitialBackoff?: number | undefined
  /** batch, blocking or blocking-strict: see `auditLogMode`. Default batch. */
  readonly auditWebhookMode?: string | undefined
  /** Number of waiting events, in the mode batch. Default 10000. */
  readonly auditWebhookBatchBufferSize?: number | undefined
  /** Number of jointly sent events, in the mode batch. Default 400. */
  readonly auditWebhookBatchMaxSize?: number | undefined
  /** How long an event waits for others, in the mode batch. Milliseconds; default 30000. */
  readonly auditWebhookBatchMaxWait?: number | undefined
  /** Limits the rate of batches. Default true. */
  readonly auditWebhookBatchThrottleEnable?: boolean | undefined
  /** Batches per second. Default 10. */
  readonly auditWebhookBatchThrottleQPS?: number | undefined
  /** Batches at once after a pause. Default 15. */
  readonly auditWebhookBatchThrottleBurst?: number | undefined
  /** Large events are sent without the objects, and dropped if they are still too large. Default false. */
  readonly auditWebhookTruncateEnabled?: boolean | undefined
  /** Maximum bytes of an event. Default 102400. */
  readonly auditWebhookTruncateMaxEventSize?: number | undefined
  /** Maximum bytes of a batch. Default 10485760. */
  readonly auditWebhookTruncateMaxBatchSize?: number | undefined
  /** API version of the events. Default audit.k8s.io/v1. */
  readonly auditWebhookVersion?: string | undefined
  /**
   * File with an AuthenticationConfiguration: issuers of JSON Web Tokens, and anonymous requests. Changes take effect
   * without a restart. It excludes the flags of OpenID issuers, and that of anonymous requests if the file configures these.
   */
  readonly authenticationConfig?: string | undefined
  /**
   * Accepts requests without credentials, as user system:anonymous in group system:unauthenticated. Off when the
   * authorization mode is AlwaysAllow. Default true.
   */
  readonly anonymousAuth?: boolean | undefined
  /**
   * Accepts bootstrap tokens: Secrets in kube-system of type bootstrap.kubernetes.io/token, which contain the expiration and
   * the groups of the token. Default false.
   */
  readonly enableBootstrapTokenAuth?: boolean | undefined
  /**
   * Authorities whose client certificates are accepted, in addition to the server's own: the common name is the user, the
   * organizations are the groups.
   */
  readonly clientCAFile?: string | undefined
  /** URL of an OpenID issuer, https only. Its JSON Web Tokens authenticate. */
  readonly oidcIssuerURL?: string | undefined
  /** Audience that the tokens of the OpenID issuer must have. */
  readonly oidcClientID?: string | undefined
  /** Authorities that verify the issuer's certificate; by default those of the machine. */
  readonly oidcCAFile?: string | undefined
  /** Claim that contains the name of the user. Default "sub". */
  readonly oidcUsernameClaim?: string | undefined
  /**
   * Prefix of all user names, to keep them apart from others. By default the issuer's URL and #, but nothing with the claim
   * email. - means nothing.
   */
  readonly oidcUsernamePrefix?: string | undefined
  /** Claim that contains the groups of the user: a text or a list of texts. */
  readonly oidcGroupsClaim?: string | undefined
  /** Prefix of all groups. */
  readonly oidcGroupsPrefix?: string | undefined
  /** Claim that tokens must have, with its value: key=value. May be given more than once. */
  readonly oidcRequiredClaim?: Readonly<Record<string, string>> | undefined
  /** Algorithms that may sign tokens: any of RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384, PS512. Default RS256. */
  readonly oidcSigningAlgs?: readonly string[] | undefined
  /** Audiences by which the server is known. Tokens must be for at least one of them. Default `serviceAccountIssuer`. */
  readonly apiAudiences?: readonly string[] | undefined
  /** File in kubeconfig format that names the webhook to ask for the users of bearer tokens. */
  readonly authenticationTokenWebhookConfigFile?: string | undefined
  /** Version of the TokenReview that the webhook gets and sends. Default v1beta1. */
  readonly authenticationTokenWebhookVersion?: 'v1' | 'v1beta1' | undefined
  /** How long the answers of the webhook are remembered. Milliseconds; default 120000. */
  readonly authenticationTokenWebhookCacheTTL?: number | undefined
  /**
   * Authorities of an authenticating proxy's client certificate. Requests with such a certificate name their user in the
   * headers of `requestheaderUsernameHeaders`.
   */
  readonly requestheaderClientCAFile?: string | undefined
  /** Common names that the authenticating proxy's certificate may have. Empty allows any. */
  readonly requestheaderAllowedNames?: readonly string[] | undefined
  /** Headers with the user name, the first with a value counts: X-Remote-User is usual. */
  readonly requestheaderUsernameHeaders?: readonly string[] | undefined
  /** Headers with the user's UID, the first with a value counts: X-Remote-Uid is usual. */
  readonly requestheaderUidHeaders?: readonly string[] | undefined
  /** Headers with the user's groups: X-Remote-Group is usual. */
  readonly requestheaderGroupHeaders?: readonly string[] | undefined
  /** Prefixes of headers with extra values: X-Remote-Extra- is usual. */
  readonly requestheaderExtraHeadersPrefix?: readonly string[] | undefined
  /**
   * Makes the tokens that kubelets request for Pods valid for a year, and notes their use after the requested time in the
   * audit log. Default true.
   */
  readonly serviceAccountExtendTokenExpiration?: boolean | undefined
  /** URL of the keys in the discovery document of the service account issuer, if not this server's. */
  readonly serviceAccountJwksUri?: string | undefined
  /** Accepts tokens in Secrets only as long as their Secret and their service account exist. Default true. */
  readonly serviceAccountLookup?: boolean | undefined
  /** The longest time for which service account tokens are issued; longer requests are shortened. Milliseconds; default 0. */
  readonly serviceAccountMaxTokenExpiration?: number | undefined
  /**
   * Issuer of service account tokens. If given more than once, new tokens name the first, and tokens of all are accepted.
   * (kube-apiserver has no default.) Default https://kubernetes.default.svc.
   */
  readonly serviceAccountIssuer?: readonly string[] | undefined
  /**
   * File of RSA or ECDSA keys, public or private, that verify service account tokens, in addition to the signing key. May be
   * given more than once.
   */
  readonly serviceAccountKeyFiles?: readonly string[] | undefined
  /** CSV file of static bearer tokens: token,user,uid,"group1,group2". */
  readonly tokenAuthFile?: string | undefined
  /**
   * Authorizers of requests, in order: any of Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny. (kube-apiserver allows
   * everything by default.) Default Node,RBAC.
   */
  readonly authorizationMode?: readonly AuthorizationMode[] | undefined
  /**
   * File with an AuthorizationConfiguration, which lists the authorizers, several webhooks among them. It takes the place of
   * the modes and of the flags of their webhook. Its changes take effect without a restart.
   */
  readonly authorizationConfig?: string | undefined
  /** File with the policies of the mode ABAC: a JSON object a line. */
  readonly authorizationPolicyFile?: string | undefined
  /** Kubeconfig file that says where the webhook of the mode Webhook is. */
  readonly authorizationWebhookConfigFile?: string | undefined
  /** Version of the SubjectAccessReviews that the webhook is sent: v1 or v1beta1. Default "v1beta1". */
  readonly authorizationWebhookVersion?: string | undefined
  /** How long the webhook's permissions are remembered. 0 means not at all. Milliseconds; default 5m0s. */
  readonly authorizationWebhookCacheAuthorizedTTL?: number | undefined
  /** How long the webhook's refusals are remembered. 0 means not at all. Milliseconds; default 30s. */
  readonly authorizationWebhookCacheUnauthorizedTTL?: number | undefined
  /** Admission plugins to run in addition to the default ones. The order does not matter. */
  readonly enableAdmissionPlugins?: readonly string[] | undefined
  /** Default admission plugins to disable. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined
  /**
   * File with an AdmissionConfiguration: the configurations of admission plugins, or the names of files that have them. The
   * plugins are PodSecurity, ResourceQuota, EventRateLimit, ImagePolicyWebhook, PodNodeSelector, PodTolerationRestriction,
   * and the webhooks.
   */
  readonly admissionControlConfigFile?: string | undefined
  /** Seconds for which Pods stay on a node that is not ready, unless they say otherwise. Default 300. */
  readonly defaultNotReadyTolerationSeconds?: number | undefined
  /** Seconds for which Pods stay on a node that cannot be reached, unless they say otherwise. Default 300. */
  readonly defaultUnreachableTolerationSeconds?: number | undefined
  /**
   * The groups of built-in kinds that are served, core for that of Pods. Custom resources need apiextensions.k8s.io. With
   * none, only health checks and the like are served. (Only Binnacle has this flag.) Default all.
   */
  readonly apiGroups?: readonly string[] | undefined
  /**
   * Turns APIs on or off, for example api/alpha=true or resource.k8s.io/v1beta1=true. Keys: api/all, api/ga, api/beta,
   * api/alpha, group/version, group/version/resource.
   */
  readonly runtimeConfig?: Readonly<Record<string, boolean>> | undefined
  /**
   * Addresses of services that webhooks and APIServices refer to, for use without a cluster: namespace/name=127.0.0.1:9443
   * or namespace/name:443=127.0.0.1:9443, separated by commas. (Only Binnacle has this flag.)
   */
  readonly resolveService?: Readonly<Record<string, string>> | undefined
  /**
   * Client certificate by which extension API servers know this server. Without it and without `requestheaderClientCAFile`,
   * the server makes one and publishes its authority.
   */
  readonly proxyClientCertFile?: string | undefined
  /** Private key of `proxyClientCertFile`. */
  readonly proxyClientKeyFile?: string | undefined
  /**
   * Accepted with either value: requests to extension API servers always go to ready endpoints of their Services, because
   * cluster IPs may not be routed to where this server runs. Default false.
   */
  readonly enableAggregatorRouting?: boolean | undefined
  /** Answers 502 instead of the redirects that extension API servers send. Default true. */
  readonly aggregatorRejectForwardingRedirect?: boolean | undefined
  /**
   * The controllers that run inside the server: * means all except bootstrap-signer-controller, service-cidr-controller and
   * token-cleaner-controller, a name enables one, and - before a name disables it. (This is kube-controller-manager's flag.)
   * The names: bootstrap-signer-controller, certificatesigningrequest-approving-controller,
   * certificatesigningrequest-cleaner-controller, certificatesigningrequest-signing-controller,
   * clusterrole-aggregation-controller, garbage-collector-controller,
   * kube-apiserver-serving-clustertrustbundle-publisher-controller, legacy-serviceaccount-token-cleaner-controller,
   * namespace-controller, podcertificaterequest-cleaner-controller, resourcequota-controller, service-cidr-controller,
   * serviceaccount-controller, serviceaccount-token-controller, storage-version-migrator-controller,
   * storageversion-garbage-collector-controller, token-cleaner-controller, validatingadmissionpolicy-status-controller.
   * Default *.
   */
  readonly controllers?: readonly string[] | undefined
  /**
   * Serve the test kit below /testing/v1/ to administrators: servers in this one, snapshots, the clock
   * (https://github.com/binnacle-dev/binnacle/blob/main/docs/testing.md). For tests only, and not with etcd. Default false.
   */
  readonly testApi?: boolean | undefined
  /**
   * Address at which clients reach the server: discovery announces it, and the serving certificate contains it. Default
   * `bindAddress`.
   */
  readonly advertiseAddress?: string | undefined
  /** Host name by which external clients reach the server; the serving certificate contains it, too. */
  readonly externalHostname?: string | undefined
  /**
   * With priority and fairness, the seats of all priority levels: this number and that for writes together. Without, the
   * maximum number of concurrent reads; further ones are answered with 429, except those of administrators (system:masters).
   * Watches and connections are not counted. 0 means no limit. Default 400.
   */
  readonly maxRequestsInflight?: number | undefined
  /** Maximum number of concurrent writes; see `maxRequestsInflight`. Default 200. */
  readonly maxMutatingRequestsInflight?: number | undefined
  /**
   * Lets requests wait for seats of their priority level, fairly among users, as FlowSchemas and PriorityLevelConfigurations
   * say. Without, too many requests at once are refused. Default true, unless `apiGroups` leaves
   * flowcontrol.apiserver.k8s.io out.
   */
  readonly enablePriorityAndFairness?: boolean | undefined
  /**
   * Regular expressions for the origins whose web pages may use the server, separated by commas: ^https://example\.com(:|$).
   * Each must say where the host begins and ends.
   */
  readonly corsAllowedOrigins?: readonly string[] | undefined
  /**
   * How likely a request over HTTP/2 makes its client connect anew, from 0 to 0.02, so that connections spread over several
   * servers. With a single server, leave it at 0. Default 0.
   */
  readonly goawayChance?: number | undefined
  /** How long the server goes on serving when it is told to stop, while /readyz fails already. Milliseconds; default 0. */
  readonly shutdownDelayDuration?: number | undefined
  /**
   * Whether new requests are answered with 429 and Retry-After while the server stops, after `shutdownDelayDuration`, until
   * those under way have ended. Default false.
   */
  readonly shutdownSendRetryAfter?: boolean | undefined
  /**
   * Time in which watches end one by one when the server stops, so that their clients do not all come back at once. 0 ends
   * them all at once. Milliseconds; default 0.
   */
  readonly shutdownWatchTerminationGracePeriod?: number | undefined
  /** Time after the start in which /livez does not fail for what the server has not done yet. Milliseconds; default 0. */
  readonly livezGracePeriod?: number | undefined
  /**
   * How long a watch without timeoutSeconds lasts, or up to twice as long: seconds for the flag, milliseconds for programs.
   * Default 1800000.
   */
  readonly minRequestTimeout?: number | undefined
  /**
   * Directives of the header Strict-Transport-Security, separated by commas: max-age=31536000, includeSubDomains, preload.
   * Empty sends no such header.
   */
  readonly strictTransportSecurityDirectives?: readonly string[] | undefined
  /** How long a request may take. Watches and connections may take longer. Milliseconds; default 60000. */
  readonly requestTimeout?: number | undefined
  /**
   * Turns features on or off: name=true or name=false, separated by commas. Takes all of Kubernetes' names; those without
   * effect here are named in the log.
   */
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined
  /** The release to behave as, from 1.34 to 1.37: its kinds, versions and feature gates. Default 1.37. */
  readonly emulatedVersion?: readonly string[] | undefined
  /**
   * The oldest release that other servers on the same etcd have. Feature gates that need all servers to know them count from
   * then on. Default 1.35.
   */
  readonly minCompatibilityVersion?: readonly string[] | undefined
  /**
   * With `emulatedVersion`, also serves versions that the emulated release lacks where it has a less stable one of the same
   * resource. Default false.
   */
  readonly emulationForwardCompatible?: boolean | undefined
  /**
   * With `emulatedVersion`, also serves versions that the emulated release lacks if `runtimeConfig` names them. Default
   * false.
   */
  readonly runtimeConfigEmulationForwardCompatible?: boolean | undefined
  /** Allows privileged containers, and HostProcess containers of Windows. (kube-apiserver's default is false.) Default true. */
  readonly allowPrivileged?: boolean | undefined
  /** Deletes objects whose owners are gone. Without it, deletions leave dependents and their finalizers alone. Default true. */
  readonly enableGarbageCollector?: boolean | undefined
  /**
   * How the Endpoints of the Service kubernetes are kept at the addresses of the servers: by a lease of each server in etcd
   * ("lease"), by their number ("master-count", deprecated), or not at all ("none"). Default lease.
   */
  readonly endpointReconcilerType?: 'lease' | 'master-count' | 'none' | undefined
  /**
   * Makes the Service kubernetes a NodePort Service with this port when it is created. 0 makes it a ClusterIP Service.
   * Default 0.
   */
  readonly kubernetesServiceNodePort?: number | undefined
  /**
   * Authorities of the serving certificates of other API servers over the same etcd. With it, requests for resources that
   * only those serve are passed on to them, and discovery shows what all of them serve. Needs `proxyClientCertFile`.
   */
  readonly peerCAFile?: string | undefined
  /**
   * With `peerAdvertisePort`, the IP address by which other API servers over the same etcd reach this one, for requests that
   * they cannot serve themselves.
   */
  readonly peerAdvertiseIP?: string | undefined
  /** With `peerAdvertiseIP`, the port by which other API servers over the same etcd reach this one. */
  readonly peerAdvertisePort?: string | undefined
  /**
   * How long the server that elects leaders from LeaseCandidates (feature gate CoordinatedLeaderElection) holds its own
   * Lease. Milliseconds; default 15000.
   */
  readonly coordinatedLeadershipLeaseDuration?: number | undefined
  /** After how long that server stops electing when it cannot renew its Lease. Milliseconds; default 10000. */
  readonly coordinatedLeadershipRenewDeadline?: number | undefined
  /** How long servers wait between two attempts to acquire or renew that Lease. Milliseconds; default 2000. */
  readonly coordinatedLeadershipRetryPeriod?: number | undefined
  /** How long Events are kept after they were last written. Milliseconds; default 3600000. */
  readonly eventTtl?: number | undefined
  /**
   * Unix socket of a program that signs service account tokens and knows the keys that verify them, in place of key files:
   * the gRPC service v1.ExternalJWTSigner.
   */
  readonly serviceAccountSigningEndpoint?: string | undefined
  /** Private key, RSA or ECDSA, that signs service account tokens. By default the server creates one. */
  readonly serviceAccountSigningKeyFile?: string | undefined
  /**
   * Range of the cluster addresses of Services: one CIDR, or two of different IP families. Default 10.0.0.0/24, or that of
   * `snapshot`.
   */
  readonly serviceClusterIPRange?: string | undefined
  /** Range of the node ports of Services, both ends included. Default 30000-32767. */
  readonly serviceNodePortRange?: string | undefined
  /** Number of servers, for `endpointReconcilerType`=master-count. */
  readonly apiserverCount?: number | undefined
  /** File with the authorities that sign the serving certificates of kubelets. Without it, they are not verified. */
  readonly kubeletCertificateAuthority?: string | undefined
  /** Client certificate for connections to kubelets. It is read again when it changes. */
  readonly kubeletClientCertificate?: string | undefined
  /** Private key of `kubeletClientCertificate`. */
  readonly kubeletClientKey?: string | undefined
  /**
   * The types of Node addresses by which kubelets are connected to, the preferred first. Default
   * Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP.
   */
  readonly kubeletPreferredAddressTypes?: readonly string[] | undefined
  /**
   * File with an EgressSelectorConfiguration: the proxies (HTTP CONNECT over TLS or a Unix socket) by which the server
   * reaches the cluster, the control plane and etcd.
   */
  readonly egressSelectorConfigFile?: string | undefined
  /**
   * Most bytes a second in each direction of exec, attach, port-forward and upgraded connections to Pods; 0 for any number.
   * Default 0.
   */
  readonly maxConnectionBytesPerSec?: number | undefined
  /**
   * The values that a label of a metric may have; others are shown as "unexpected". METRIC,LABEL=VALUE,VALUE, in quotes when
   * there are several such pairs.
   */
  readonly allowMetricLabels?: Readonly<Record<string, string>> | undefined
  /** YAML file with such pairs: "METRIC,LABEL": "VALUE,VALUE". Not together with `allowMetricLabels`. */
  readonly allowMetricLabelsManifest?: string | undefined
  /** Names of metrics that /metrics leaves out. */
  readonly disabledMetrics?: readonly string[] | undefined
  /** Shows deprecated metrics that are hidden since this release, which must be the previous one: 1.36. */
  readonly showHiddenMetricsForVersion?: string | undefined
  /**
   * File with a TracingConfiguration, which says where spans of requests are sent (OTLP over gRPC), and of how many
   * requests.
   */
  readonly tracingConfigFile?: string | undefined
  /** Offers profiles below /debug/pprof/, for go tool pprof, and the verbosity of the log at /debug/flags/v. Default true. */
  readonly profiling?: boolean | undefined
  /**
   * Unix socket that offers the same without credentials, to the user who runs the server: curl --unix-socket PATH
   * http://x/debug/pprof/.
   */
  readonly debugSocketPath?: string | undefined
  /**
   * Verbosity of the log: 1 adds the flags, 2 the parts of slow requests, 3 every request. Default none, and only warnings
   * and errors are logged.
   */
  readonly v?: number | undefined
  /** Form of the log: text as klog writes it, or json for an object a line. Default text. */
  readonly loggingFormat?: 'text' | 'json' | undefined
  /**
   * In the form text, writes errors to standard error and all other lines to standard output. Needs the feature gate
   * LoggingAlphaOptions. Default false.
   */
  readonly logTextSplitStream?: boolean | undefined
  /**
   * In the form json, writes errors to standard error and all other lines to standard output. Needs the feature gate
   * LoggingAlphaOptions. Default false.
   */
  readonly logJsonSplitStream?: boolean | undefined
}
