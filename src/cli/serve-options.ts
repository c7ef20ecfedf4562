import { join, resolve } from 'node:path'
import { parseFeatureGates } from '../features/parse-gates.js'
import type { ServerOptions } from '../options.js'
import { auditOptions } from './audit-options.js'
import type { FlagValues } from './flags/flag.js'
import type { serveFlags } from './flags/serve-flags.js'

export type ServeValues = FlagValues<typeof serveFlags>

/** The default data folder: easy to find and to remove. */
export const DEFAULT_DATA_DIR = '.binnacle'

/** Returns the server's options for the given flags. Paths become absolute. */
export const serverOptions = (values: ServeValues): ServerOptions => {
  const path = (file: string | undefined): string | undefined => (file === undefined ? undefined : resolve(file))
  const etcdServers = values['etcd-servers']
  const storageBackend = values['storage-backend'] ?? (etcdServers.length > 0 ? 'etcd3' : 'lmdb')
  // With both given, the server needs no folder of its own.
  const keptElsewhere = storageBackend === 'memory' || (storageBackend === 'etcd3' && values['cert-dir'] !== undefined)
  const dataDir = path(values['data-dir'] ?? (keptElsewhere ? undefined : DEFAULT_DATA_DIR))
  return {
    dataDir,
    storageBackend,
    etcdServers,
    etcdPrefix: values['etcd-prefix'],
    etcdCAFile: values['etcd-cafile'],
    etcdCertFile: values['etcd-certfile'],
    etcdKeyFile: values['etcd-keyfile'],
    etcdCompactionInterval: values['etcd-compaction-interval'],
    etcdDbMetricPollInterval: values['etcd-db-metric-poll-interval'],
    etcdHealthcheckTimeout: values['etcd-healthcheck-timeout'],
    etcdReadycheckTimeout: values['etcd-readycheck-timeout'],
    bindAddress: values['bind-address'],
    advertiseAddress: values['advertise-address'],
    securePort: values['secure-port'],
    certDir: path(values['cert-dir']) ?? (dataDir === undefined ? undefined : join(dataDir, 'pki')),
    tlsCertFile: values['tls-cert-file'],
    tlsSniCertKey: values['tls-sni-cert-key'],
    tlsPrivateKeyFile: values['tls-private-key-file'],
    clientCAFile: values['client-ca-file'],
    externalHostname: values['external-hostname'],
    ...auditOptions(values),
    tokenAuthFile: values['token-auth-file'],
    enableBootstrapTokenAuth: values['enable-bootstrap-token-auth'],
    authenticationTokenWebhookConfigFile: values['authentication-token-webhook-config-file'],
    authenticationTokenWebhookVersion: values['authentication-token-webhook-version'],
    authenticationTokenWebhookCacheTTL: values['authentication-token-webhook-cache-ttl'],
    requestheaderClientCAFile: values['requestheader-client-ca-file'],
    requestheaderAllowedNames: values['requestheader-allowed-names'],
    requestheaderUsernameHeaders: values['requestheader-username-headers'],
    requestheaderUidHeaders: values['requestheader-uid-headers'],
    requestheaderGroupHeaders: values['requestheader-group-headers'],
    requestheaderExtraHeadersPrefix: values['requestheader-extra-headers-prefix'],
    // With AlwaysAllow, anonymous requests could do everything; kube-apiserver also disables them then.
    anonymousAuth: values['anonymous-auth'] && !values['authorization-mode']?.includes('AlwaysAllow'),
    authenticationConfig: path(values['authentication-config']),
    oidcIssuerURL: values['oidc-issuer-url'],
    oidcClientID: values['oidc-client-id'],
    oidcCAFile: values['oidc-ca-file'],
    oidcUsernameClaim: values['oidc-username-claim'],
    oidcUsernamePrefix: values['oidc-username-prefix'],
    oidcGroupsClaim: values['oidc-groups-claim'],
    oidcGroupsPrefix: values['oidc-groups-prefix'],
    oidcRequiredClaim: values['oidc-required-claim'],
    oidcSigningAlgs: values['oidc-signing-algs'],
    authorizationMode: values['authorization-mode'],
    authorizationConfig: path(values['authorization-config']),
    authorizationPolicyFile: values['authorization-policy-file'],
    authorizationWebhookConfigFile: values['authorization-webhook-config-file'],
    authorizationWebhookVersion: values['authorization-webhook-version'],
    authorizationWebhookCacheAuthorizedTTL: values['authorization-webhook-cache-authorized-ttl'],
    authorizationWebhookCacheUnauthorizedTTL: values['authorization-webhook-cache-unauthorized-ttl'],
    enableAdmissionPlugins: values['enable-admission-plugins'],
    disableAdmissionPlugins: values['disable-admission-plugins'],
    admissionControlConfigFile: path(values['admission-control-config-file']),
    serviceAccountIssuer: values['service-account-issuer'],
    serviceAccountKeyFiles: values['service-account-key-file'],
    serviceAccountSigningKeyFile: values['service-account-signing-key-file'],
    serviceAccountSigningEndpoint: path(values['service-account-signing-endpoint']),
    apiAudiences: values['api-audiences'],
    serviceAccountLookup: values['service-account-lookup'],
    serviceAccountMaxTokenExpiration: values['service-account-max-token-expiration'],
    serviceAccountExtendTokenExpiration: values['service-account-extend-token-expiration'],
    serviceAccountJwksUri: values['service-account-jwks-uri'],
    tlsMinVersion: values['tls-min-version'],
    tlsCipherSuites: values['tls-cipher-suites'],
    tlsCurvePreferences: values['tls-curve-preferences'],
    disableHttp2Serving: values['disable-http2-serving'],
    http2MaxStreamsPerConnection: values['http2-max-streams-per-connection'],
    strictTransportSecurityDirectives: values['strict-transport-security-directives'],
    eventTtl: values['event-ttl'],
    corsAllowedOrigins: values['cors-allowed-origins'],
    goawayChance: values['goaway-chance'],
    shutdownDelayDuration: values['shutdown-delay-duration'],
    shutdownSendRetryAfter: values['shutdown-send-retry-after'],
    shutdownWatchTerminationGracePeriod: values['shutdown-watch-termination-grace-period'],
    livezGracePeriod: values['livez-grace-period'],
    disabledMetrics: values['disabled-metrics'],
    allowMetricLabels: values['allow-metric-labels'],
    allowMetricLabelsManifest: values['allow-metric-labels-manifest'],
    showHiddenMetricsForVersion: values['show-hidden-metrics-for-version'],
    minRequestTimeout: values['min-request-timeout'] * 1000,
    defaultNotReadyTolerationSeconds: values['default-not-ready-toleration-seconds'],
    defaultUnreachableTolerationSeconds: values['default-unreachable-toleration-seconds'],
    requestTimeout: values['request-timeout'],
    enablePriorityAndFairness: values['enable-priority-and-fairness'],
    maxRequestsInflight: values['max-requests-inflight'],
    maxMutatingRequestsInflight: values['max-mutating-requests-inflight'],
    serviceClusterIPRange: values['service-cluster-ip-range'],
    serviceNodePortRange: values['service-node-port-range'],
    featureGates: parseFeatureGates(values['feature-gates']),
    runtimeConfig: values['runtime-config'],
    emulatedVersion: values['emulated-version'],
    minCompatibilityVersion: values['min-compatibility-version'],
    emulationForwardCompatible: values['emulation-forward-compatible'],
    runtimeConfigEmulationForwardCompatible: values['runtime-config-emulation-forward-compatible'],
    resolveService: values['resolve-service'],
    controllers: values.controllers,
    tracingConfigFile: path(values['tracing-config-file']),
    profiling: values.profiling,
    v: values.v,
    loggingFormat: values['logging-format'],
    logTextSplitStream: values['log-text-split-stream']
  }
}
