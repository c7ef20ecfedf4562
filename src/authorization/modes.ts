/** Makes the authorizers of a server from its --authorization-mode. */
import type { AuthorizationMode } from '../options.js'
import type { Registry } from '../registry/registry.js'
import type { Authorizer } from '../request/authorization.js'
import { privilegedGroup } from '../request/privileged-group.js'
import { alwaysAllow, alwaysDeny } from './always.js'
import { nodeAuthorizer } from './node/authorizer.js'
import { NodeRelations } from './node/relations.js'
import { rbacAuthorizer } from './rbac/authorizer.js'
import type { RbacPolicy } from './rbac/policy.js'

/** Binnacle's default. kube-apiserver's default is AlwaysAllow. */
export const defaultModes: readonly AuthorizationMode[] = ['Node', 'RBAC']

/** Returns the authorizers in the order in which they are asked. `others` come after those of the modes. */
export function authorizersOf(
  modes: readonly AuthorizationMode[],
  policy: RbacPolicy,
  registry: Registry,
  others: readonly Authorizer[] = []
): Authorizer[] {
  const byMode: Record<AuthorizationMode, () => Authorizer> = {
    Node: () => nodeAuthorizer(new NodeRelations(registry)),
    RBAC: () => rbacAuthorizer(policy),
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny
  }
  return [privilegedGroup, ...modes.map(mode => byMode[mode]()), ...others]
}
