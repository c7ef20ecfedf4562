/** What the options of the library must be. A caller in JavaScript has no compiler that says so. */
import type { ServerOptions } from '../options.js'

/** The names of all options by what their values are. */
const options = {
  text: [
    'seed',
    'bindAddress',
    'tracingConfigFile',
    'advertiseAddress',
    'peerAdvertiseIP',
    'peerAdvertisePort',
    'debugSocketPath',
    'endpointReconcilerType',
    'dataDir',
    'storageBackend',
    'etcdPrefix',
    'etcdCAFile',
    'etcdCertFile',
    'etcdKeyFile',
    'encryptionProviderConfig',
    'certDir',
    'tlsCertFile',
    'tlsPrivateKeyFile',
    'clientCAFile',
    'kubeletCertificateAuthority',
    'egressSelectorConfigFile',
    'kubeletClientCertificate',
    'kubeletClientKey',
    'externalHostname',
    'tokenAuthFile',
    'authenticationConfig',
    'oidcIssuerURL',
    'oidcClientID',
    'oidcCAFile',
    'oidcUsernameClaim',
    'oidcUsernamePrefix',
    'oidcGroupsClaim',
    'oidcGroupsPrefix',
    'authenticationTokenWebhookConfigFile',
    'authenticationTokenWebhookVersion',
    'requestheaderClientCAFile',
    'proxyClientCertFile',
    'proxyClientKeyFile',
    'authorizationConfig',
    'admissionControlConfigFile',
    'authorizationPolicyFile',
    'authorizationWebhookConfigFile',
    'authorizationWebhookVersion',
    'serviceAccountSigningKeyFile',
    'serviceAccountSigningEndpoint',
    'serviceAccountJwksUri',
    'tlsMinVersion',
    'serviceClusterIPRange',
    'serviceNodePortRange',
    'auditPolicyFile',
    'auditLogPath',
    'auditLogFormat',
    'auditLogMode',
    'auditLogVersion',
    'auditWebhookConfigFile',
    'auditWebhookMode',
    'auditWebhookVersion',
    'loggingFormat',
    'allowMetricLabelsManifest',
    'showHiddenMetricsForVersion'
  ],
  number: [
    'securePort',
    'apiserverCount',
    'kubernetesServiceNodePort',
    'etcdCompactionInterval',
    'etcdDbMetricPollInterval',
    'leaseReuseDurationSeconds',
    'etcdHealthcheckTimeout',
    'etcdReadycheckTimeout',
    'authenticationTokenWebhookCacheTTL',
    'authorizationWebhookCacheAuthorizedTTL',
    'authorizationWebhookCacheUnauthorizedTTL',
    'serviceAccountMaxTokenExpiration',
    'http2MaxStreamsPerConnection',
    'goawayChance',
    'maxConnectionBytesPerSec',
    'shutdownDelayDuration',
    'shutdownWatchTerminationGracePeriod',
    'livezGracePeriod',
    'minRequestTimeout',
    'coordinatedLeadershipLeaseDuration',
    'coordinatedLeadershipRenewDeadline',
    'coordinatedLeadershipRetryPeriod',
    'eventTtl',
    'defaultNotReadyTolerationSeconds',
    'defaultUnreachableTolerationSeconds',
    'requestTimeout',
    'maxRequestsInflight',
    'maxMutatingRequestsInflight',
    'auditLogMaxSize',
    'auditLogMaxAge',
    'auditLogMaxBackup',
    'auditLogBatchBufferSize',
    'auditLogBatchMaxSize',
    'auditLogBatchMaxWait',
    'auditLogBatchThrottleQPS',
    'auditLogBatchThrottleBurst',
    'auditLogTruncateMaxEventSize',
    'auditLogTruncateMaxBatchSize',
    'auditWebhookInitialBackoff',
    'auditWebhookBatchBufferSize',
    'auditWebhookBatchMaxSize',
    'auditWebhookBatchMaxWait',
    'auditWebhookBatchThrottleQPS',
    'auditWebhookBatchThrottleBurst',
    'auditWebhookTruncateMaxEventSize',
    'auditWebhookTruncateMaxBatchSize',
    'v'
  ],
  boolean: [
    'listen',
    'unref',
    'testApi',
    'enableGarbageCollector',
    'enableAggregatorRouting',
    'aggregatorRejectForwardingRedirect',
    'permitPortSharing',
    'enablePriorityAndFairness',
    'enableBootstrapTokenAuth',
    'anonymousAuth',
    'serviceAccountLookup',
    'encryptionProviderConfigAutomaticReload',
    'serviceAccountExtendTokenExpiration',
    'disableHttp2Serving',
    'emulationForwardCompatible',
    'runtimeConfigEmulationForwardCompatible',
    'profiling',
    'processMetrics',
    'shutdownSendRetryAfter',
    'auditLogCompress',
    'auditLogBatchThrottleEnable',
    'auditLogTruncateEnabled',
    'auditWebhookBatchThrottleEnable',
    'auditWebhookTruncateEnabled',
    'logTextSplitStream'
  ],
  texts: [
    'etcdServers',
    'etcdServersOverrides',
    'tlsSniCertKey',
    'oidcSigningAlgs',
    'requestheaderAllowedNames',
    'requestheaderUsernameHeaders',
    'requestheaderUidHeaders',
    'requestheaderGroupHeaders',
    'requestheaderExtraHeadersPrefix',
    'authorizationMode',
    'enableAdmissionPlugins',
    'disableAdmissionPlugins',
    'kubeletPreferredAddressTypes',
    'serviceAccountIssuer',
    'serviceAccountKeyFiles',
    'apiAudiences',
    'tlsCipherSuites',
    'strictTransportSecurityDirectives',
    'corsAllowedOrigins',
    'emulatedVersion',
    'minCompatibilityVersion',
    'controllers',
    'disabledMetrics'
  ],
  numbers: ['tlsCurvePreferences'],
  switches: ['featureGates', 'runtimeConfig'],
  textsByName: ['oidcRequiredClaim', 'allowMetricLabels', 'resolveService', 'flags'],
  object: ['store', 'log', 'clock', 'auditPolicy'],
  recorder: ['recorder'],
  objects: ['kinds', 'authenticators', 'authorizers', 'admissionPlugins', 'reconcilers'],
  function: ['auditWrite']
} as const

type Type = keyof typeof options
type Listed = (typeof options)[Type][number]
// an option that is missing here, or only here, is an error of the compiler
type Complete = [Exclude<keyof ServerOptions, Listed>, Exclude<Listed, keyof ServerOptions>] extends [never, never]
  ? unknown
  : never

const each = (values: unknown, isOne: (value: unknown) => boolean) => Array.isArray(values) && values.every(isOne)
const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number' && !Number.isNaN(value)
const isBoolean = (value: unknown) => typeof value === 'boolean'

export interface OptionType {
  /** Completes "must be …". */
  readonly what: string
  is(value: unknown): boolean
}

const types: Readonly<Record<Type, OptionType>> = {
  text: { what: 'a string', is: isText },
  number: { what: 'a number', is: isNumber },
  boolean: { what: 'true or false', is: isBoolean },
  texts: { what: 'a list of strings', is: value => each(value, isText) },
  numbers: { what: 'a list of numbers', is: value => each(value, isNumber) },
  switches: {
    what: 'an object whose values are true or false',
    is: value => isMap(value) && each(Object.values(value), isBoolean)
  },
  textsByName: { what: 'an object whose values are strings', is: value => isMap(value) && each(Object.values(value), isText) },
  object: { what: 'an object', is: isMap },
  recorder: { what: 'true, false or an object', is: value => isBoolean(value) || isMap(value) },
  objects: { what: 'a list of objects', is: value => each(value, isMap) },
  function: { what: 'a function', is: value => typeof value === 'function' }
}

/** The types of all options by name. */
export const optionTypes: ReadonlyMap<string, OptionType> & Complete = new Map(
  Object.entries(options).flatMap(([type, names]) => names.map(name => [name, types[type as Type]] as const))
)
