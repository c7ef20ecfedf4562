/**
 * Finds a cluster and its user in kubeconfig files, which are merged as kubectl merges them
 * (https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/).
 */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import {
  type ClusterEntry,
  impersonationHeaders,
  type KubeconfigFile,
  parseKubeconfigFile,
  type UserEntry
} from '../../transport/kubeconfig/kubeconfig-file.js'
import { readAuthorities, readClientCertificate, readPem } from '../../transport/kubeconfig/pem-fields.js'
import type { Clock } from '../../util/clock.js'
import { RereadFile } from '../../util/reread-file.js'
import { fileError, UserError } from '../../util/user-error.js'
import type { ClusterAccess } from './access.js'
import { basic, bearer, type ClientCertificate, type Credentials, fixedCredentials } from './credentials.js'
import { PluginCredentials } from './exec-plugin.js'
import { certificateFiles, tokenFileCredentials } from './file-credentials.js'
import { OidcCredentials } from './oidc.js'
import { saveTokens } from './save-tokens.js'
import { proxyUrl, serverUrl } from './urls.js'

/** A text of a kubeconfig, or a file with one. */
export interface KubeconfigSource {
  /** Names the text in errors. */
  readonly name: string
  readonly text: string
  /** Relative paths begin here. */
  readonly directory: string
  /** The file, where there is one. */
  readonly path?: string | undefined
}

/** An entry, and where it was found. */
interface Located<T> {
  readonly entry: T
  readonly source: KubeconfigSource
}

/** The files that kubectl would read: those of $KUBECONFIG, or ~/.kube/config. Files that do not exist are left out. */
export async function usualKubeconfigs(env: NodeJS.ProcessEnv): Promise<KubeconfigSource[]> {
  const paths = (env.KUBECONFIG ?? '').split(delimiter).filter(path => path !== '')
  const sources: KubeconfigSource[] = []
  for (const path of paths.length > 0 ? paths : [join(homedir(), '.kube', 'config')])
    try {
      sources.push(await kubeconfigFile(path))
    } catch (error) {
      if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') throw error
    }
  return sources
}

/** Rejects with a UserError. */
export async function kubeconfigFile(path: string): Promise<KubeconfigSource> {
  try {
    return { name: path, text: await readFile(path, 'utf8'), directory: dirname(path), path }
  } catch (error) {
    throw fileError(`kubeconfig ${path}`, error)
  }
}

export interface KubeconfigChoice {
  /** Instead of the current context. */
  readonly context?: string | undefined
  readonly clock: Clock
}

/** Rejects with a UserError. */
export async function kubeconfigAccess(
  sources: readonly KubeconfigSource[],
  { context: chosen, clock }: KubeconfigChoice
): Promise<ClusterAccess> {
  const files = sources.map(source => ({ source, file: parseKubeconfigFile(source.name, source.text) }))
  const all = sources.map(({ name }) => name).join(', ')
  const current = chosen ?? files.map(({ file }) => file['current-context']).find(name => name)
  if (!current) throw new UserError(`${all}: no current-context: name a context`)
  const { entry: context } = find(files, all, 'context', current)
  const cluster = find(files, all, 'cluster', context.cluster ?? '')
  const user = context.user ? find(files, all, 'user', context.user) : undefined
  const reached = await clusterOf(cluster)
  return {
    ...reached,
    context: current,
    namespace: context.namespace || 'default',
    credentials: user ? await credentialsOf(user, context.user!, cluster, reached.ca, clock) : fixedCredentials(),
    headers: user ? impersonationHeaders(user.entry) : {}
  }
}

interface Entries {
  context: NonNullable<NonNullable<KubeconfigFile['contexts']>[number]['context']>
  cluster: ClusterEntry
  user: UserEntry
}

function find<K extends keyof Entries>(
  files: readonly { source: KubeconfigSource; file: KubeconfigFile }[],
  all: string,
  what: K,
  name: string
): Located<Entries[K]> {
  for (const { source, file } of files) {
    const entries = (file[`${what}s`] ?? []) as readonly ({ readonly name?: string } & { readonly [W in K]?: Entries[W] })[]
    const found = entries.find(one => one.name === name)
    if (found) return { entry: (found[what] ?? {}) as Entries[K], source }
  }
  throw new UserError(`${all}: there is no ${what} with the name ${JSON.stringify(name)}`)
}

async function clusterOf({
  entry,
  source
}: Located<ClusterEntry>): Promise<Omit<ClusterAccess, 'namespace' | 'credentials' | 'headers'>> {
  return {
    server: serverUrl(`${source.name}: server`, entry.server ?? ''),
    ca: await readAuthorities(source.name, entry, source.directory),
    serverName: entry['tls-server-name'] || undefined,
    insecure: entry['insecure-skip-tls-verify'] === true,
    proxy: entry['proxy-url'] ? proxyUrl(`${source.name}: proxy-url`, entry['proxy-url']) : undefined,
    compress: entry['disable-compression'] !== true
  }
}

async function credentialsOf(
  { entry, source }: Located<UserEntry>,
  name: string,
  cluster: Located<ClusterEntry>,
  ca: string | undefined,
  clock: Clock
): Promise<Credentials> {
  const of = `${source.name}: user ${JSON.stringify(name)}`
  if (entry.exec)
    return new PluginCredentials({
      source: of,
      exec: entry.exec,
      cluster: pluginCluster(cluster.entry, ca),
      directory: source.directory,
      clock
    })
  const certificate = await certificateOf(of, entry, source, clock)
  const provider = entry['auth-provider']
  if (provider) {
    if (provider.name !== 'oidc')
      throw new UserError(`${of}: the auth-provider ${JSON.stringify(provider.name ?? '')} is unknown: use exec, or oidc`)
    return oidcCredentials(of, name, provider.config ?? {}, source, clock)
  }
  if (entry.tokenFile)
    return tokenFileCredentials(
      new RereadFile(`${of}: tokenFile`, resolve(source.directory, entry.tokenFile), clock),
      certificate
    )
  const authorization = entry.token
    ? bearer(entry.token)
    : entry.username
      ? basic(entry.username, entry.password ?? '')
      : undefined
  return { ...fixedCredentials(authorization), certificate }
}

const pluginCluster = (entry: ClusterEntry, ca: string | undefined) => ({
  server: entry.server ?? '',
  'tls-server-name': entry['tls-server-name'],
  'insecure-skip-tls-verify': entry['insecure-skip-tls-verify'],
  'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
  'proxy-url': entry['proxy-url']
})

async function certificateOf(
  of: string,
  entry: UserEntry,
  source: KubeconfigSource,
  clock: Clock
): Promise<() => Promise<ClientCertificate | undefined>> {
  const fixed = await readClientCertificate(of, entry, source.directory)
  if (!fixed) return async () => undefined
  const areFiles = !entry['client-certificate-data'] && !entry['client-key-data']
  const reread = (field: 'client-certificate' | 'client-key') =>
    new RereadFile(`${of}: ${field}`, resolve(source.directory, entry[field]!), clock)
  if (areFiles) return certificateFiles(reread('client-certificate'), reread('client-key'))
  return async () => fixed
}

async function oidcCredentials(
  of: string,
  name: string,
  config: Readonly<Record<string, string>>,
  source: KubeconfigSource,
  clock: Clock
): Promise<Credentials> {
  return new OidcCredentials({
    source: of,
    issuer: config['idp-issuer-url'] ?? '',
    clientId: config['client-id'] ?? '',
    clientSecret: config['client-secret'],
    idToken: config['id-token'],
    refreshToken: config['refresh-token'],
    ca: await readPem(source.name, config, 'idp-certificate-authority', source.directory),
    clock,
    save: async tokens => {
      if (source.path !== undefined) await saveTokens(source.path, name, tokens)
    }
  })
}
