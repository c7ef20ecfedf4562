/** Gathers rules: a ClusterRole with an aggregationRule has those of all ClusterRoles that its selectors match. */

import type { AggregationRule, PolicyRule } from '../api/generated/rbac-v1.js'
import * as refs from '../api/resources.js'
import type { RbacPolicy } from '../authorization/rbac/policy.js'
import type { Client } from '../registry/client.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import { labelSelectorMatcher } from '../selectors/labels.js'
import type { CachedObject } from '../storage/cached-object.js'
import { cloneJson, equalJson, type JsonObject } from '../util/json.js'
import type { Logger } from '../util/logger.js'
import { Controller } from './controller.js'

const all = ''

export function clusterRoleAggregation({ registry, clock }: Services, rbac: RbacPolicy, client: Client, log: Logger): Controller {
  const resource = registry.of(refs.clusterRoles)
  const contentOf = (role: CachedObject) => rbac.contentOf(resource, role)
  const controller: Controller = new Controller({
    name: 'clusterrole-aggregation-controller',
    // whom a change concerns, the selectors of all others tell
    watches: [{ resource, keyOf: () => all }],
    clock,
    log,
    async reconcile(name) {
      if (name === all) {
        for (const role of resource.cache.range('')) if (contentOf(role).aggregationRule) controller.enqueue(role.name)
        return
      }
      const role = resource.get('', name)
      if (!role) return
      const { rules, aggregationRule } = contentOf(role)
      if (!aggregationRule) return
      const gathered = gather(resource, name, aggregationRule, r => contentOf(r).rules)
      if (equalJson(gathered, rules)) return
      // without any rule the field is not applied: what somebody else has written into it stays
      const config: JsonObject & { metadata: { name: string } } = { metadata: { name } }
      if (gathered.length > 0) config.rules = cloneJson(gathered)
      await client.apply(resource, '', config)
    }
  })
  return controller
}

/** Each rule once, selector by selector, the roles by name. */
function gather(
  resource: Resource,
  name: string,
  { clusterRoleSelectors = [] }: AggregationRule,
  rulesOf: (role: CachedObject) => readonly PolicyRule[]
): PolicyRule[] {
  const gathered = new Map<string, PolicyRule>()
  for (const matches of clusterRoleSelectors.map(labelSelectorMatcher))
    for (const role of resource.cache.range('')) {
      if (role.name === name || !matches(role.labels)) continue
      for (const rule of rulesOf(role)) {
        const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
        const key = JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs])
        if (!gathered.has(key)) gathered.set(key, rule)
      }
    }
  return [...gathered.values()]
}
