import { join, resolve } from 'node:path'
import { admissionPluginNames } from '../admission/plugin-names.js'
import { parseFeatureGates } from '../apimachinery/features/parse-gates.js'
import type { ServerOptions } from '../server/options.js'
import { UserError } from '../util/user-error.js'
import { auditOptions } from './audit-options.js'
import type { FlagValues } from './flags/flag.js'
import type { acceptedFlags } from './flags/serve-flags.js'

export type ServeValues = FlagValues<typeof acceptedFlags>

/** The default data folder: easy to find and to remove. */
export const DEFAULT_DATA_DIR = '.binnacle'

/** The former flag names all plugins that run. */
function admissionPlugins(values: ServeValues): Pick<ServerOptions, 'enableAdmissionPlugins' | 'disableAdmissionPlugins'> {
  const { 'admission-control': all, 'enable-admission-plugins': enabled, 'disable-admission-plugins': disabled } = values
  if (all === undefined) return { enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled }
  if (enabled.length > 0 || disabled.length > 0)
    throw new UserError('admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive')
  return { enableAdmissionPlugins: all, disableAdmissionPlugins: admissionPluginNames.filter(name => !all.includes(name)) }
}

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
    leaseReuseDurationSeconds: values['lease-reuse-duration-seconds'],
    etcdCompactionInterval: values['etcd-compaction-interval'],
    etcdDbMetricPollInterval: values['etcd-db-metric-poll-interval'],
    etcdHealthcheckTimeout: values['etcd-healthcheck-timeout'],
    etcdReadycheckTimeout: values['etcd-readycheck-timeout'],
    encryptionProviderConfig: path(values['encryption-provider-config'] || undefined),
    encryptionProviderConfigAutomaticReload: values['encryption-provider-config-automatic-reload'],
    bindAddress: values['bind-address'],
    advertiseAddress: values['advertise-address'],
    endpointReconcilerType: values['endpoint-reconciler-type'],
    debugSocketPath: path(values['debug-socket-path']),
    etcdServersOverrides: values['etcd-servers-overrides'],
    permitPortSharing: values['permit-port-sharing'],
    enableGarbageCollector: values['enable-garbage-collector'],
    apiserverCount: values['apiserver-count'],
    kubernetesServiceNodePort: values['kubernetes-service-node-port'],
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
    ...admissionPlugins(values),
    allowPrivileged: values['allow-privileged'],
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
    peerCAFile: path(values['peer-ca-file']),
    peerAdvertiseIP: values['peer-advertise-ip'],
    peerAdvertisePort: values['peer-advertise-port'],
    coordinatedLeadershipLeaseDuration: values['coordinated-leadership-lease-duration'],
    coordinatedLeadershipRenewDeadline: values['coordinated-leadership-renew-deadline'],
    coordinatedLeadershipRetryPeriod: values['coordinated-leadership-retry-period'],
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
    apiGroups: values['api-groups'].includes('all') ? undefined : values['api-groups'],
    runtimeConfig: values['runtime-config'],
    emulatedVersion: values['emulated-version'],
    minCompatibilityVersion: values['min-compatibility-version'],
    emulationForwardCompatible: values['emulation-forward-compatible'],
    runtimeConfigEmulationForwardCompatible: values['runtime-config-emulation-forward-compatible'],
    proxyClientCertFile: values['proxy-client-cert-file'],
    proxyClientKeyFile: values['proxy-client-key-file'],
    enableAggregatorRouting: values['enable-aggregator-routing'],
    aggregatorRejectForwardingRedirect: values['aggregator-reject-forwarding-redirect'],
    resolveService: values['resolve-service'],
    testApi: values['test-api'],
    kubeletCertificateAuthority: path(values['kubelet-certificate-authority']),
    kubeletClientCertificate: path(values['kubelet-client-certificate']),
    kubeletClientKey: path(values['kubelet-client-key']),
    kubeletPreferredAddressTypes: values['kubelet-preferred-address-types'],
    egressSelectorConfigFile: path(values['egress-selector-config-file']),
    maxConnectionBytesPerSec: values['max-connection-bytes-per-sec'],
    controllers: values.controllers,
    tracingConfigFile: path(values['tracing-config-file']),
    profiling: values.profiling,
    v: values.v,
    loggingFormat: values['logging-format'],
    logTextSplitStream: values['log-text-split-stream']
  }
}
