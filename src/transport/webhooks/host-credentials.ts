/**
 * The credentials with which admission webhooks are called: users of a kubeconfig whose names are hosts
 * (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#authenticate-apiservers).
 */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../../util/clock.js'
import { goFileError } from '../../util/go-file-error.js'
import { goQuote } from '../../util/go-format.js'
import { UserError } from '../../util/user-error.js'
import { AuthorizationHeader } from './authorization-header.js'
import { type Credentials, type KubeconfigUsers, parseKubeconfigUsers } from './kubeconfig.js'

export interface HostCredentials {
  readonly credentials: Credentials
  readonly authorization: AuthorizationHeader
}

/** Finds the credentials for a host with its port: `hooks.default.svc:443`. */
export type CredentialsFor = (host: string) => HostCredentials | undefined

/** Rejects with a UserError. */
export async function loadHostCredentials(path: string, clock: Clock): Promise<CredentialsFor> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new UserError(goFileError('stat', path, error))
  }
  return credentialsFor(await parseKubeconfigUsers(`error loading config file ${goQuote(path)}`, text, dirname(path)), clock)
}

/**
 * Finds the credentials of a host. A name with its port takes precedence over `*.` and a part of the name; the default port may
 * be left out, and `*` stands for any host.
 */
export function credentialsFor({ byName, current }: KubeconfigUsers, clock: Clock): CredentialsFor {
  const ready = (credentials: Credentials) => ({ credentials, authorization: new AuthorizationHeader(credentials, clock) })
  const users = new Map([...byName].map(([name, credentials]) => [name, ready(credentials)]))
  const fallback = users.get('*') ?? (current && ready(current))
  const find = (host: string) => {
    const labels = host.split('.')
    for (let i = 0; i < labels.length; i++) {
      const found = users.get(i === 0 ? host : `*.${labels.slice(i).join('.')}`)
      if (found) return found
    }
    return undefined
  }
  return host => find(host) ?? (host.endsWith(':443') ? find(host.slice(0, -':443'.length)) : undefined) ?? fallback
}
