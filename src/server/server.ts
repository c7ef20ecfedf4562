/** The wiring of one server: which parts exist, and how they hang together. Nothing is global; a server is a value. */
import { AdmissionChain } from '../admission/admission.js'
import { authenticationStage } from '../authentication/stage.js'
import { loadTokenFile } from '../authentication/token-file.js'
import { createAuthenticator } from '../authentication/union.js'
import { defaultRoles } from '../authorization/default-roles.js'
import { privilegedGroup } from '../authorization/privileged-group.js'
import { authorizationStage } from '../authorization/stage.js'
import { unionAuthorizer } from '../authorization/authorizer.js'
import { kubeconfigText } from '../certificates/kubeconfig.js'
import { loadOrCreatePki, type Pki } from '../certificates/pki.js'
import { servingNames } from '../certificates/serving-names.js'
import { createDispatch } from '../endpoints/dispatch.js'
import { builtinKinds } from '../kinds/index.js'
import type { ServerOptions } from '../options.js'
import { Registry } from '../registry/registry.js'
import { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import { loadSchema } from '../schema/load.js'
import type { Store } from '../storage/contract.js'
import { openLmdbStore } from '../storage/lmdb/store.js'
import { openMemoryStore } from '../storage/memory/store.js'
import { systemClock } from '../util/clock.js'
import { stderrLogger } from '../util/logger.js'
import { systemRandomness } from '../util/randomness.js'
import { createHandler } from './handler.js'
import { handlerChain, passThrough } from './handler-chain.js'
import { type Listener, listen } from './listener.js'

export interface BinnacleServer {
  start(): Promise<void>
  stop(): Promise<void>
  readonly url: string
  kubeconfig(): string
  readonly caCertificate: string
}

export function createServer(options: ServerOptions = {}): BinnacleServer {
  let running: Running | undefined
  const need = () => {
    if (!running) throw new Error('the server is not running: call start() first')
    return running
  }
  return {
    async start() {
      running = await startServer(options)
    },
    async stop() {
      const stopping = running
      running = undefined
      await stopping?.stop()
    },
    get url() {
      return need().url
    },
    kubeconfig() {
      const { pki, url } = need()
      return kubeconfigText({ server: url, certificateAuthority: pki.serving.trust, clientCertificate: pki.admin.certificate, clientKey: pki.admin.key, tlsServerName: pki.serving.tlsServerName })
    },
    get caCertificate() {
      return need().pki.serving.trust
    }
  }
}

interface Running {
  readonly url: string
  readonly pki: Pki
  stop(): Promise<void>
}

async function openStore(options: ServerOptions): Promise<Store> {
  if (options.storageBackend === 'lmdb') return openLmdbStore({ directory: `${options.dataDir}/store` })
  return openMemoryStore()
}

async function startServer(options: ServerOptions): Promise<Running> {
  const clock = options.clock ?? systemClock
  const log = stderrLogger
  const bindAddress = options.bindAddress ?? '127.0.0.1'
  const [pki, store] = await Promise.all([
    loadOrCreatePki({
      directory: options.certDir ?? (options.dataDir === undefined ? undefined : `${options.dataDir}/pki`),
      servingNames: servingNames({ bindAddress, externalHostname: options.externalHostname, serviceClusterIPRange: options.serviceClusterIPRange }),
      now: clock.now(),
      tlsCertFile: options.tlsCertFile,
      tlsPrivateKeyFile: options.tlsPrivateKeyFile,
      clientCAFile: options.clientCAFile,
      serviceAccountKeyFiles: options.serviceAccountKeyFiles,
      serviceAccountSigningKeyFile: options.serviceAccountSigningKeyFile
    }),
    openStore(options)
  ])
  const schema = loadSchema()
  const registry = new Registry()
  for (const kind of builtinKinds) registry.add(new Resource(kind, kind.versions.filter(v => v.served !== false), store, schema, () => clock.now()))
  const services: Services = { clock, random: systemRandomness, store, registry, network: { clusterIPRanges: ['10.0.0.0/24'], nodePorts: { from: 30000, to: 32767 } } }
  const admission = new AdmissionChain([])
  const stopping = new AbortController()
  const authenticator = createAuthenticator({
    clientCAs: pki.clientCAs,
    tokens: options.tokenAuthFile ? [await loadTokenFile(options.tokenAuthFile)] : [],
    anonymous: options.anonymousAuth ?? true,
    clock
  })
  const dispatch = createDispatch({ registry, services, admission, paths: [], stopping: stopping.signal })
  const chain = handlerChain({
    metrics: passThrough('metrics', 'counts and times every request'),
    authentication: authenticationStage(authenticator),
    audit: passThrough('audit', ''),
    impersonation: passThrough('impersonation', ''),
    flowControl: passThrough('flowControl', ''),
    authorization: authorizationStage(unionAuthorizer([privilegedGroup, defaultRoles])),
    endpoints: { name: 'endpoints', why: 'answers', handle: dispatch }
  })
  const listener: Listener = await listen(createHandler(chain, () => clock.now(), log), {
    address: bindAddress,
    port: options.securePort ?? 0,
    certificate: pki.serving.certificate,
    key: pki.serving.key,
    clientCAs: pki.clientCAs
  })
  return {
    url: `https://${bindAddress}:${listener.port}`,
    pki,
    async stop() {
      stopping.abort()
      await listener.close(5000)
      for (const resource of registry.all()) resource.cache.close()
      await store.close()
    }
  }
}
