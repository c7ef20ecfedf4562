/** Opens and reads what a server needs before its parts can be made: configuration files, the store, the caches, keys. */
import { loadAdmissionSettings } from '../admission/configuration/load-settings.js'
import { openAudit } from '../apiserver/audit/open-audit.js'
import { metricOptions } from '../apiserver/metrics/metric-options.js'
import { kubeletCredentials } from '../apiserver/nodes/kubelet-credentials.js'
import { loadTracingConfiguration } from '../apiserver/tracing/configuration.js'
import { openTracer } from '../apiserver/tracing/tracer.js'
import { loadAuthenticationSettings } from '../auth/authentication/jwt/settings.js'
import { loadTokenFile } from '../auth/authentication/token-file.js'
import { loadAuthorization } from '../auth/authorization/loaded.js'
import { Registry } from '../registry/registry.js'
import { openEgressSelector } from '../transport/egress/egress-selector.js'
import { loadKubeconfig } from '../transport/webhooks/kubeconfig.js'
import { Metrics } from '../util/instruments/metrics.js'
import type { RunningParts } from '../util/part.js'
import { systemRandomness } from '../util/randomness.js'
import { addBuiltinResources } from './builtin-resources.js'
import { checkDataDirectory } from './data-directory.js'
import { issuersOf } from './defaults.js'
import type { Foundation } from './foundation.js'
import { loadFrontProxy } from './front-proxy.js'
import { namedCertificates } from './named-certificates.js'
import { openPki } from './open-pki.js'
import { openStorage, type Storage } from './open-storage.js'
import { openTokens } from './open-tokens.js'
import type { ServerOptions } from './options.js'
import { hostNameOf, type Origin, randomnessOf } from './origin.js'
import { loadPeerAuthorities } from './peers.js'
import { writePreparedObjects } from './prepared-objects.js'
import { loadRequestHeader } from './request-header.js'
import type { Primary } from './workers/primary.js'

interface Needs extends Pick<Foundation, 'version' | 'features' | 'clock' | 'log' | 'faults'> {
  /** Receives each part that is opened, so that it is closed even when a later one fails. */
  readonly running: RunningParts
  /** Called with the resources before their caches are read: the definitions know why an object cannot be read. */
  served(registry: Registry): void
  /** What the server takes over from another one. */
  readonly origin?: Origin | undefined
  /** The process that keeps the files of all; undefined in that process itself, and where there is only one. */
  readonly primary?: Primary | undefined
}

/** Rejects with a UserError for problems that the user can fix. */
export async function openFoundation(options: ServerOptions, needs: Needs): Promise<Foundation> {
  const { version, features, clock, log, faults, running, origin, primary } = needs
  const random = randomnessOf(options, origin)
  const shown = metricOptions(options)
  const metrics = new Metrics(shown)
  const authorization = await loadAuthorization(options, log)
  const admission = await loadAdmissionSettings(options, clock, features)
  if (options.dataDir !== undefined) checkDataDirectory(options.dataDir)
  const egress = openEgressSelector(options.egressSelectorConfigFile, metrics)
  const audit = await openAudit(options, { clock, log, faults, egress: egress.controlplane, lines: primary?.audit })
  const tracing = options.tracingConfigFile === undefined ? undefined : loadTracingConfiguration(options.tracingConfigFile)
  const tracer = tracing && (await openTracer(tracing, `apiserver-${systemRandomness.uuid()}`, egress.controlplane))
  let registry: Registry | undefined
  // open the store first: its lock keeps a second server from making keys in the same folder
  const storage = await openStorage(options, running, {
    metrics,
    clock,
    log,
    features,
    registry: () => registry,
    egress: egress.etcd,
    origin
  })
  registry = new Registry(origin?.resources)
  addBuiltinResources(registry, { options, features, version, storage, clock, log })
  needs.served(registry)
  retryUnreadable(storage, registry)
  const pki = origin?.pki ?? (await openPki(options, clock, { saved: origin?.pkiFiles }))
  const { store } = storage
  const isPrepared = !origin?.store && (await writePreparedObjects(options, { store, clock, random, pki }))
  await running.start([registry])
  const authentication = await loadAuthenticationSettings(options, issuersOf(options), egress, features)
  const tokenFile = options.tokenAuthFile ? await loadTokenFile(options.tokenAuthFile) : undefined
  const requestHeader = await loadRequestHeader(options, pki.clientCAs, features)
  const frontProxy = await loadFrontProxy(options, pki)
  const peerAuthorities = await loadPeerAuthorities(options, { features })
  const webhookFile = options.authenticationTokenWebhookConfigFile
  const tokenWebhook = webhookFile ? await loadKubeconfig('--authentication-token-webhook-config-file', webhookFile) : undefined
  const certificateFor = options.tlsSniCertKey?.length ? await namedCertificates(options.tlsSniCertKey) : undefined
  const kubeletFiles = {
    certificateAuthority: options.kubeletCertificateAuthority,
    clientCertificate: options.kubeletClientCertificate,
    clientKey: options.kubeletClientKey
  }
  const kubelets = await kubeletCredentials(kubeletFiles, log)
  const tokens = await openTokens(options, pki, clock, log)
  if (tokens.part) await running.start([tokens.part])
  return {
    version,
    metrics,
    metricOptions: shown,
    features,
    clock,
    random,
    hostName: hostNameOf(options, origin),
    log,
    faults,
    continues: origin?.store !== undefined && origin.pkiFiles === undefined,
    isPrepared,
    store,
    engine: storage.engine,
    history: storage.history,
    others: storage.others,
    encryption: storage.encryption,
    registry,
    pki,
    tokens,
    tokenFile,
    authentication,
    requestHeader,
    frontProxy,
    peerAuthorities,
    tokenWebhook,
    authorization,
    admission,
    audit,
    certificateFor,
    kubelets,
    egress,
    tracer
  }
}

/** Reads objects that could not be decrypted again, once their key is there. */
function retryUnreadable({ encryption }: Storage, registry: Registry): void {
  if (!encryption) return
  encryption.onReadable = () => {
    for (const resource of new Set([...registry.all(), ...registry.served()]))
      if (!resource.kind.virtual) resource.cache.retryUnreadable()
  }
}
