/** Gives each ClusterRole with an aggregationRule the rules of all ClusterRoles that its selectors match. */

import type { AggregationRule, PolicyRule } from '../apimachinery/api/generated/rbac-v1.js'
import * as refs from '../apimachinery/api/resources.js'
import { labelSelectorMatcher } from '../apimachinery/selectors/labels.js'
import type { RbacPolicy } from '../auth/authorization/rbac/policy.js'
import type { Client } from '../registry/client.js'
import type { Services } from '../registry/services.js'
import type { CachedObject } from '../storage/cached-object.js'
import { cloneJson, equalJson, type JsonObject } from '../util/json.js'
import type { Logger } from '../util/logger.js'
import { Bucket } from '../util/rate-limits.js'
import { takingTurns } from '../util/turns.js'
import { Controller } from './controller.js'

const all = ''
/** The text that aggregated roles contain. Nearly all roles lack it, and need not be parsed at each start of the server. */
const aggregationRuleField = Buffer.from('"aggregationRule":')

/**
 * Writes a second, after so many at once: those of kube-controller-manager's client. Roles that aggregate each other in a ring may pass their rules on for
 * ever.
 */
const pace = { perSecond: 20, burst: 100 }

export function clusterRoleAggregation(
  { registry, clock, queues }: Services,
  rbac: RbacPolicy,
  client: Client,
  log: Logger
): Controller {
  const resource = registry.of(refs.clusterRoles)
  const contentOf = (role: CachedObject) => rbac.contentOf(resource, role)
  const turns = new Bucket(pace.perSecond, pace.burst, clock)
  let nextWrite = 0
  const controller: Controller = new Controller({
    name: 'clusterrole-aggregation-controller',
    queue: 'ClusterRoleAggregator',
    // only the selectors of all aggregated roles tell which of them a change affects
    watches: [{ resource, keyOf: () => all }],
    clock,
    queues,
    log,
    // two roles that aggregate each other would swap their rules again and again at the same time
    workers: 1,
    async reconcile(name) {
      if (name === all) {
        for (const role of resource.cache.range(''))
          if (role.glance().includes(aggregationRuleField) && contentOf(role).aggregationRule) controller.enqueue(role.name)
        return undefined
      }
      const wait = nextWrite - clock.now()
      if (wait > 0) return wait
      const role = resource.get('', name)
      if (!role) return undefined
      const { rules, aggregationRule } = contentOf(role)
      if (!aggregationRule) return undefined
      const gathered = await gather(resource.cache.range(''), name, aggregationRule, r => contentOf(r).rules)
      if (equalJson(gathered, rules)) return undefined
      // with no rules, leave the field out of the apply so that rules written by other managers stay
      const config: JsonObject & { metadata: { name: string } } = { metadata: { name } }
      if (gathered.length > 0) config.rules = cloneJson(gathered)
      await client.apply(resource, '', config)
      nextWrite = clock.now() + turns.when()
      return undefined
    }
  })
  return controller
}

/**
 * Returns the distinct rules in the order of the selectors, and within a selector by role name. There may be 100,000 selectors: a role
 * that one of them has matched is not looked at again, and others get turns.
 */
export async function gather(
  roles: Iterable<CachedObject>,
  name: string,
  { clusterRoleSelectors = [] }: AggregationRule,
  rulesOf: (role: CachedObject) => readonly PolicyRule[]
): Promise<PolicyRule[]> {
  const gathered = new Map<string, PolicyRule>()
  const open = new Set(roles)
  for (const role of open) if (role.name === name) open.delete(role)
  const turn = takingTurns()
  for (const selector of clusterRoleSelectors) {
    if (open.size === 0) break
    const pending = turn()
    if (pending) await pending
    const matches = labelSelectorMatcher(selector)
    for (const role of open) {
      if (!matches(role.labels)) continue
      open.delete(role)
      for (const rule of rulesOf(role)) {
        const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
        const key = JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs])
        if (!gathered.has(key)) gathered.set(key, rule)
      }
    }
  }
  return [...gathered.values()]
}
