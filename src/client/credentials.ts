/** Finds the user that a client acts as. */

import { AUTHENTICATED_GROUP, type UserInfo } from '../apimachinery/request/user.js'
import { serviceAccountGroups, serviceAccountOf } from '../apimachinery/request/usernames.js'
import { UserError } from '../util/user-error.js'
import type { KubeClient } from './types.js'

/**
 * A user for `BinnacleServer.kubeconfig`, known by a client certificate; a member of system:masters without `user`.
 *
 * @example
 * const kubeconfig = server.kubeconfig({ user: 'alice', groups: ['devs'] })
 */
export interface CertificateUser {
  readonly user?: string | undefined
  readonly groups?: readonly string[] | undefined
}

/**
 * A ServiceAccount for `BinnacleServer.kubeconfig`, known by a token that is valid for an hour.
 *
 * @example
 * const kubeconfig = await server.kubeconfig({ serviceAccount: 'team/builder' })
 */
export interface ServiceAccountReference {
  /** Namespace and name: `team/builder`. */
  readonly serviceAccount: string
}

/** Returns the user as authenticators would find it. */
export function userNamed(name: string, groups: readonly string[] = []): UserInfo {
  const account = serviceAccountOf(name)
  const own = account ? serviceAccountGroups(account.namespace) : []
  return { name, groups: [...new Set([...groups, ...own, AUTHENTICATED_GROUP])] }
}

/** Requests a token (TokenRequest). */
export async function serviceAccountToken(client: KubeClient, account: string): Promise<string> {
  const [namespace, name, rest] = account.split('/')
  if (!namespace || !name || rest !== undefined)
    throw new UserError(`a ServiceAccount is named namespace/name, not ${JSON.stringify(account)}`)
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const { status } = await client.of('v1', 'ServiceAccount').subresource('token').create(name, body, { namespace })
  return status.token
}
