/** The wiring of one server: which parts exist, with which options, and how they hang together. Nothing is global. */
import { setMaxListeners } from 'node:events'
import { networkInterfaces } from 'node:os'
import { AdmissionChain } from '../admission/admission.js'
import { admissionPlugins } from '../admission/plugin-list.js'
import { AdmissionPolicies } from '../admission/policy/policies.js'
import { AdmissionWebhooks } from '../admission/webhook/admission-webhooks.js'
import { CustomResources } from '../apiextensions/custom-resources.js'
import { ownResources } from '../apiextensions/own-kind.js'
import { BootstrapTokenAuthenticator } from '../authentication/bootstrap-token.js'
import { impersonationStage } from '../authentication/impersonation/stage.js'
import { ServiceAccountAuthenticator } from '../authentication/service-account.js'
import { authenticationStage } from '../authentication/stage.js'
import { loadTokenFile } from '../authentication/token-file.js'
import { createAuthenticator } from '../authentication/union.js'
import { unionAuthorizer } from '../authorization/authorizer.js'
import { authorizersOf, defaultModes } from '../authorization/modes.js'
import { RbacPolicy } from '../authorization/rbac/policy.js'
import { authorizationStage } from '../authorization/stage.js'
import { loadOrCreatePki, type Pki } from '../certificates/pki.js'
import { servingNames } from '../certificates/serving-names.js'
import { startControllers } from '../controllers/controllers.js'
import { markTokenUsed } from '../controllers/token-use.js'
import { discoveryPaths } from '../discovery/paths.js'
import { issuerPaths } from '../discovery/service-account-issuer.js'
import { createDispatch } from '../endpoints/dispatch.js'
import { type HealthCheck, healthPaths } from '../health/health.js'
import { builtinKinds } from '../kinds/index.js'
import { rbacGroup } from '../kinds/rbac/group.js'
import { addProcessMetrics, createMetrics, metricsPaths } from '../metrics/paths.js'
import { RequestMetrics } from '../metrics/request-metrics.js'
import { WebhookMetrics } from '../metrics/webhook-metrics.js'
import { openApiPaths } from '../openapi/paths.js'
import type { ServerOptions } from '../options.js'
import { Registry } from '../registry/registry.js'
import { Resource } from '../registry/resource.js'
import { ServiceAccountTokens } from '../registry/service-account-tokens.js'
import { ServiceNetwork } from '../registry/service-network.js'
import type { Services } from '../registry/services.js'
import { loadSchema } from '../schema/load.js'
import type { Store } from '../storage/contract.js'
import { openMemoryStore } from '../storage/memory/store.js'
import { type Clock, systemClock } from '../util/clock.js'
import { type Logger, stderrLogger } from '../util/logger.js'
import { systemRandomness } from '../util/randomness.js'
import { UserError } from '../util/user-error.js'
import { WebhookClient } from '../webhooks/client.js'
import { serviceOverrides } from '../webhooks/service-overrides.js'
import { serviceResolver } from '../webhooks/service-resolver.js'
import { checkDataDirectory } from './data-directory.js'
import { createHandler, type Handler } from './handler.js'
import { handlerChain, passThrough } from './handler-chain.js'
import { inFlightStage } from './in-flight.js'
import { listen } from './listener.js'
import { renewDaily } from './renewal.js'
import { rootPath } from './root-path.js'
import { checkRuntimeConfig, servedVersions, withPlainKeys } from './runtime-config.js'
import { versionPath } from './version.js'

export interface RunningServer {
  readonly url: string
  readonly pki: Pki
  readonly handler: Handler
  stop(): Promise<void>
}

/** Requests under way get so long to end when the server stops. */
const shutdownGraceMs = 5000
const builtinGroups: ReadonlySet<string> = new Set(builtinKinds.map(kind => kind.group))
const definitionsGroup = 'apiextensions.k8s.io'
const definitions = 'customresourcedefinitions'
const defaultServiceRange = '10.0.0.0/24'
const defaultIssuer = 'https://kubernetes.default.svc'

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const clock = options.clock ?? systemClock
  const log = options.log ?? stderrLogger
  const address = options.bindAddress ?? '127.0.0.1'
  if (options.dataDir !== undefined) checkDataDirectory(options.dataDir)
  // the store first: its lock keeps a second server from making keys in the same folder
  const store = await openStore(options, clock, log)
  const closing: (() => unknown)[] = [() => store.close()]
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close()
  }
  try {
    // another thread makes a key meanwhile
    const opening = openPki(options, address, clock)
    opening.catch(() => {})
    const registry = createRegistry(options, store, clock, log)
    closing.push(() => {
      for (const resource of registry.all()) resource.cache.close()
    })
    await Promise.all([...registry.all()].map(resource => resource.kind.virtual || resource.cache.load()))
    const pki = await opening
    const stopping = new AbortController()
    setMaxListeners(0, stopping.signal)
    const issuers = options.serviceAccountIssuer ?? [defaultIssuer]
    const modes = options.authorizationMode ?? defaultModes
    const serviceAccounts = new ServiceAccountAuthenticator({
      registry,
      clock,
      publicKeys: pki.serviceAccount.publicKeys,
      issuers,
      apiAudiences: issuers,
      markUsed: (secret, day) => void markTokenUsed(secret, day, services, log)
    })
    const authenticator = createAuthenticator({
      clientCAs: pki.clientCAs,
      tokens: [
        ...(options.tokenAuthFile ? [await loadTokenFile(options.tokenAuthFile)] : []),
        serviceAccounts,
        ...(options.enableBootstrapTokenAuth ? [new BootstrapTokenAuthenticator(registry, clock)] : [])
      ],
      anonymous: options.anonymousAuth ?? !modes.includes('AlwaysAllow'),
      clock
    })
    const rbac = new RbacPolicy()
    const authorizer = unionAuthorizer(authorizersOf(modes, rbac, registry))
    const webhooks = new WebhookClient(serviceResolver(registry, serviceOverrides(options.resolveService ?? {})))
    closing.push(() => webhooks.close())
    const metrics = createMetrics(registry)
    const requestMetrics = new RequestMetrics(() => performance.now())
    const admissionWebhooks = new AdmissionWebhooks(webhooks, new WebhookMetrics(metrics))
    const policies = new AdmissionPolicies()
    const parties = { authenticator, authorizer, rbac, policies, admissionWebhooks }
    const services = createServices(options, pki, { clock, store, registry, ...parties })
    const admission = new AdmissionChain(admissionPlugins(options.enableAdmissionPlugins, options.disableAdmissionPlugins))
    if (options.processMetrics) addProcessMetrics(metrics)
    let rolesReady = false
    const checks = healthChecks(options, store, registry, stopping.signal, () => rolesReady)
    let port = 0
    const serverAddress = () =>
      hostAndPort(options.externalHostname ?? options.advertiseAddress ?? reachableAddress(address), port)
    const paths = [
      versionPath,
      ...discoveryPaths(registry, serverAddress),
      ...issuerPaths({ issuer: issuers[0]!, publicKeys: pki.serviceAccount.publicKeys, serverAddress }),
      ...healthPaths({ ...checks, log: log.error }),
      ...openApiPaths(registry),
      ...metricsPaths(metrics, requestMetrics)
    ]
    const chain = handlerChain({
      metrics: requestMetrics.stage,
      authentication: authenticationStage(authenticator),
      audit: passThrough('audit', 'records what is done; its place is after authentication, so that it knows by whom'),
      impersonation: impersonationStage(authorizer),
      flowControl: inFlightStage({
        requests: options.maxRequestsInflight ?? 400,
        mutatingRequests: options.maxMutatingRequestsInflight ?? 200
      }),
      authorization: authorizationStage(authorizer),
      endpoints: {
        name: 'endpoints',
        why: 'finds the endpoint for path and method, and answers',
        handle: createDispatch({
          registry,
          services,
          admission,
          paths: [...paths, rootPath(paths, registry)],
          stopping: stopping.signal
        })
      }
    })
    const handler = createHandler(chain, { now: () => clock.now(), requestTimeout: options.requestTimeout ?? 60_000, log })
    rbac.follow(registry)
    closing.push(() => rbac.close())
    admissionWebhooks.follow(registry)
    closing.push(() => admissionWebhooks.close())
    policies.follow(registry)
    closing.push(() => policies.close())
    const parts = { store, now: () => clock.now(), uuid: () => services.random.uuid(), webhooks }
    for (const kind of options.kinds ?? []) {
      const [first, ...others] = ownResources(kind, builtinGroups, parts)
      if (first) registry.add(first, ...others)
    }
    const customResources = new CustomResources({ registry, builtinGroups, log, ...parts })
    if (registry.has(definitionsGroup, definitions)) customResources.start(registry.resource(definitionsGroup, definitions))
    closing.push(() => customResources.stop())
    await followServices(services)
    closing.push(() => services.network.close())
    const listener = await listen(handler, {
      address,
      port: options.securePort ?? 0,
      certificate: pki.serving.certificate,
      key: pki.serving.key,
      clientCAs: pki.clientCAs
    })
    port = listener.port
    // stopping goes backwards: not ready and watches end, controllers end, requests under way end, caches and the store close
    closing.push(() => listener.close(shutdownGraceMs))
    const renewal = renewDaily(clock, async () => listener.use((await openPki(options, address, clock)).serving), log)
    closing.push(() => renewal.stop())
    const controllers = await startControllers({
      services,
      customResources,
      admission,
      authority: pki.ca,
      caBundle: pki.serving.trust,
      clientCAs: pki.clientCAs,
      port,
      controllers: options.controllers,
      rolesReady: () => {
        rolesReady = true
      },
      log
    })
    closing.push(() => controllers.stop())
    closing.push(() => stopping.abort())
    return { url: urlOf(options, address, port), pki, handler, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Of a server that listens anywhere or on the loopback: an address of the machine, as kube-apiserver takes one. */
function reachableAddress(address: string): string {
  if (!anyAddress.has(address) && !isLoopback(address)) return address
  const family = address.includes(':') ? 'IPv6' : 'IPv4'
  const found = Object.values(networkInterfaces()).flatMap(all => all ?? [])
  return found.find(candidate => candidate.family === family && !candidate.internal)?.address ?? address
}

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')
const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** An address that can be dialled and that the certificate names. */
function urlOf({ externalHostname, advertiseAddress }: ServerOptions, address: string, port: number): string {
  const host = anyAddress.has(address) ? (externalHostname ?? advertiseAddress ?? '127.0.0.1') : address
  return `https://${hostAndPort(host, port)}`
}

const hostAndPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

function openPki(options: ServerOptions, bindAddress: string, clock: Clock): Promise<Pki> {
  const {
    advertiseAddress,
    externalHostname,
    serviceClusterIPRange,
    tlsCertFile,
    tlsPrivateKeyFile,
    clientCAFile,
    serviceAccountKeyFiles,
    serviceAccountSigningKeyFile
  } = options
  return loadOrCreatePki({
    directory: options.certDir ?? (options.dataDir === undefined ? undefined : `${options.dataDir}/pki`),
    servingNames: servingNames({
      bindAddress,
      advertiseAddress,
      externalHostname,
      serviceClusterIPRange: serviceClusterIPRange ?? defaultServiceRange
    }),
    now: clock.now(),
    tlsCertFile,
    tlsPrivateKeyFile,
    clientCAFile,
    serviceAccountKeyFiles,
    serviceAccountSigningKeyFile
  })
}

async function openStore(options: ServerOptions, clock: Clock, log: Logger): Promise<Store> {
  const backend = options.storageBackend ?? 'memory'
  if (backend === 'etcd3') {
    const { openConfiguredEtcd } = await import('../storage/etcd/configured.js')
    return openConfiguredEtcd(options, log)
  }
  if (options.etcdServers?.length) throw new UserError(`--etcd-servers is for --storage-backend=etcd3, not ${backend}`)
  if (backend === 'memory') return openMemoryStore({ clock })
  if (options.dataDir === undefined) throw new UserError('storageBackend lmdb needs a dataDir')
  const { openLmdbStore } = await import('../storage/lmdb/store.js')
  return openLmdbStore({ directory: `${options.dataDir}/store`, clock })
}

/** What the server works with even when nobody is served it. */
const indispensable: ReadonlySet<string> = new Set(['/namespaces', 'coordination.k8s.io/leases'])

function createRegistry({ runtimeConfig = {} }: ServerOptions, store: Store, clock: Clock, log: Logger): Registry {
  const config = withPlainKeys(runtimeConfig)
  checkRuntimeConfig(builtinKinds, config)
  const registry = new Registry()
  for (const kind of builtinKinds) {
    const versions = servedVersions(kind, config)
    if (versions.length === 0 && !indispensable.has(`${kind.group}/${kind.resource}`)) continue
    const resource = new Resource({ kind, versions, store, types: loadSchema(), now: () => clock.now(), log })
    if (versions.length > 0) registry.add(resource)
    else registry.keep(resource)
  }
  return registry
}

type Parts = Omit<Services, 'random' | 'network' | 'tokens' | 'apiAudiences'>

function createServices(options: ServerOptions, pki: Pki, parts: Parts): Services {
  const network = new ServiceNetwork({
    clusterIPRange: options.serviceClusterIPRange ?? defaultServiceRange,
    nodePortRange: options.serviceNodePortRange
  })
  const issuers = options.serviceAccountIssuer ?? [defaultIssuer]
  const tokens = new ServiceAccountTokens(pki.serviceAccount.signingKey, issuers[0]!)
  return { ...parts, random: systemRandomness, network, tokens, apiAudiences: issuers }
}

async function followServices({ network, registry, store }: Services): Promise<void> {
  const addresses = registry.has('networking.k8s.io', 'ipaddresses')
    ? registry.resource('networking.k8s.io', 'ipaddresses')
    : undefined
  if (registry.has('', 'services')) await network.follow(registry.resource('', 'services').cache, addresses?.cache, store)
}

function healthChecks(
  { etcdHealthcheckTimeout, etcdReadycheckTimeout }: ServerOptions,
  store: Store,
  registry: Registry,
  stopping: AbortSignal,
  rolesReady: () => boolean
): Record<'livez' | 'readyz' | 'healthz', HealthCheck[]> {
  const ping: HealthCheck = { name: 'ping', check() {} }
  const etcd: HealthCheck = { name: 'etcd', check: () => store.health(etcdHealthcheckTimeout) }
  const etcdReady: HealthCheck = { name: 'etcd', check: () => store.health(etcdReadycheckTimeout) }
  const informers: HealthCheck = {
    name: 'informer-sync',
    check() {
      const waiting = [...registry.all()].filter(r => !r.kind.virtual && !r.cache.ready).map(r => r.resource)
      if (waiting.length > 0) throw new Error(`not read yet: ${waiting.join(', ')}`)
    }
  }
  const shutdown: HealthCheck = {
    name: 'shutdown',
    check() {
      if (stopping.aborted) throw new Error('the server is stopping')
    }
  }
  const roles: HealthCheck = {
    name: 'poststarthook/rbac/bootstrap-roles',
    check() {
      if (!rolesReady()) throw new Error('not finished')
    }
  }
  const hooks = registry.has(rbacGroup, 'roles') ? [roles] : []
  return {
    healthz: [ping, etcd, ...hooks],
    livez: [ping, etcd, ...hooks],
    readyz: [ping, etcdReady, informers, ...hooks, shutdown]
  }
}
