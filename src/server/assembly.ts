/** Makes the parts of one server from its options, its store and its keys. Nothing here opens, reads or listens. */

import { X509Certificate } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { AdmissionChain } from '../admission/admission.js'
import { AdmissionMetrics } from '../admission/admission-metrics.js'
import type { AdmissionSettings } from '../admission/configuration/load-settings.js'
import { openImagePolicy } from '../admission/image-policy/image-policy.js'
import { admissionPlugins } from '../admission/plugin-list.js'
import { AdmissionPolicies } from '../admission/policy/policies.js'
import { checkScopes } from '../admission/scope.js'
import { AdmissionWebhooks } from '../admission/webhook/admission-webhooks.js'
import { WebhookMetrics } from '../admission/webhook/webhook-metrics.js'
import { aggregationOf } from '../aggregation/aggregation.js'
import type { FrontProxyCertificate } from '../aggregation/remote-connections.js'
import * as refs from '../api/resources.js'
import { CustomResources } from '../apiextensions/custom-resources.js'
import { DefinitionMetrics } from '../apiextensions/definition-metrics.js'
import { OwnKinds } from '../apiextensions/own-kinds.js'
import { AuditErrors } from '../audit/errors.js'
import type { OpenedAudit } from '../audit/open-audit.js'
import { AuditOutput, programSink, unionOf } from '../audit/output.js'
import { answersStage } from '../audit/response-object.js'
import { Audit } from '../audit/stages.js'
import { AuthenticationAttempts } from '../authentication/attempts.js'
import type { TokenAuthenticator } from '../authentication/authenticator.js'
import { ImpersonationMetrics } from '../authentication/impersonation/impersonation-metrics.js'
import { impersonationStage } from '../authentication/impersonation/stage.js'
import type { AuthenticationSettings } from '../authentication/jwt/settings.js'
import type { RequestHeaderOptions } from '../authentication/request-header.js'
import { authenticationStage } from '../authentication/stage.js'
import { AuthorizationAttempts } from '../authorization/attempts.js'
import type { LoadedAuthorization } from '../authorization/loaded.js'
import { RbacPolicy } from '../authorization/rbac/policy.js'
import { ServerAuthorizer } from '../authorization/server-authorizer.js'
import { authorizationStage } from '../authorization/stage.js'
import type { Pki } from '../certificates/pki.js'
import { corsStage } from '../chain/cors.js'
import { Drain } from '../chain/drain.js'
import { createHandler, type Handler } from '../chain/handler.js'
import { handlerChain } from '../chain/stages.js'
import { Controllers } from '../controllers/controllers.js'
import { presentAddresses } from '../controllers/kubernetes-service/endpoints.js'
import { aloneAt, countedServers, leasesIn, type ServerAddresses } from '../controllers/kubernetes-service/server-addresses.js'
import { StorageVersionUpdates } from '../controllers/server-objects/storage-version-updates.js'
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
import { watchMetrics } from '../endpoints/watch/watch-metrics.js'
import type { EffectiveVersion } from '../features/effective-version.js'
import type { FeatureGates } from '../features/feature-gates.js'
import { healthPaths } from '../health/health.js'
import { HealthMetrics } from '../health/health-metrics.js'
import { type Hook, Startup } from '../health/startup.js'
import { ListenerPart } from '../http/listener-part.js'
import { type MetricOptions, Metrics } from '../instruments/metrics.js'
import { WorkQueues } from '../instruments/work-queues.js'
import { requestLogStage } from '../logging/request-log.js'
import { AuditMetrics } from '../metrics/audit-metrics.js'
import { PrometheusAuthorizationMetrics } from '../metrics/authorization-metrics.js'
import { addCacheMetrics } from '../metrics/cache-metrics.js'
import { ConfigReloadMetrics } from '../metrics/config-reload-metrics.js'
import { addFeatureMetrics } from '../metrics/feature-metrics.js'
import { LazyMetrics } from '../metrics/lazy-metrics.js'
import { metricsPaths } from '../metrics/paths.js'
import { addBuildMetrics, addProcessMetrics } from '../metrics/process-metrics.js'
import { requestFamilies } from '../metrics/request-families.js'
import { RequestMetrics } from '../metrics/request-metrics.js'
import { connectionsOf } from '../nodes/connections.js'
import type { TlsOptions } from '../nodes/dial.js'
import { describe } from '../openapi/describe.js'
import { openApiPaths } from '../openapi/paths.js'
import type { ServerOptions } from '../options.js'
import { Client, systemUser } from '../registry/client.js'
import { ServiceNetwork } from '../registry/network/service-network.js'
import type { Registry } from '../registry/registry.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import { ServiceAccountTokens } from '../registry/tokens/service-account-tokens.js'
import type { RequestRoute } from '../request/record.js'
import type { RequestInfo } from '../request/request-info.js'
import type { Store } from '../storage/contract.js'
import type { Encryption } from '../storage/encryption/encryption.js'
import { tracingStage } from '../tracing/stage.js'
import type { Tracer } from '../tracing/tracer.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { systemRandomness } from '../util/randomness.js'
import { WebhookClient } from '../webhooks/client.js'
import type { Kubeconfig } from '../webhooks/kubeconfig.js'
import { serviceOverrides } from '../webhooks/service-overrides.js'
import { serviceResolver } from '../webhooks/service-resolver.js'
import { publicAddressOf, serverAddressOf } from './address.js'
import { admissionManifests } from './admission-manifests.js'
import { authentication } from './authentication.js'
import { builtinGroups } from './builtin-resources.js'
import { debugAccess } from './debug-access.js'
import { apiAudiencesOf, bindAddressOf, issuersOf, serviceRangeOf } from './defaults.js'
import { flowControl } from './flow-control.js'
import { loadFrontProxy, publishedTrust } from './front-proxy.js'
import { healthChecks } from './health-checks.js'
import type { FindCertificate } from './named-certificates.js'
import { openPki } from './open-pki.js'
import type { TokenFoundation } from './open-tokens.js'
import { Renewal } from './renewal.js'
import { rootPath } from './root-path.js'
import { needsDrain, shutdownParts } from './shutdown.js'
import { tlsSettings } from './tls-settings.js'
import { kubernetesVersion, versionInfo, versionPath } from './version.js'

export interface Foundation {
  readonly version: EffectiveVersion
  readonly metrics: Metrics
  readonly metricOptions: MetricOptions
  readonly features: FeatureGates
  readonly clock: Clock
  readonly log: Logger
  readonly store: Store
  /** The stores of single resources. */
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
  /** Shown to extension API servers. */
  readonly frontProxy: FrontProxyCertificate | undefined
  /** From --authentication-token-webhook-config-file. */
  readonly tokenWebhook: Kubeconfig | undefined
  /** The authorizers to make, with their files. */
  readonly authorization: LoadedAuthorization
  /** From --admission-control-config-file. */
  readonly admission: AdmissionSettings
  /** Undefined when nothing is audited. */
  readonly audit: OpenedAudit | undefined
  /** Finds the serving certificate of a host name, where --tls-sni-cert-key has some. */
  readonly certificateFor: FindCertificate | undefined
  /** How the server and kubelets prove who they are to each other. */
  readonly kubelets: () => Promise<TlsOptions>
  /** Undefined when nothing is traced. */
  readonly tracer: Tracer | undefined
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
  const { metrics } = foundation
  const library = new LazyMetrics(foundation.metricOptions.disabled)
  const slis = new Metrics(foundation.metricOptions, false)
  const startup = new Startup()
  const drain = new Drain()
  addFeatureMetrics(metrics, features)
  addBuildMetrics(metrics, versionInfo(foundation.version))
  addCacheMetrics(metrics, registry)
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

  const network = new ServiceNetwork(
    {
      clusterIPRange: serviceRangeOf(options),
      nodePortRange: options.serviceNodePortRange
    },
    metrics
  )
  const tokens = new ServiceAccountTokens(foundation.tokens.signer, issuers[0]!, foundation.tokens.lifetimes)
  const services: Services = {
    features,
    collectsGarbage: options.enableGarbageCollector ?? true,
    clock,
    random,
    store,
    registry,
    queues: new WorkQueues(metrics),
    network,
    tokens,
    authenticator,
    apiAudiences,
    authorizer,
    rbac,
    connections: connectionsOf(foundation.kubelets, options.kubeletPreferredAddressTypes)
  }

  if (options.processMetrics) addProcessMetrics(metrics, library)
  const audit = auditOf(foundation, new AuditMetrics(metrics))
  const flow = flowControl(options, registry, features, clock)
  const families = requestFamilies(metrics)
  const requestMetrics = new RequestMetrics({
    families,
    now: () => performance.now(),
    routeOf: info => servedRoute(registry, info)
  })
  const admissionMetrics = new AdmissionMetrics(metrics)
  const overrides = serviceOverrides(options.resolveService ?? {})
  const resolveService = serviceResolver(registry, overrides)
  const webhookClient = new WebhookClient(resolveService)
  const settings = foundation.admission
  const clients = {
    mutating: new WebhookClient(resolveService, settings.mutatingCredentials),
    validating: new WebhookClient(resolveService, settings.validatingCredentials)
  }
  const webhooks = new AdmissionWebhooks(registry, clients, new WebhookMetrics(metrics), admissionMetrics)
  const imagePolicy = settings.imagePolicy && openImagePolicy(settings.imagePolicy, clock, random)
  const policies = new AdmissionPolicies(registry, admissionMetrics)
  const manifests = admissionManifests({ settings, webhooks, policies }, { metrics, clock, log, features })
  // the groups of custom resources, which come and go, are domains
  checkScopes(options.admissionPlugins ?? [], ({ group, resource }) =>
    group === '' ? registry.has('', resource) : builtinGroups.has(group) || group.includes('.')
  )
  const tolerations = {
    notReady: options.defaultNotReadyTolerationSeconds ?? 300,
    unreachable: options.defaultUnreachableTolerationSeconds ?? 300
  }
  const pluginParts = { metrics: admissionMetrics, policies, webhooks, clock, settings, imagePolicy, tolerations }
  const plugins = admissionPlugins(pluginParts, options)
  const admission = new AdmissionChain(plugins, admissionMetrics)

  const definitionParts = {
    registry,
    store,
    now,
    uuid: () => random.uuid(),
    webhooks: webhookClient,
    metrics: new DefinitionMetrics(metrics),
    builtinGroups,
    log
  }
  const ownKinds = new OwnKinds(options.kinds ?? [], definitionParts)
  const customResources = new CustomResources(definitionParts)

  const prioritizes = options.enablePriorityAndFairness ?? true
  const updates = new StorageVersionUpdates()
  const forServers = [refs.apiServices, refs.services, refs.endpointSlices, refs.endpoints]
  const aggregation = forServers.every(ref => registry.serves(ref))
    ? aggregationOf({
        services,
        client: new Client(services, admission, { user: systemUser('system:apiserver'), manager: 'kube-apiserver' }),
        resolve: resolveService,
        isOverridden: (namespace, name, port) =>
          overrides.has(`${namespace}/${name}`) || overrides.has(`${namespace}/${name}:${port}`),
        certificate: foundation.frontProxy,
        rejectsRedirects: options.aggregatorRejectForwardingRedirect ?? true,
        metrics,
        startup,
        log
      })
    : undefined
  const controllers = new Controllers({
    services,
    startup,
    rbac,
    customResources,
    admission,
    authority: pki.ca,
    caBundle: pki.serving.trust,
    clientCAs: pki.clientCAs,
    requestHeader: publishedTrust(foundation.requestHeader, pki),
    eventTtl: options.eventTtl ?? 3_600_000,
    serverAddresses: serverAddresses(options, store, registry),
    kubernetesServiceNodePort: options.kubernetesServiceNodePort ?? 0,
    port: () => listener.port,
    controllers: options.controllers,
    prioritizes,
    updates,
    remoteContent: aggregation?.content,
    remoteGarbage: aggregation?.garbage,
    log
  })
  const serverAddress = () => serverAddressOf(options, listener.port)
  controllers.prepare()
  const started = {
    caches: startup.during({ name: 'caches' }, ...cacheHooks(registry, prioritizes)),
    policies: startup.during(policies, 'start-apiserver-admission-initializer'),
    customResources: startup.during(customResources, 'crd-informer-synced'),
    network: startup.during(
      { name: 'service network', start: () => network.start(registry, store, now), stop: () => network.stop() },
      'start-service-ip-repair-controllers'
    )
  }
  let expiry = expiryOf(options, pki)
  if (options.encryptionProviderConfigAutomaticReload) startup.done('start-encryption-provider-config-automatic-reload')
  const checks = healthChecks(options, {
    store,
    others: foundation.others,
    encryption: foundation.encryption,
    registry,
    startup,
    clock,
    stopping: leaving.signal,
    certificateExpiry: () => expiry,
    isRegistered: () => controllers.isRegistered
  })
  const shared = {
    registry,
    services,
    admission,
    frames: new WatchFrames(),
    watchMetrics: watchMetrics(metrics),
    stopping: stopping.signal,
    minWatchMs: options.minRequestTimeout ?? 30 * 60_000
  }
  const isCustom = (resource: Resource) => resource.kind.custom !== undefined
  const backends: Backend[] = [
    ...(aggregation ? [aggregation.backend] : []),
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
    ...discoveryPaths(backends, serverAddress, (group, version) => aggregation?.table.priority(group, version)),
    ...issuerPaths({
      issuer: issuers[0]!,
      keys: foundation.tokens.keys,
      jwksUri: options.serviceAccountJwksUri,
      serverAddress
    }),
    ...healthPaths({ checks, metrics: new HealthMetrics(slis), log }),
    ...openApiPaths(backends),
    ...metricsPaths({ metrics, library, more: flow.metrics, slis }),
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
    filterTimes: filter => families.filters.of(filter),
    compresses: features.enabled('APIResponseCompression'),
    lateWorkEnded: how => families.postTimeout.of('timeout-handler', how).add(),
    drain: needsDrain(options) ? drain.stage : undefined,
    requestLog: requestLogStage(log, now),
    cors: options.corsAllowedOrigins?.length ? corsStage(options.corsAllowedOrigins) : undefined,
    audit: audit?.stages,
    authentication: authenticationStage(
      authenticator,
      new AuthenticationAttempts(metrics, families.filters.of('authentication'))
    ),
    tracing: foundation.tracer && tracingStage(foundation.tracer),
    impersonation: impersonationStage(authorizer, new ImpersonationMetrics(metrics)),
    flowControl: flow.stage,
    authorization: authorizationStage(authorizer, new AuthorizationAttempts(metrics, families.filters.of('authorization'))),
    storageVersions: updates.isComplete ? undefined : updates.stage,
    dispatch: createDispatch({ backends, paths, store }),
    requestTimeout: options.requestTimeout ?? 60_000,
    log
  })
  const handler = createHandler(stages, {
    now,
    uuid: () => random.uuid(),
    strictTransportSecurity: options.strictTransportSecurityDirectives?.join('; ')
  })
  const handshakeErrors = metrics
    .counter({ name: 'apiserver_tls_handshake_errors_total', help: 'TLS handshakes that failed.', stage: 'ALPHA' })
    .of()
  const listener = new ListenerPart(handler, {
    address: bindAddressOf(options),
    port: options.securePort ?? 0,
    sharesPort: options.permitPortSharing ?? false,
    certificate: pki.serving.certificate,
    key: pki.serving.key,
    tls: tlsSettings(options),
    certificateFor: foundation.certificateFor,
    http2: {
      disabled: options.disableHttp2Serving ?? false,
      maxStreams: options.http2MaxStreamsPerConnection ?? 0,
      goawayChance: options.goawayChance ?? 0
    },
    handshakeFailed: () => handshakeErrors.add(),
    clientCAs: [...pki.clientCAs, ...(foundation.requestHeader?.authorities ?? [])]
  })
  const renew = async () => {
    const renewed = await openPki(options, clock)
    expiry = expiryOf(options, renewed)
    listener.use(renewed.serving)
    aggregation?.connections.use(await loadFrontProxy(options, renewed))
  }
  const renewal = new Renewal(clock, renew, log)

  const parts: Part[] = [
    started.caches,
    // the last event is that of the last request
    ...(audit?.outputs ?? []),
    { name: 'traces', stop: () => foundation.tracer?.stop() },
    { name: 'calls to webhooks', stop: () => webhookClient.close() },
    ...(imagePolicy ? [imagePolicy] : []),
    rbac,
    authorizer,
    webhooks,
    ...manifests,
    started.policies,
    ...authenticationParts,
    ownKinds,
    started.customResources,
    started.network,
    ...(aggregation?.before ?? []),
    ...flow.parts,
    listener,
    ...(options.debugSocketPath ? [debugAccess(options.debugSocketPath, clock, log)] : []),
    renewal,
    controllers,
    ...(aggregation?.controllers ?? []),
    // the last part stops first: the server reports not ready, and watches end
    ...shutdownParts({ options, clock, drain, leaving, stopping })
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

/** What a request is for, without a subresource that does not exist; undefined when its resource is not served. */
function servedRoute(registry: Registry, { group, version, resource, subresource }: RequestInfo): RequestRoute | undefined {
  const kind = registry.find(group, version, resource)?.kind
  if (!kind) return undefined
  const { status, scale, others } = kind.subresources ?? {}
  const exists =
    (subresource === 'status' && status) || (subresource === 'scale' && scale) || Object.hasOwn(others ?? {}, subresource)
  return { group, version, resource, subresource: exists ? subresource : '' }
}

/** What keeps the addresses of the Service `kubernetes`, by --endpoint-reconciler-type. */
function serverAddresses(options: ServerOptions, store: Store, registry: Registry): ServerAddresses | undefined {
  const address = publicAddressOf(options)
  const type = options.endpointReconcilerType ?? 'lease'
  if (address === undefined || type === 'none') return undefined
  if (type === 'master-count') return countedServers(address, options.apiserverCount ?? 1, () => presentAddresses(registry))
  return store.expires ? leasesIn(store, address) : aloneAt(address)
}

/** When the server's own certificate expires; undefined for one that it does not renew. */
const expiryOf = ({ tlsCertFile }: ServerOptions, { serving }: Pki): number | undefined =>
  tlsCertFile === undefined ? Date.parse(new X509Certificate(serving.certificate).validTo) : undefined

/** What the server does at its start by reading the caches. */
function cacheHooks(registry: Registry, prioritizes: boolean): Hook[] {
  return [
    'generic-apiserver-start-informers',
    'storage-object-count-tracker-hook',
    'storage-readiness',
    ...(registry.serves(refs.customResourceDefinitions) ? (['start-apiextensions-informers'] as const) : []),
    ...(prioritizes && registry.serves(refs.flowSchemas) ? (['priority-and-fairness-filter'] as const) : [])
  ]
}
