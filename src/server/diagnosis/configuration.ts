/** Finds every mistake in the options of a server and in the files that they name. Opens no ports, no store and no connections. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { loadAdmissionSettings } from '../../admission/configuration/load-settings.js'
import { enabledPluginNames } from '../../admission/enabled-plugins.js'
import { admissionPluginNames } from '../../admission/plugin-names.js'
import { ConfigError } from '../../apimachinery/config/read-config.js'
import { effectiveVersion, ownVersion } from '../../apimachinery/features/effective-version.js'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { openAudit } from '../../apiserver/audit/open-audit.js'
import { ServerFaults } from '../../apiserver/faults/faults.js'
import { openLog } from '../../apiserver/logging/log.js'
import { metricOptions } from '../../apiserver/metrics/metric-options.js'
import { kubeletCredentials } from '../../apiserver/nodes/kubelet-credentials.js'
import { loadTracingConfiguration } from '../../apiserver/tracing/configuration.js'
import { assertPackages } from '../../apiserver/tracing/tracer.js'
import { loadAuthenticationSettings } from '../../auth/authentication/jwt/settings.js'
import { loadTokenFile } from '../../auth/authentication/token-file.js'
import { loadAuthorization } from '../../auth/authorization/loaded.js'
import { parsePrivateKey, readFlagFile } from '../../transport/certificates/key-files.js'
import { loadOrCreatePki, type PkiOptions } from '../../transport/certificates/pki.js'
import { directoryFiles, memoryFiles } from '../../transport/certificates/pki-files.js'
import { type EgressSelector, openEgressSelector } from '../../transport/egress/egress-selector.js'
import { loadKubeconfig } from '../../transport/webhooks/kubeconfig.js'
import { systemClock } from '../../util/clock.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { silentLogger } from '../../util/logger.js'
import { fileError, UserError } from '../../util/user-error.js'
import { checkDataDirectory } from '../data-directory.js'
import { issuersOf, storageBackendOf } from '../defaults.js'
import { etcdOverrides } from '../etcd-overrides.js'
import { loadFrontProxy } from '../front-proxy.js'
import { backupSettings } from '../maintenance/scheduled-backups.js'
import { namedCertificates } from '../named-certificates.js'
import type { FlagOptions } from '../options/generated/flag-options.js'
import { optionTable } from '../options/table.js'
import type { ServerOptions } from '../options.js'
import { loadPeerAuthorities } from '../peers.js'
import { loadRequestHeader } from '../request-header.js'
import { readSnapshot } from '../snapshot-file.js'
import { tlsSettings } from '../tls-settings.js'
import { assembleOnTrial } from './trial.js'

type Name = keyof FlagOptions

interface Check {
  /** The options that it reads. The first of them that is given is named when the error names no flag. */
  readonly of: readonly Name[]
  run(options: ServerOptions, context: Context): unknown
}

/** What several checks need; a part that is wrong itself has the value that it has without options. */
interface Context {
  readonly features: FeatureGates
  readonly egress: EgressSelector
}

export interface Problem {
  readonly message: string
  /** The flags that it is about, without dashes, the one in question first. */
  readonly flags: readonly string[]
}

/** The options that are not read where the object store is not the one that they are about. */
const etcdNames: readonly Name[] = ['etcdServers', 'etcdCAFile', 'etcdCertFile', 'etcdKeyFile']

const checks: readonly Check[] = [
  { of: ['dataDir'], run: ({ dataDir }) => dataDir !== undefined && checkDataDirectory(dataDir) },
  { of: ['certDir', 'dataDir'], run: ({ certDir }) => certDir && keys({ files: memoryFiles(directoryFiles(certDir)) }) },
  { of: ['snapshot'], run: options => options.snapshot !== undefined && readSnapshot(options.snapshot, options) },
  { of: etcdNames, run: options => checkEtcd(options) },
  {
    of: ['etcdServersOverrides', 'history'],
    run: ({ etcdServersOverrides = [], history }) => {
      if (etcdOverrides(etcdServersOverrides).length > 0 && history)
        throw new UserError('--history cannot be used with --etcd-servers-overrides')
    }
  },
  { of: ['backupSchedule', 'backupFolder', 'backupBucket'], run: options => backupSettings(options)?.place.check() },
  {
    of: ['encryptionProviderConfig', 'encryptionProviderConfigAutomaticReload'],
    run: options => checkEncryption(options)
  },
  {
    of: ['tlsCertFile', 'tlsPrivateKeyFile'],
    run: ({ tlsCertFile, tlsPrivateKeyFile }) => keys({ tlsCertFile, tlsPrivateKeyFile })
  },
  { of: ['clientCAFile'], run: ({ clientCAFile }) => keys({ clientCAFile }) },
  {
    of: ['serviceAccountSigningKeyFile', 'serviceAccountSigningEndpoint'],
    run: options => {
      const { serviceAccountSigningKeyFile, serviceAccountSigningEndpoint, serviceAccountKeyFiles = [] } = options
      if (serviceAccountSigningEndpoint && (serviceAccountSigningKeyFile || serviceAccountKeyFiles.length > 0))
        throw new UserError(
          '--service-account-signing-endpoint excludes --service-account-signing-key-file and --service-account-key-file: its program has the keys'
        )
      return keys({ serviceAccountSigningKeyFile })
    }
  },
  { of: ['tlsMinVersion', 'tlsCipherSuites', 'tlsCurvePreferences'], run: tlsSettings },
  { of: ['proxyClientCertFile', 'proxyClientKeyFile'], run: async options => loadFrontProxy(options, await keys({})) },
  { of: ['peerCAFile'], run: (options, { features }) => loadPeerAuthorities(options, { features }) },
  {
    of: ['requestheaderClientCAFile', 'requestheaderUidHeaders'],
    run: async (options, { features }) => {
      // a wrong --client-ca-file has a check of its own
      const { clientCAs } = await keys({ clientCAFile: options.clientCAFile }).catch(() => ({ clientCAs: [] }))
      return loadRequestHeader(options, clientCAs, features)
    }
  },
  {
    of: ['kubeletCertificateAuthority'],
    run: ({ kubeletCertificateAuthority: certificateAuthority }) => kubeletCredentials({ certificateAuthority }, silentLogger)
  },
  {
    of: ['kubeletClientCertificate', 'kubeletClientKey'],
    run: ({ kubeletClientCertificate: clientCertificate, kubeletClientKey: clientKey }) =>
      kubeletCredentials({ clientCertificate, clientKey }, silentLogger)
  },
  {
    of: ['authorizationConfig', 'authorizationMode', 'authorizationPolicyFile', 'authorizationWebhookConfigFile'],
    run: options => loadAuthorization(options, silentLogger)
  },
  {
    of: ['authenticationConfig', 'oidcIssuerURL', 'oidcCAFile'],
    run: (options, { egress, features }) => loadAuthenticationSettings(options, issuersOf(options), egress, features)
  },
  { of: ['tokenAuthFile'], run: ({ tokenAuthFile }) => tokenAuthFile && loadTokenFile(tokenAuthFile) },
  {
    of: ['authenticationTokenWebhookConfigFile'],
    run: ({ authenticationTokenWebhookConfigFile: file }) =>
      file && loadKubeconfig('--authentication-token-webhook-config-file', file)
  },
  { of: ['auditPolicyFile'], run: options => checkAudit({ auditPolicyFile: options.auditPolicyFile }) },
  {
    of: ['auditLogPath', 'auditLogFormat', 'auditLogMode'],
    run: options => checkAudit({ ...options, auditPolicyFile: undefined, auditWebhookConfigFile: undefined })
  },
  {
    of: ['auditWebhookConfigFile', 'auditWebhookMode'],
    // without a policy, the server would not read the file
    run: options => checkAudit({ ...options, auditPolicyFile: undefined, auditPolicy: { rules: [] }, auditLogPath: undefined })
  },
  {
    of: ['tracingConfigFile'],
    run: async ({ tracingConfigFile: file }) => {
      if (file === undefined) return
      loadTracingConfiguration(file)
      await assertPackages()
    }
  },
  {
    of: ['allowMetricLabelsManifest', 'allowMetricLabels', 'disabledMetrics', 'showHiddenMetricsForVersion'],
    run: options => metricOptions(options)
  },
  {
    of: ['loggingFormat', 'logTextSplitStream', 'logJsonSplitStream'],
    run: (options, { features }) => openLog(options, features)
  }
]

/** Keys as a server with these options would have them. What it would write stays in memory. */
const keys = (options: Partial<PkiOptions>) =>
  loadOrCreatePki({ files: memoryFiles(), servingNames: [], now: systemClock.now(), ...options })

async function checkEtcd(options: ServerOptions): Promise<void> {
  const backend = storageBackendOf(options)
  if (backend !== 'etcd3') {
    if (options.etcdServers?.length) throw new UserError(`--etcd-servers is for --storage-backend=etcd3, not ${backend}`)
    return
  }
  if (!options.etcdServers?.length) throw new UserError('--storage-backend=etcd3 needs --etcd-servers')
  const { checkEtcdOptions } = await import('../../storage/etcd/configured.js')
  return checkEtcdOptions(options)
}

async function checkEncryption(options: ServerOptions): Promise<void> {
  const { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: reloads = false } = options
  if (path === undefined) {
    if (reloads)
      throw new UserError('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config')
    return
  }
  const { checkEncryptionFile } = await import('../../storage/encryption/encryption.js')
  checkEncryptionFile({ path, reloads })
}

const checkAudit = (options: ServerOptions) =>
  openAudit(options, {
    clock: systemClock,
    log: silentLogger,
    faults: new ServerFaults(systemClock),
    egress: undefined,
    // in place of the file, which would be created
    lines: { write() {} }
  })

/** Private keys, beside the certificates that hide what is wrong with them. */
const keyNames = ['tlsPrivateKeyFile', 'proxyClientKeyFile', 'kubeletClientKey', 'etcdKeyFile'] as const

const keyCheck = (name: (typeof keyNames)[number]): Check => ({
  of: [name],
  async run({ [name]: path }) {
    const flag = `--${optionTable[name].flag}`
    if (path) parsePrivateKey(`${flag} ${path}`, await readFlagFile(flag, path))
  }
})

/** Checks of options that have a file, or a section of one, for each of several things. */
const repeatedChecks = (options: ServerOptions): Check[] => [
  ...keyNames.map(keyCheck),
  ...(options.serviceAccountKeyFiles ?? []).map(file => ({
    of: ['serviceAccountKeyFiles' as const],
    run: () => keys({ serviceAccountKeyFiles: [file] })
  })),
  ...(options.tlsSniCertKey ?? []).map(pair => ({ of: ['tlsSniCertKey' as const], run: () => namedCertificates([pair]) })),
  ...enabledPluginNames(options).map(plugin => ({
    of: ['admissionControlConfigFile' as const],
    run: ({ admissionControlConfigFile }: ServerOptions, { features }: Context) =>
      loadAdmissionSettings(
        {
          admissionControlConfigFile,
          enableAdmissionPlugins: [plugin],
          disableAdmissionPlugins: admissionPluginNames.filter(name => name !== plugin)
        },
        systemClock,
        features
      )
  }))
]

/**
 * Returns what is wrong with the options. The options of each check that fails are left out of a server that is then assembled in memory, to find what
 * only its parts know.
 */
export async function configurationProblems(options: ServerOptions): Promise<Problem[]> {
  const problems = new Map<string, Problem>()
  let sound = options
  const attempt = async <T>(of: readonly Name[], usual: T, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const problem = problemOf(error, of, options)
      problems.set(problem.message, problem)
      sound = without(sound, [...of, ...namesOf(problem.flags)])
      return usual
    }
  }
  const version = await attempt(['emulatedVersion', 'minCompatibilityVersion'], ownVersion, () =>
    effectiveVersion(options.emulatedVersion, options.minCompatibilityVersion)
  )
  const features = await attempt(
    ['featureGates'],
    new FeatureGates({}, version),
    () => new FeatureGates(options.featureGates, version)
  )
  const egress = await attempt<EgressSelector>(['egressSelectorConfigFile'], {}, () =>
    openEgressSelector(options.egressSelectorConfigFile, new Metrics())
  )
  for (const { of, run } of [...checks, ...repeatedChecks(options)])
    await attempt<unknown>(of, undefined, () => run(options, { features, egress }))
  for (const problem of await unreadable(options, [...problems.values()])) problems.set(problem.message, problem)
  for (;;) {
    const before = sound
    await attempt<unknown>([], undefined, () => assembleOnTrial(sound))
    // a mistake that names no flag may hide others
    if (sound === before || Object.keys(sound).length === Object.keys(before).length) break
  }
  return [...problems.values()]
}

/** What the server makes itself. */
const made: readonly string[] = ['dataDir', 'certDir', 'auditLogPath', 'debugSocketPath', 'serviceAccountSigningEndpoint']

/** Files that another mistake has kept from being read. */
async function unreadable(options: ServerOptions, found: readonly Problem[]): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const [name, option] of Object.entries(optionTable)) {
    const path = options[name as Name]
    if (!('isPath' in option) || made.includes(name) || typeof path !== 'string' || path === '') continue
    const { flag } = option
    if (found.some(({ message, flags }) => flags.includes(flag) || message.includes(path))) continue
    await access(path, constants.R_OK).catch(error => {
      problems.push({ message: fileError(`--${flag} ${path}`, error).message, flags: [flag] })
    })
  }
  return problems
}

/** Rejects with what is no mistake of the user. */
function problemOf(error: unknown, of: readonly Name[], options: ServerOptions): Problem {
  if (!(error instanceof UserError || error instanceof ConfigError)) throw error
  const named = [...error.message.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map(([, flag]) => flag!)
  const given = of.find(name => options[name] !== undefined && optionTable[name].default !== options[name]) ?? of[0]
  if (named.length > 0 || given === undefined) return { message: error.message, flags: named }
  const { flag } = optionTable[given]
  const value = options[given]
  const shown = typeof value === 'string' ? ` ${value}` : ''
  return { message: `--${flag}${shown}: ${error.message}`, flags: [flag] }
}

const nameOf: ReadonlyMap<string, Name> = new Map(
  Object.entries(optionTable).map(([name, { flag }]) => [flag, name as Name] as const)
)
const namesOf = (flags: readonly string[]): Name[] => flags.flatMap(flag => nameOf.get(flag) ?? [])

function without(options: ServerOptions, names: readonly Name[]): ServerOptions {
  const left = new Set<string>(names)
  return Object.fromEntries(Object.entries(options).filter(([name]) => !left.has(name)))
}
