import type { NodeSelectorTerm } from '../apimachinery/api/generated/core-v1.js'
import type { LabelSelector } from '../apimachinery/api/generated/meta-v1.js'
import type { Path } from '../apimachinery/validation/field.js'
import { isLabelValue } from '../apimachinery/validation/names.js'

const deprecated: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead'
}

/** Returns the warning about a node label, if there is one. */
export const deprecatedNodeLabel = (key: string): string | undefined =>
  Object.hasOwn(deprecated, key) ? deprecated[key] : undefined

/** Adds the warnings about a term of a node affinity. With `checkValues`, values that nobody else validates get a warning. */
export function nodeTermWarnings({ matchExpressions }: NodeSelectorTerm, path: Path, out: string[], checkValues = false): void {
  matchExpressions?.forEach(({ key, values }, i) => {
    const at = path.child('matchExpressions').index(i)
    const why = deprecatedNodeLabel(key)
    if (why !== undefined) out.push(`${at.child('key')}: ${key} is ${why}`)
    if (!checkValues) return
    values?.forEach((value, j) => {
      for (const wrong of isLabelValue(value)) out.push(`${at.child('values').index(j)}: ${value} is invalid, ${wrong}`)
    })
  })
}

/** Returns the warnings about a selector of nodes. */
export function nodeSelectorWarnings(selector: LabelSelector | undefined, path: Path): string[] {
  const warnings: string[] = []
  selector?.matchExpressions?.forEach(({ key }, i) => {
    const why = deprecatedNodeLabel(key)
    if (why) warnings.push(`${path.child('matchExpressions').index(i).child('key')}: ${key} is ${why}`)
  })
  for (const key of Object.keys(selector?.matchLabels ?? {})) {
    const why = deprecatedNodeLabel(key)
    if (why) warnings.push(`${path.child('matchLabels', key)}: ${why}`)
  }
  return warnings
}

/** Labels that became stable under another name. */
export const stableNodeLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone']
])
