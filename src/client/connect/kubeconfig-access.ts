/**
 * Finds a cluster and its user in kubeconfig files, which are merged as kubectl merges them
 * (https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/).
 */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { parseCertificates, parsePrivateKey } from '../../transport/certificates/key-files.js'
import {
  type ClusterEntry,
  impersonationHeaders,
  type KubeconfigFile,
  parseKubeconfigFile,
  type UserEntry
} from '../../transport/kubeconfig/kubeconfig-file.js'
import type { Clock } from '../../util/clock.js'
import { fileError, UserError } from '../../util/user-error.js'
import type { ClusterAccess } from './access.js'
import { basic, bearer, type ClientCertificate, type Credentials, fixedCredentials } from './credentials.js'
import { PluginCredentials } from './exec-plugin.js'
import { certificateFiles, tokenFileCredentials } from './file-credentials.js'
import { OidcCredentials } from './oidc.js'
import { RereadFile } from './reread-file.js'
import { saveTokens } from './save-tokens.js'

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
  const invalid = (why: string) => new UserError(`${source.name}: ${why}`)
  const ca = await pemOf(source, 'certificate-authority', entry['certificate-authority-data'], entry['certificate-authority'])
  const insecure = entry['insecure-skip-tls-verify'] === true
  if (ca !== undefined && insecure) throw invalid('certificate-authority and insecure-skip-tls-verify exclude each other')
  if (ca !== undefined) parseCertificates(`${source.name}: certificate-authority`, ca)
  return {
    server: serverUrl(`${source.name}: server`, entry.server ?? ''),
    ca,
    serverName: entry['tls-server-name'] || undefined,
    insecure,
    proxy: entry['proxy-url'] ? proxyUrl(`${source.name}: proxy-url`, entry['proxy-url']) : undefined,
    compress: entry['disable-compression'] !== true
  }
}

/** Throws a UserError that begins with `what`. */
export function serverUrl(what: string, text: string): URL {
  // kubectl takes a server without a scheme, which it reaches over HTTP
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new UserError(`${what} must be a URL like https://127.0.0.1:6443, not ${JSON.stringify(text)}`)
  return url
}

/** Throws a UserError that begins with `what`. */
export function proxyUrl(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^(https?|socks5h?):$/.test(url.protocol))
    throw new UserError(`${what} must be a URL that begins with http://, https:// or socks5://, not ${JSON.stringify(text)}`)
  return url
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
  const cert = await pemOf(source, 'client-certificate', entry['client-certificate-data'], entry['client-certificate'])
  const key = await pemOf(source, 'client-key', entry['client-key-data'], entry['client-key'])
  if ((cert === undefined) !== (key === undefined))
    throw new UserError(`${of}: client-certificate and client-key need each other`)
  if (cert === undefined || key === undefined) return async () => undefined
  parseCertificates(`${of}: client-certificate`, cert)
  parsePrivateKey(`${of}: client-key`, key)
  const areFiles = !entry['client-certificate-data'] && !entry['client-key-data']
  const reread = (field: 'client-certificate' | 'client-key') =>
    new RereadFile(`${of}: ${field}`, resolve(source.directory, entry[field]!), clock)
  if (areFiles) return certificateFiles(reread('client-certificate'), reread('client-key'))
  const fixed = Promise.resolve({ cert, key })
  return () => fixed
}

async function oidcCredentials(
  of: string,
  name: string,
  config: Readonly<Record<string, string>>,
  source: KubeconfigSource,
  clock: Clock
): Promise<Credentials> {
  const authority = 'idp-certificate-authority'
  return new OidcCredentials({
    source: of,
    issuer: config['idp-issuer-url'] ?? '',
    clientId: config['client-id'] ?? '',
    clientSecret: config['client-secret'],
    idToken: config['id-token'],
    refreshToken: config['refresh-token'],
    ca: await pemOf(source, authority, config[`${authority}-data`], config[authority]),
    clock,
    save: async tokens => {
      if (source.path !== undefined) await saveTokens(source.path, name, tokens)
    }
  })
}

/** Reads what a field holds as base64, or the file that another field names. */
async function pemOf(
  source: KubeconfigSource,
  field: string,
  data: string | undefined,
  file: string | undefined
): Promise<string | undefined> {
  if (data) return Buffer.from(data, 'base64').toString()
  if (!file) return undefined
  const path = resolve(source.directory, file)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw fileError(`${source.name}: ${field} ${path}`, error)
  }
}
