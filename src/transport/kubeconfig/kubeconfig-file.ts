/**
 * The content of a kubeconfig file, as client-go decodes it
 * (https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/).
 */
import { ConfigError, readConfigLeniently } from '../../apimachinery/config/read-config.js'
import { bool, bytes, list, map, raw, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { UserError } from '../../util/user-error.js'

/** A server, and how it is reached. Fields that end in `-data` are base64. */
export interface ClusterEntry {
  readonly server?: string | undefined
  readonly 'tls-server-name'?: string | undefined
  readonly 'insecure-skip-tls-verify'?: boolean | undefined
  readonly 'certificate-authority'?: string | undefined
  readonly 'certificate-authority-data'?: string | undefined
  readonly 'proxy-url'?: string | undefined
  readonly 'disable-compression'?: boolean | undefined
}

/** A program that prints credentials (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins). */
export interface ExecEntry {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: readonly { readonly name?: string | undefined; readonly value?: string | undefined }[] | undefined
  readonly apiVersion?: string | undefined
  readonly installHint?: string | undefined
  readonly provideClusterInfo?: boolean | undefined
  readonly interactiveMode?: string | undefined
}

/** Credentials that a plugin in the client renews; client-go has `oidc` only. */
export interface AuthProviderEntry {
  readonly name?: string | undefined
  readonly config?: Readonly<Record<string, string>> | undefined
}

export interface UserEntry {
  readonly 'client-certificate'?: string | undefined
  readonly 'client-certificate-data'?: string | undefined
  readonly 'client-key'?: string | undefined
  readonly 'client-key-data'?: string | undefined
  readonly token?: string | undefined
  readonly tokenFile?: string | undefined
  readonly as?: string | undefined
  readonly 'as-uid'?: string | undefined
  readonly 'as-groups'?: readonly string[] | undefined
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>> | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly 'auth-provider'?: AuthProviderEntry | undefined
  readonly exec?: ExecEntry | undefined
}

export interface ContextEntry {
  readonly cluster?: string | undefined
  readonly user?: string | undefined
  readonly namespace?: string | undefined
}

export interface KubeconfigFile {
  readonly 'current-context'?: string | undefined
  readonly clusters?: readonly { readonly name?: string; readonly cluster?: ClusterEntry }[] | undefined
  readonly users?: readonly { readonly name?: string; readonly user?: UserEntry }[] | undefined
  readonly contexts?: readonly { readonly name?: string; readonly context?: ContextEntry }[] | undefined
}

const cluster = struct('v1.Cluster', {
  server: string,
  'tls-server-name': string,
  'insecure-skip-tls-verify': bool,
  'certificate-authority': string,
  'certificate-authority-data': bytes,
  'proxy-url': string,
  'disable-compression': bool,
  extensions: list(struct('v1.NamedExtension', { name: string, extension: raw }))
})

const exec = struct('v1.ExecConfig', {
  command: string,
  args: list(string),
  env: list(struct('v1.ExecEnvVar', { name: string, value: string })),
  apiVersion: string,
  installHint: string,
  provideClusterInfo: bool,
  interactiveMode: string
})

const user = struct('v1.AuthInfo', {
  'client-certificate': string,
  'client-certificate-data': bytes,
  'client-key': string,
  'client-key-data': bytes,
  token: string,
  tokenFile: string,
  as: string,
  'as-uid': string,
  'as-groups': list(string),
  'as-user-extra': map(list(string)),
  username: string,
  password: string,
  'auth-provider': { pointer: struct('v1.AuthProviderConfig', { name: string, config: map(string) }) },
  exec: { pointer: exec }
})

const config = struct('v1.Config', {
  ...typeMeta,
  'current-context': string,
  clusters: list(struct('v1.NamedCluster', { name: string, cluster })),
  users: list(struct('v1.NamedAuthInfo', { name: string, user })),
  contexts: list(
    struct('v1.NamedContext', {
      name: string,
      context: struct('v1.Context', { cluster: string, user: string, namespace: string })
    })
  )
})

const kind = { kind: 'Config', versions: { v1: config }, assumed: 'v1' }

/** Unknown fields are ignored, as by kubectl. `source` names the text in messages. Throws a UserError. */
export function parseKubeconfigFile(source: string, text: string): KubeconfigFile {
  try {
    return readConfigLeniently(text, kind).object as KubeconfigFile
  } catch (error) {
    throw error instanceof ConfigError ? new UserError(`${source}: ${error.message}`) : error
  }
}

/** The headers by which a user asks to act as another one. */
export function impersonationHeaders(as: UserEntry): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  if (as.as) headers['impersonate-user'] = as.as
  if (as['as-uid']) headers['impersonate-uid'] = as['as-uid']
  if (as['as-groups']) headers['impersonate-group'] = [...as['as-groups']]
  for (const [name, values] of Object.entries(as['as-user-extra'] ?? {}))
    headers[`impersonate-extra-${encodeURIComponent(name)}`] = [...values]
  return headers
}
