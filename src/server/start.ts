/** Starts a server: opens its store and keys, makes its parts, and starts them in order. */

import { loadAdmissionSettings } from '../admission/configuration/load-settings.js'
import { openAudit } from '../audit/open-audit.js'
import { loadAuthenticationSettings } from '../authentication/jwt/settings.js'
import { loadTokenFile } from '../authentication/token-file.js'
import { loadAuthorization } from '../authorization/loaded.js'
import type { Pki } from '../certificates/pki.js'
import type { Handler } from '../chain/handler.js'
import { effectiveVersion } from '../features/effective-version.js'
import { FeatureGates } from '../features/feature-gates.js'
import { Metrics } from '../instruments/metrics.js'
import { openLog } from '../logging/log.js'
import { metricOptions } from '../metrics/metric-options.js'
import { kubeletCredentials } from '../nodes/kubelet-credentials.js'
import type { ServerOptions } from '../options.js'
import type { Registry } from '../registry/registry.js'
import { loadTracingConfiguration } from '../tracing/configuration.js'
import { openTracer } from '../tracing/tracer.js'
import { systemClock } from '../util/clock.js'
import { RunningParts } from '../util/part.js'
import { systemRandomness } from '../util/randomness.js'
import { UserError } from '../util/user-error.js'
import { loadKubeconfig } from '../webhooks/kubeconfig.js'
import { urlOf } from './address.js'
import { assemble } from './assembly.js'
import { builtinResources } from './builtin-resources.js'
import { checkDataDirectory } from './data-directory.js'
import { issuersOf } from './defaults.js'
import { loadFrontProxy } from './front-proxy.js'
import { namedCertificates } from './named-certificates.js'
import { openPki } from './open-pki.js'
import { openStorage } from './open-storage.js'
import { openTokens } from './open-tokens.js'
import { loadRequestHeader } from './request-header.js'
import { kubernetesVersion } from './version.js'

export interface RunningServer {
  readonly url: string
  readonly pki: Pki
  readonly handler: Handler
  reload(): Promise<void>
  stop(): Promise<void>
}

/** Rejects with a UserError for problems that the user can fix. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const clock = options.clock ?? systemClock
  const version = effectiveVersion(options.emulatedVersion, options.minCompatibilityVersion)
  const features = new FeatureGates(options.featureGates, version)
  const log = options.log ?? (await openLog(options, features))
  features.report(options.featureGates ?? {}, log)
  log.v?.(1)?.info('Starting', { kubernetes: kubernetesVersion, node: process.version })
  const running = new RunningParts()
  let served: Registry | undefined
  try {
    const metricsShown = metricOptions(options)
    const metrics = new Metrics(metricsShown)
    const authorization = await loadAuthorization(options, log)
    const admission = await loadAdmissionSettings(options, clock, features)
    if (options.dataDir !== undefined) checkDataDirectory(options.dataDir)
    const audit = await openAudit(options, clock, log)
    const tracing = options.tracingConfigFile === undefined ? undefined : loadTracingConfiguration(options.tracingConfigFile)
    const tracer = tracing && (await openTracer(tracing, `apiserver-${systemRandomness.uuid()}`))
    // open the store first: its lock keeps a second server from making keys in the same folder
    const storage = await openStorage(options, running, { metrics, clock, log, registry: () => served })
    const { store, encryption } = storage
    // the keys are made on another thread while this one reads the caches
    const opening = openPki(options, clock)
    opening.catch(() => {})
    const registry = builtinResources(options, features, version, storage, clock, log)
    served = registry
    if (encryption)
      encryption.onReadable = () => {
        for (const resource of new Set([...registry.all(), ...registry.served()]))
          if (!resource.kind.virtual) resource.cache.retryUnreadable()
      }
    await running.start([registry])
    const pki = await opening
    const authentication = await loadAuthenticationSettings(options, issuersOf(options))
    const tokenFile = options.tokenAuthFile ? await loadTokenFile(options.tokenAuthFile) : undefined
    const requestHeader = await loadRequestHeader(options, pki.clientCAs)
    const frontProxy = await loadFrontProxy(options, pki)
    const webhookFile = options.authenticationTokenWebhookConfigFile
    const tokenWebhook = webhookFile ? await loadKubeconfig('--authentication-token-webhook-config-file', webhookFile) : undefined
    const certificateFor = options.tlsSniCertKey?.length ? await namedCertificates(options.tlsSniCertKey) : undefined
    const kubelets = await kubeletCredentials({
      certificateAuthority: options.kubeletCertificateAuthority,
      clientCertificate: options.kubeletClientCertificate,
      clientKey: options.kubeletClientKey
    })
    const tokens = await openTokens(options, pki, clock, log)
    if (tokens.part) await running.start([tokens.part])
    const access = {
      authentication,
      authorization,
      admission,
      requestHeader,
      frontProxy,
      tokens,
      tokenFile,
      tokenWebhook,
      audit,
      tracer,
      certificateFor,
      kubelets
    }
    const foundation = {
      version,
      metrics,
      metricOptions: metricsShown,
      features,
      clock,
      log,
      store,
      others: storage.others,
      encryption,
      registry,
      pki,
      ...access
    }
    const { handler, parts, port } = assemble(options, foundation)
    await running.start(parts)
    const url = urlOf(options, port())
    log.info(`Serving securely on ${url.slice('https://'.length)}`)
    return {
      url,
      pki,
      handler,
      async reload() {
        await running.reload()
        log.info('Read the configuration files and certificates again')
      },
      async stop() {
        log.info('Stopping')
        await running.stop()
        log.info('Stopped')
      }
    }
  } catch (error) {
    // without it, the start fails with an error that does not say so
    const why = served?.resource('', 'namespaces').cache.whyUnreadable('default')
    await running.stop().catch(() => {})
    throw why ? new UserError(`the namespace "default" in the store cannot be read: ${why.message}`, { cause: error }) : error
  }
}
