/** Taints of Nodes that follow from their state: https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
import type { Node, Taint, Toleration } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, Informer, KubeClient } from '../../client/stored-types.js'
import type { Clock } from '../../util/clock.js'
import { timestamp } from '../../util/time.js'

export const notReady = 'node.kubernetes.io/not-ready'
export const unreachable = 'node.kubernetes.io/unreachable'
const unschedulable = 'node.kubernetes.io/unschedulable'

/** What each condition with a status means for Pods that are not there yet. */
const taintsByCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: notReady, Unknown: unreachable },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' }
}
const ofConditions = new Set([...Object.values(taintsByCondition).flatMap(taints => Object.values(taints)), unschedulable])

const isSame = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect
const hasOwn = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

export interface TaintChange {
  readonly add: readonly Taint[]
  readonly remove: readonly Taint[]
}

/** The changes after which a Node has the taints that keep Pods away from it, as its conditions say. */
export function schedulingTaints({ spec, status }: Node): TaintChange {
  const keys = (status.conditions ?? []).flatMap(({ type, status: value }) => {
    const taints = hasOwn(taintsByCondition, type)
    const key = taints && hasOwn(taints, value)
    return key ? [key] : []
  })
  if (spec.unschedulable) keys.push(unschedulable)
  const wanted = keys.map(key => ({ key, effect: 'NoSchedule' }))
  const present = (spec.taints ?? []).filter(({ key, effect }) => effect === 'NoSchedule' && ofConditions.has(key))
  return {
    add: wanted.filter(taint => !present.some(one => isSame(one, taint))),
    remove: present.filter(taint => !wanted.some(one => isSame(one, taint)))
  }
}

export const executionTaint = (key: string): Taint => ({ key, effect: 'NoExecute' })
export const executionTaints = ({ spec }: Node): Taint[] => (spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute')
export const hasTaint = ({ spec }: Node, taint: Taint): boolean => !!spec.taints?.some(one => isSame(one, taint))

/** Undefined when nothing changes. */
function changed(taints: readonly Taint[], { add, remove }: TaintChange, time: string): Taint[] | undefined {
  const added = add.filter(taint => !taints.some(one => isSame(one, taint)))
  const left = taints.filter(taint => !remove.some(one => isSame(one, taint)))
  if (added.length === 0 && left.length === taints.length) return undefined
  return [...left, ...added.map(taint => ({ ...taint, timeAdded: time }))]
}

/** Returns what changes the taints of a Node, also when somebody else writes at the same time. */
export function taintChanger(client: KubeClient, informer: Informer<Node & KubeObject>, clock: Clock) {
  const nodes = client.of('v1', 'Node')
  return async (name: string, change: TaintChange): Promise<void> => {
    for (let tries = 0; ; tries++) {
      const node = tries === 0 ? informer.get(name) : await nodes.find(name)
      const taints = node && changed(node.spec.taints ?? [], change, timestamp(clock.now()))
      if (!taints) return
      const { resourceVersion } = node.metadata
      const patch = { metadata: { resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } }
      try {
        informer.learn(await nodes.patch(name, patch as Draft<Node & KubeObject>, { type: 'strategic' }))
        return
      } catch (error) {
        if (!(error instanceof StatusError)) throw error
        if (error.code === 404) return
        if (error.code !== 409 || tries >= 5) throw error
      }
    }
  }
}

function tolerates({ key = '', operator = 'Equal', value = '', effect = '' }: Toleration, taint: Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return operator === 'Exists' || (operator === 'Equal' && value === (taint.value ?? ''))
}

/** For how many milliseconds a Pod stays on a Node with such taints: 0 when it does not tolerate one, infinity when it tolerates all for ever. */
export function toleratedMs(taints: readonly Taint[], tolerations: readonly Toleration[] = []): number {
  let least = Number.POSITIVE_INFINITY
  for (const taint of taints) {
    const toleration = tolerations.find(one => tolerates(one, taint))
    if (!toleration) return 0
    const { tolerationSeconds } = toleration
    if (tolerationSeconds != null) least = Math.min(least, Math.max(0, tolerationSeconds) * 1000)
  }
  return least
}
