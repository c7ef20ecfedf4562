/** Makes the parts of one server from its options, its store and its keys. Nothing here opens, reads or listens. */
import { setMaxListeners } from 'node:events'
import { AdmissionChain } from '../admission/admission.js'
import { admissionPlugins } from '../admission/plugin-list.js'
import { AdmissionPolicies } from '../admission/policy/policies.js'
import { checkScopes } from '../admission/scope.js'
import { AdmissionWebhooks } from '../admission/webhook/admission-webhooks.js'
import { CustomResources } from '../apiextensions/custom-resources.js'
import { OwnKinds } from '../apiextensions/own-kinds.js'
import { AuditErrors } from '../audit/errors.js'
import type { OpenedAudit } from '../audit/open-audit.js'
import { AuditOutput, programSink, unionOf } from '../audit/output.js'
import { answersStage } from '../audit/response-object.js'
import { Audit } from '../audit/stages.js'
import type { TokenAuthenticator } from '../authentication/authenticator.js'
import { impersonationStage } from '../authentication/impersonation/stage.js'
import type { AuthenticationSettings } from '../authentication/jwt/settings.js'
import type { RequestHeaderOptions } from '../authentication/request-header.js'
import { authenticationStage } from '../authentication/stage.js'
import type { LoadedAuthorization } from '../authorization/loaded.js'
import { RbacPolicy } from '../authorization/rbac/policy.js'
import { ServerAuthorizer } from '../authorization/server-authorizer.js'
import { authorizationStage } from '../authorization/stage.js'
import type { Pki } from '../certificates/pki.js'
import { corsStage } from '../chain/cors.js'
import { createHandler, type Handler } from '../chain/handler.js'
import { handlerChain } from '../chain/stages.js'
import { Controllers } from '../controllers/controllers.js'
import { markTokenUsed } from '../controllers/tokens/token-use.js'
import { flagzPath } from '../debug/flagz.js'
import { profilePaths } from '../debug/profiles.js'
import { statuszPath } from '../debug/statusz.js'
import { verbosityPaths } from '../debug/verbosity.js'
import { discoveryPaths } from '../discovery/paths.js'
import { issuerPaths } from '../discovery/service-account-issuer.js'
import type { Backend } from '../endpoints/backend.js'
import { createDispatch, type PathHandler } from '../endpoints/dispatch.js'
import { ResourceBackend } from '../endpoints/resource-backend.js'
import { builtinRules, customRules } from '../endpoints/route-rules.js'
import { WatchFrames } from '../endpoints/watch/frames.js'
import type { EffectiveVersion } from '../features/effective-version.js'
import type { FeatureGates } from '../features/feature-gates.js'
import { healthPaths } from '../health/health.js'
import { ListenerPart } from '../http/listener-part.js'
import { requestLogStage } from '../logging/request-log.js'
import { AuditMetrics } from '../metrics/audit-metrics.js'
import { PrometheusAuthorizationMetrics } from '../metrics/authorization-metrics.js'
import { ConfigReloadMetrics } from '../metrics/config-reload-metrics.js'
import { addFeatureMetrics } from '../metrics/feature-metrics.js'
import { addProcessMetrics, createMetrics, metricsPaths } from '../metrics/paths.js'
import { RequestMetrics } from '../metrics/request-metrics.js'
import { WebhookMetrics } from '../metrics/webhook-metrics.js'
import { describe } from '../openapi/describe.js'
import { openApiPaths } from '../openapi/paths.js'
import type { ServerOptions } from '../options.js'
import { ServiceNetwork } from '../registry/network/service-network.js'
import type { Registry } from '../registry/registry.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import { ServiceAccountTokens } from '../registry/tokens/service-account-tokens.js'
import type { Store } from '../storage/contract.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { systemRandomness } from '../util/randomness.js'
import { WebhookClient } from '../webhooks/client.js'
import type { Kubeconfig } from '../webhooks/kubeconfig.js'
import { serviceOverrides } from '../webhooks/service-overrides.js'
import { serviceResolver } from '../webhooks/service-resolver.js'
import { serverAddressOf } from './address.js'
import { authentication } from './authentication.js'
import { builtinGroups } from './builtin-resources.js'
import { apiAudiencesOf, bindAddressOf, issuersOf, serviceRangeOf } from './defaults.js'
import { flowControl } from './flow-control.js'
import { healthChecks } from './health-checks.js'
import { openPki } from './open-pki.js'
import type { TokenFoundation } from './open-tokens.js'
import { Renewal } from './renewal.js'
import { rootPath } from './root-path.js'
import { tlsSettings } from './tls-settings.js'
import { kubernetesVersion, versionPath } from './version.js'

export interface Foundation {
  readonly version: EffectiveVersion
  readonly features: FeatureGates
  readonly clock: Clock
  readonly log: Logger
  readonly store: Store
  /** The built-in resources, with their caches loaded. */
  readonly registry: Registry
  readonly pki: Pki
  readonly tokens: TokenFoundation
  /** From --token-auth-file. */
  readonly tokenFile: TokenAuthenticator | undefined
  /** From --authentication-config or the --oidc-* flags. */
  readonly authentication: AuthenticationSettings
  readonly requestHeader: RequestHeaderOptions | undefined
  /** From --authentication-token-webhook-config-file. */
  readonly tokenWebhook: Kubeconfig | undefined
  /** The authorizers to make, with their files. */
  readonly authorization: LoadedAuthorization
  /** Undefined when nothing is audited. */
  readonly audit: OpenedAudit | undefined
}

export interface Assembly {
  readonly handler: Handler
  /** In the order in which they start. */
  readonly parts: readonly Part[]
  /** The port that the server listens on, once it does. */
  readonly port: () => number
}

export function assemble(options: ServerOptions, foundation: Foundation): Assembly {
  const { features, clock, log, store, registry, pki } = foundation
  const random = systemRandomness
  const now = () => clock.now()
  /** Aborts when the server is going to stop, and reports not ready; it goes on serving for --shutdown-delay-duration. */
  const leaving = new AbortController()
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  const issuers = issuersOf(options)
  const apiAudiences = apiAudiencesOf(options)
  const metrics = createMetrics(registry)
  addFeatureMetrics(metrics, features)
  const rbac = new RbacPolicy(registry)
  const authorizer = new ServerAuthorizer({
    features,
    loaded: foundation.authorization,
    rbac,
    registry,
    others: options.authorizers ?? [],
    clock,
    random,
    log,
    metrics: new PrometheusAuthorizationMetrics(metrics),
    reloads: new ConfigReloadMetrics(metrics, clock, 'authorization')
  })
  const { authenticator, parts: authenticationParts } = authentication(options, foundation, {
    random,
    metrics,
    markUsed: (secret, day) => void markTokenUsed(secret, day, services, log)
  })

  const network = new ServiceNetwork({
    clusterIPRange: serviceRangeOf(options),
    nodePortRange: options.serviceNodePortRange
  })
  const tokens = new ServiceAccountTokens(foundation.tokens.signer, issuers[0]!, foundation.tokens.lifetimes)
  const services: Services = {
    features,
    clock,
    random,
    store,
    registry,
    network,
    tokens,
    authenticator,
    apiAudiences,
    authorizer,
    rbac
  }

  if (options.processMetrics) addProcessMetrics(metrics)
  const audit = auditOf(foundation, new AuditMetrics(metrics))
  const flow = flowControl(options, registry, clock)
  const requestMetrics = new RequestMetrics(() => performance.now())
  const webhookClient = new WebhookClient(serviceResolver(registry, serviceOverrides(options.resolveService ?? {})))
  const webhooks = new AdmissionWebhooks(registry, webhookClient, new WebhookMetrics(metrics))
  const policies = new AdmissionPolicies(registry)
  // the groups of custom resources, which come and go, are domains
  checkScopes(options.admissionPlugins ?? [], ({ group, resource }) =>
    group === '' ? registry.has('', resource) : builtinGroups.has(group) || group.includes('.')
  )
  const tolerations = {
    notReady: options.defaultNotReadyTolerationSeconds ?? 300,
    unreachable: options.defaultUnreachableTolerationSeconds ?? 300
  }
  const plugins = admissionPlugins({ policies, webhooks, tolerations }, options)
  const admission = new AdmissionChain(plugins)

  const definitionParts = { registry, store, now, uuid: () => random.uuid(), webhooks: webhookClient, builtinGroups, log }
  const ownKinds = new OwnKinds(options.kinds ?? [], definitionParts)
  const customResources = new CustomResources(definitionParts)

  const controllers = new Controllers({
    services,
    rbac,
    customResources,
    admission,
    authority: pki.ca,
    caBundle: pki.serving.trust,
    clientCAs: pki.clientCAs,
    requestHeader: foundation.requestHeader,
    eventTtl: options.eventTtl ?? 3_600_000,
    port: () => listener.port,
    controllers: options.controllers,
    prioritizes: options.enablePriorityAndFairness ?? true,
    log
  })
  const serverAddress = () => serverAddressOf(options, listener.port)
  const checks = healthChecks(options, {
    store,
    registry,
    stopping: leaving.signal,
    hasDefaultRoles: () => controllers.hasDefaultRoles
  })
  const shared = {
    registry,
    services,
    admission,
    frames: new WatchFrames(),
    stopping: stopping.signal,
    minWatchMs: options.minRequestTimeout ?? 30 * 60_000
  }
  const isCustom = (resource: Resource) => resource.kind.custom !== undefined
  const backends: Backend[] = [
    new ResourceBackend({
      ...shared,
      name: 'built-in kinds',
      serves: resource => !isCustom(resource),
      rules: builtinRules,
      describe: served => describe(served, true)
    }),
    new ResourceBackend({
      ...shared,
      name: 'custom resources',
      serves: isCustom,
      rules: customRules,
      describe: served => describe(served, false)
    })
  ]
  const paths: PathHandler[] = [
    versionPath(foundation.version),
    ...discoveryPaths(backends, serverAddress),
    ...issuerPaths({
      issuer: issuers[0]!,
      keys: foundation.tokens.keys,
      jwksUri: options.serviceAccountJwksUri,
      serverAddress
    }),
    ...healthPaths({ ...checks, log: log.error }),
    ...openApiPaths(backends),
    ...metricsPaths(metrics, requestMetrics, flow.metrics),
    ...flow.paths
  ]
  const root = rootPath(paths, backends)
  paths.push(
    root,
    statuszPath({ clock, version: foundation.version, binaryVersion: kubernetesVersion.slice(1), paths: () => root.list() }),
    flagzPath(options.flags ?? {}),
    ...(options.profiling === false ? [] : [...profilePaths, ...verbosityPaths(log)])
  )
  const stages = handlerChain({
    metrics: requestMetrics.stage,
    requestLog: requestLogStage(log, now),
    cors: options.corsAllowedOrigins?.length ? corsStage(options.corsAllowedOrigins) : undefined,
    audit: audit?.stages,
    authentication: authenticationStage(authenticator),
    impersonation: impersonationStage(authorizer),
    flowControl: flow.stage,
    authorization: authorizationStage(authorizer),
    dispatch: createDispatch({ backends, paths, store }),
    requestTimeout: options.requestTimeout ?? 60_000,
    log
  })
  const handler = createHandler(stages, {
    now,
    uuid: () => random.uuid(),
    strictTransportSecurity: options.strictTransportSecurityDirectives?.join('; ')
  })
  const listener = new ListenerPart(handler, {
    address: bindAddressOf(options),
    port: options.securePort ?? 0,
    certificate: pki.serving.certificate,
    key: pki.serving.key,
    tls: tlsSettings(options),
    http2: {
      disabled: options.disableHttp2Serving ?? false,
      maxStreams: options.http2MaxStreamsPerConnection ?? 0,
      goawayChance: options.goawayChance ?? 0
    },
    clientCAs: [...pki.clientCAs, ...(foundation.requestHeader?.authorities ?? [])]
  })
  const renewal = new Renewal(clock, async () => listener.use((await openPki(options, clock)).serving), log)

  const parts: Part[] = [
    // the last event is that of the last request
    ...(audit?.outputs ?? []),
    { name: 'calls to webhooks', stop: () => webhookClient.close() },
    rbac,
    authorizer,
    webhooks,
    policies,
    ...authenticationParts,
    ownKinds,
    customResources,
    { name: 'service network', start: () => network.start(registry, store, now), stop: () => network.stop() },
    ...flow.parts,
    listener,
    renewal,
    controllers,
    // the last part stops first: the server reports not ready, and watches end
    { name: 'watches', stop: () => stopping.abort() },
    { name: 'readiness', stop: () => leave(leaving, options.shutdownDelayDuration ?? 0, clock) }
  ]
  return { handler, parts, port: () => listener.port }
}

function auditOf({ audit, clock, log }: Foundation, metrics: AuditMetrics) {
  if (!audit) return undefined
  const errors = new AuditErrors(metrics, log, clock)
  const outputs = audit.outputs.map(({ target, options }) => new AuditOutput(target, options, errors, clock))
  const sink = unionOf(audit.write ? [...outputs, programSink(audit.write, errors)] : outputs)
  const { stage, refusals } = new Audit({ policy: audit.policy, sink, metrics, clock })
  return { outputs, stages: { stage, refusals, answers: answersStage } }
}

/** Reports not ready, and resolves when load balancers have had their time to notice. */
function leave(leaving: AbortController, milliseconds: number, clock: Clock): void | Promise<void> {
  leaving.abort()
  if (milliseconds > 0) return new Promise(resolve => void clock.setTimeout(resolve, milliseconds))
}
