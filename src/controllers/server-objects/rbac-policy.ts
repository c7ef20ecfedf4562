/** Creates the default roles and bindings at the start, and restores missing rules, like the hook rbac/bootstrap-roles. */

import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import {
  type DefaultBinding,
  type DefaultRole,
  defaultClusterRoleBindings,
  defaultClusterRoles,
  defaultRoleBindings,
  defaultRoles
} from '../../auth/authorization/rbac/bootstrap/default-policy.js'
import { type Change, changeOfBinding, changeOfRole } from '../../auth/authorization/rbac/bootstrap/reconcile.js'
import { rbacGroup } from '../../auth/authorization/rbac/group.js'
import type { Client } from '../../registry/client.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'

/** Writes all missing objects concurrently, so that they share one commit or a few. */
export async function ensureRbacPolicy(registry: Registry, client: Client, features: FeatureGates): Promise<void> {
  const use = (resource: string) => (registry.has(rbacGroup, resource) ? registry.resource(rbacGroup, resource) : undefined)
  const [clusterRoles, clusterBindings] = [use('clusterroles'), use('clusterrolebindings')]
  const [roles, bindings] = [use('roles'), use('rolebindings')]
  const under = (namespace: string) => ({ client, namespace })
  await Promise.all([
    clusterRoles && ensureAll(clusterRoles, defaultClusterRoles(features), changeOfRole, under('')),
    clusterBindings && ensureAll(clusterBindings, defaultClusterRoleBindings(features), changeOfBinding, under('')),
    ...[...defaultRoles()].map(([namespace, of]) => roles && ensureAll(roles, of, changeOfRole, under(namespace))),
    ...[...defaultRoleBindings()].map(([namespace, of]) => bindings && ensureAll(bindings, of, changeOfBinding, under(namespace)))
  ])
}

interface Where {
  readonly client: Client
  readonly namespace: string
}

const ensureAll = <Wanted extends DefaultRole | DefaultBinding>(
  resource: Resource,
  all: readonly Wanted[],
  changeOf: (present: any, wanted: Wanted) => Change | undefined,
  where: Where
): Promise<unknown> => Promise.all(all.map(wanted => ensure(resource, wanted, present => changeOf(present, wanted), where)))

async function ensure(
  resource: Resource,
  wanted: DefaultRole | DefaultBinding,
  changeOf: (present: any) => Change | undefined,
  { client, namespace }: Where
): Promise<void> {
  const { name } = wanted.metadata
  const present = resource.get(namespace, name)
  if (!present) {
    await client.ensure(resource, namespace, wanted)
    return
  }
  const change = changeOf(resource.peek(present))
  if (change === undefined) return
  if (change !== 'recreate') {
    await client.update(resource, namespace, name, change)
    return
  }
  await client.delete(resource, namespace, name, { preconditions: { uid: present.uid } })
  await client.ensure(resource, namespace, wanted)
}
