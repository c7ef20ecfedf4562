/** The user names of service accounts and nodes. */

import { nameIsLabel, nameIsSubdomain } from '../validation/names.js'
import type { UserInfo } from './user.js'

const serviceAccountPrefix = 'system:serviceaccount:'
const nodePrefix = 'system:node:'

export const NODES_GROUP = 'system:nodes'

export const serviceAccountGroups = (namespace: string): readonly string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`
]

/** Makes the user of a ServiceAccount, without what only a token adds. */
export const serviceAccountUser = (namespace: string, name: string): UserInfo => ({
  name: `${serviceAccountPrefix}${namespace}:${name}`,
  groups: serviceAccountGroups(namespace)
})

export function serviceAccountOf(username: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(serviceAccountPrefix)) return undefined
  const [namespace = '', name = '', rest] = username.slice(serviceAccountPrefix.length).split(':')
  const valid = rest === undefined && nameIsLabel(namespace, false).length === 0 && nameIsSubdomain(name, false).length === 0
  return valid ? { namespace, name } : undefined
}

export function nodeOf(username: string): string | undefined {
  if (!username.startsWith(nodePrefix)) return undefined
  const name = username.slice(nodePrefix.length)
  return nameIsSubdomain(name, false).length === 0 ? name : undefined
}

/** Returns the node of a kubelet's user, without checking that it is a valid name; undefined for other users. */
export const nodeIdentity = ({ name, groups }: UserInfo): string | undefined =>
  name.startsWith(nodePrefix) && groups.includes(NODES_GROUP) ? name.slice(nodePrefix.length) : undefined
