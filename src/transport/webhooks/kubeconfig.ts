/**
 * Reads the kubeconfig files of flags such as --authentication-token-webhook-config-file: the server in the cluster of the
 * current context, and the credentials of its user
 * (https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/).
 */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { goQuote } from '../../util/go-format.js'
import { fileError, UserError } from '../../util/user-error.js'
import { impersonationHeaders, parseKubeconfigFile, type UserEntry } from '../kubeconfig/kubeconfig-file.js'
import { readAuthorities, readClientCertificate } from '../kubeconfig/pem-fields.js'

/** The credentials of a client. */
export interface Credentials {
  /** PEM of a client certificate and its key. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  readonly token?: string | undefined
  /** A file with a token that is read again each minute. It takes precedence over `token`. */
  readonly tokenFile?: string | undefined
  /** User and password: `user:password`. */
  readonly basic?: string | undefined
  /** Headers of impersonation. */
  readonly headers: Readonly<Record<string, string | string[]>>
}

/** A remote server, and how to reach it. */
export interface Kubeconfig extends Credentials {
  /** `https://hooks.example.com/authorize`; a path is kept. */
  readonly server: string
  /** PEM of the authorities of its certificate; the system's when undefined. */
  readonly ca?: string | undefined
  readonly serverName?: string | undefined
  readonly insecure: boolean
  readonly proxy?: string | undefined
  /** The namespace of the context; undefined when it names none. */
  readonly namespace?: string | undefined
}

/** Reads a kubeconfig file. `flag` names the file in messages; `context` replaces the current one. Rejects with a UserError. */
export async function loadKubeconfig(flag: string, path: string, context?: string): Promise<Kubeconfig> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw fileError(`${flag} ${path}`, error)
  }
  return parseKubeconfig(`${flag} ${path}`, text, dirname(path), context)
}

/** `source` names the text in messages; paths in it are relative to `directory`. Rejects with a UserError. */
export async function parseKubeconfig(source: string, text: string, directory: string, chosen?: string): Promise<Kubeconfig> {
  const invalid = (why: string) => new UserError(`${source}: ${why}`)
  const object = parseKubeconfigFile(source, text)
  const named = (items: readonly any[] | undefined, what: string, name: string) => {
    const found = items?.find(item => item.name === name)?.[what]
    if (!found) throw invalid(`there is no ${what} with the name ${goQuote(name)}`)
    return found
  }
  const current = chosen ?? object['current-context']
  if (!current) throw invalid('current-context must name a context')
  const context = named(object.contexts, 'context', current)
  const to = named(object.clusters, 'cluster', context.cluster ?? '')
  const as = context.user === undefined ? {} : named(object.users, 'user', context.user)
  const credentials = await readCredentials(source, as, context.user, directory)
  const ca = await readAuthorities(source, to, directory)
  const server = to.server ?? ''
  for (const [field, url] of [['server', server], ...(to['proxy-url'] ? [['proxy-url', to['proxy-url']]] : [])] as const)
    if (!isHttpUrl(url)) throw invalid(`${field} ${goQuote(url)} must be a URL like https://127.0.0.1:8443/path`)
  return {
    server,
    ca,
    serverName: to['tls-server-name'],
    insecure: to['insecure-skip-tls-verify'] === true,
    proxy: to['proxy-url'],
    namespace: context.namespace,
    ...credentials
  }
}

/** Reads the user `as` of a kubeconfig. */
async function readCredentials(source: string, as: UserEntry, name: string, directory: string): Promise<Credentials> {
  const invalid = (why: string) => new UserError(`${source}: ${why}`)
  if (as.exec || as['auth-provider']) throw invalid(`the user ${goQuote(name)} has a plugin, which is not supported`)
  const pair = await readClientCertificate(source, as, directory)
  if (as.username && (as.token || as.tokenFile)) throw invalid('a token and a user name exclude each other')
  return {
    ...pair,
    token: as.token,
    tokenFile: as.tokenFile === undefined ? undefined : resolve(directory, as.tokenFile),
    basic: as.username ? `${as.username}:${as.password ?? ''}` : undefined,
    headers: impersonationHeaders(as)
  }
}

/** Credentials by user, and those of the current context. */
export interface KubeconfigUsers {
  readonly byName: ReadonlyMap<string, Credentials>
  readonly current: Credentials | undefined
}

/** Reads only the users of a kubeconfig. Rejects with a UserError. */
export async function parseKubeconfigUsers(source: string, text: string, directory: string): Promise<KubeconfigUsers> {
  const object = parseKubeconfigFile(source, text)
  const byName = new Map<string, Credentials>()
  for (const { name = '', user = {} } of object.users ?? [])
    if (!byName.has(name)) byName.set(name, await readCredentials(source, user, name, directory))
  const context = object.contexts?.find(({ name }: any) => name === object['current-context'])?.context
  return { byName, current: byName.get(context?.user ?? '') }
}

function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\//.test(text)) return false
  try {
    void new URL(text)
    return true
  } catch {
    return false
  }
}
