/** What a server has opened and read before its parts are made. */
import type { AdmissionSettings } from '../admission/configuration/load-settings.js'
import type { EffectiveVersion } from '../apimachinery/features/effective-version.js'
import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import type { FrontProxyCertificate } from '../apiserver/aggregation/remote-connections.js'
import type { OpenedAudit } from '../apiserver/audit/open-audit.js'
import type { ServerFaults } from '../apiserver/faults/faults.js'
import type { Tracer } from '../apiserver/tracing/tracer.js'
import type { TokenAuthenticator } from '../auth/authentication/authenticator.js'
import type { AuthenticationSettings } from '../auth/authentication/jwt/settings.js'
import type { RequestHeaderOptions } from '../auth/authentication/request-header.js'
import type { LoadedAuthorization } from '../auth/authorization/loaded.js'
import type { Registry } from '../registry/registry.js'
import type { Store } from '../storage/contract.js'
import type { Encryption } from '../storage/encryption/encryption.js'
import type { HistoryStore } from '../storage/history-store.js'
import type { Pki } from '../transport/certificates/pki.js'
import type { EgressSelector } from '../transport/egress/egress-selector.js'
import type { TlsOptions } from '../transport/proxy/dial.js'
import type { Kubeconfig } from '../transport/webhooks/kubeconfig.js'
import type { Clock } from '../util/clock.js'
import type { MetricOptions, Metrics } from '../util/instruments/metrics.js'
import type { Logger } from '../util/logger.js'
import type { Randomness } from '../util/randomness.js'
import type { FindCertificate } from './named-certificates.js'
import type { TokenFoundation } from './open-tokens.js'

export interface Foundation {
  readonly version: EffectiveVersion
  readonly metrics: Metrics
  readonly metricOptions: MetricOptions
  readonly features: FeatureGates
  readonly clock: Clock
  readonly random: Randomness
  /** The name of the machine as clients see it. */
  readonly hostName: string
  readonly log: Logger
  readonly faults: ServerFaults
  /** Whether the server goes on from a snapshot in this process: with the same options, so that nothing is to be written at the start. */
  readonly continues: boolean
  /** Whether the store was empty and has just received the objects with which every server begins. */
  readonly isPrepared: boolean
  readonly store: Store
  /** The engine that stores the values, encrypted or not. */
  readonly engine: Store
  /** Undefined for a server that keeps no history. */
  readonly history: HistoryStore | undefined
  /** The stores of --etcd-servers-overrides. */
  readonly others: readonly Store[]
  /** Undefined when nothing is stored encrypted. */
  readonly encryption: Encryption | undefined
  /** The built-in resources, with their caches loaded. */
  readonly registry: Registry
  readonly pki: Pki
  readonly tokens: TokenFoundation
  /** From --token-auth-file. */
  readonly tokenFile: TokenAuthenticator | undefined
  /** From --authentication-config or the --oidc-* flags. */
  readonly authentication: AuthenticationSettings
  readonly requestHeader: RequestHeaderOptions | undefined
  /** The certificate with which this server identifies itself to other API servers. */
  readonly frontProxy: FrontProxyCertificate | undefined
  /** From --peer-ca-file: PEM of the authorities of the other API servers' certificates. */
  readonly peerAuthorities: string | undefined
  /** From --authentication-token-webhook-config-file. */
  readonly tokenWebhook: Kubeconfig | undefined
  /** The authorizers to make, with the files that they need. */
  readonly authorization: LoadedAuthorization
  /** From --admission-control-config-file. */
  readonly admission: AdmissionSettings
  /** Undefined when nothing is audited. */
  readonly audit: OpenedAudit | undefined
  /** Finds the serving certificate of a host name, where --tls-sni-cert-key has some. */
  readonly certificateFor: FindCertificate | undefined
  /** The credentials by which the server and kubelets know each other. */
  readonly kubelets: () => Promise<TlsOptions>
  /** The egress selections: through which proxies the server reaches others. */
  readonly egress: EgressSelector
  /** Undefined when nothing is traced. */
  readonly tracer: Tracer | undefined
}
