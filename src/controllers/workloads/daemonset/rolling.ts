/** Which Pods of a DaemonSet a rolling update replaces now: https://kubernetes.io/docs/tasks/manage-daemon/update-daemon-set/ */
import type { DaemonSet } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { scaledValue } from '../int-or-percent.js'

/** What the update sees of a Node. */
export interface NodeView {
  readonly name: string
  /** Whether it should have a Pod. */
  readonly runs: boolean
  /** The Pods that are not being deleted, with the new revision and without. */
  readonly current: readonly Pod[]
  readonly outdated: readonly Pod[]
}

export interface Replacement {
  readonly deletes: readonly Pod[]
  /** The names of Nodes that get another Pod beside the old one. */
  readonly creates: readonly string[]
}

export interface Limits {
  readonly surge: number
  readonly unavailable: number
}

export function limitsOf({ spec }: DaemonSet, wanted: number): Limits {
  const { type, rollingUpdate } = spec.updateStrategy
  if (type !== 'RollingUpdate') return { surge: 0, unavailable: 0 }
  const surge = scaledValue(rollingUpdate?.maxSurge, wanted, 'up')
  const unavailable = scaledValue(rollingUpdate?.maxUnavailable, wanted, 'up')
  // without any room an update could not begin
  return { surge, unavailable: wanted > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable }
}

const isCrowded = ({ current, outdated }: NodeView) => current.length > 1 || outdated.length > 1

/** Deletes old Pods: those that serve nobody, and so many others as may be missing. */
export function replaceInPlace(
  nodes: readonly NodeView[],
  { unavailable }: Limits,
  isAvailable: (pod: Pod) => boolean
): Replacement {
  const useless: Pod[] = []
  const candidates: Pod[] = []
  let missing = 0
  for (const node of nodes) {
    const [current, outdated] = [node.current[0], node.outdated[0]]
    if (isCrowded(node) || !current === !outdated) missing++
    else if (current) missing += isAvailable(current) ? 0 : 1
    else if (isAvailable(outdated!)) candidates.push(outdated!)
    else {
      useless.push(outdated!)
      missing++
    }
  }
  return { deletes: [...useless, ...candidates.slice(0, Math.max(0, unavailable - missing))], creates: [] }
}

/** Creates new Pods beside old ones, and deletes those when the new ones are available. */
export function replaceBeside(
  nodes: readonly NodeView[],
  { surge }: Limits,
  wanted: number,
  isAvailable: (pod: Pod) => boolean
): Replacement {
  const deletes: Pod[] = []
  const misplaced: Pod[] = []
  const needed: string[] = []
  const candidates: string[] = []
  let surging = 0
  let available = 0
  for (const node of nodes) {
    if (isCrowded(node)) {
      surging++
      continue
    }
    const [current, outdated] = [node.current[0], node.outdated[0]]
    const serving = outdated ?? current
    if (serving && isAvailable(serving)) available++
    if (!outdated) continue
    if (current) {
      if (isAvailable(current)) deletes.push(outdated)
      else surging++
    } else if (!node.runs) (isAvailable(outdated) ? misplaced : deletes).push(outdated)
    else (isAvailable(outdated) ? candidates : needed).push(node.name)
  }
  // a Pod where none should be stays until there are enough elsewhere
  deletes.push(...misplaced.slice(0, Math.max(0, available - wanted)))
  return { deletes, creates: [...needed, ...candidates.slice(0, Math.max(0, surge - surging))] }
}
