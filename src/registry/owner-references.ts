/** An owner that is named twice is named once. */
import type { OwnerReference } from '../api/generated/meta-v1.js'
import { equalJson } from '../util/json.js'
import type { KubeObject } from './kind.js'
import type { StrategyContext } from './strategy-context.js'

/** Changes the object, and warns of what was said twice. `after`: admission has seen the object. */
export function dropDuplicateOwners({ metadata }: KubeObject, context: StrategyContext, after: boolean): void {
  const owners = metadata.ownerReferences
  if (!owners || owners.length < 2) return
  const kept: OwnerReference[] = []
  const twice: string[] = []
  for (const owner of owners) {
    if (kept.some(other => equalJson(other, owner))) twice.push(owner.uid)
    else kept.push(owner)
  }
  if (twice.length === 0) return
  metadata.ownerReferences = kept
  context.warn(
    `.metadata.ownerReferences contains duplicate entries${after ? ' after mutating admission happens' : ''}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${twice.join(', ')}`
  )
}
