import type { Container, Pod, PodAffinityTerm } from '../../apimachinery/api/generated/core-v1.js'
import { addSeconds } from '../../util/time.js'
import { qosClass } from '../core/pod/qos.js'
import { isPodLevel, podResourcesInUse, type ResourceList } from '../core/pod/resources.js'
import { implicitResource } from '../resource/class-resources.js'
import type { Evaluator, Scope, Usage } from './evaluator.js'
import { selects } from './scopes.js'

const computed = ['cpu', 'memory', 'ephemeral-storage'] as const
const fixed: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...computed.flatMap(name => [name, `requests.${name}`, `limits.${name}`])
])
/** Under a quota for these, every container must have a request or limit. */
const mandatory: ReadonlySet<string> = new Set(['cpu', 'memory'].flatMap(name => [name, `requests.${name}`, `limits.${name}`]))

const isHugePages = (name: string) => name.startsWith('hugepages-')
/** "example.com/gpu": names with a domain that is not Kubernetes' own, and those of DeviceClasses. */
const isExtended = (name: string) =>
  (name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.')) ||
  name.startsWith(implicitResource(''))

export const podEvaluator: Evaluator = {
  matches: name =>
    fixed.has(name) ||
    isHugePages(name) ||
    name.startsWith('requests.hugepages-') ||
    (name.startsWith('requests.') && isExtended(name.slice('requests.'.length))),
  usage(pod: Pod, now) {
    if (hasEnded(pod, now)) return { 'count/pods': '1' }
    const of = (which: 'requests' | 'limits') => podResourcesInUse(pod, which)
    return { 'count/pods': '1', pods: '1', ...computeUsage(of('requests'), of('limits')) }
  },
  inScope,
  isCharged(operation, subresource, object, old) {
    if (subresource === 'resize') return operation === 'UPDATE'
    if (subresource !== '') return false
    return operation === 'CREATE' || isTerminating(object) !== isTerminating(old)
  },
  missing(names, pod: Pod) {
    const { requests, limits } = pod.spec.resources ?? {}
    if (Object.keys({ ...requests, ...limits }).some(isPodLevel)) return undefined
    const wanted = names.filter(name => mandatory.has(name)).sort()
    const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])]
    const lacking = wanted.flatMap(name => {
      const without = containers.filter(container => !(name in saidBy(container))).map(container => container.name)
      return without.length > 0 ? [`${name} for: ${[...new Set(without)].sort().join(',')}`] : []
    })
    return lacking.length > 0 ? `must specify ${lacking.join('; ')}` : undefined
  }
}

const saidBy = ({ resources }: Container) => computeUsage(resources?.requests ?? {}, resources?.limits ?? {})

function computeUsage(requests: ResourceList, limits: ResourceList): Usage {
  const usage: Usage = {}
  for (const name of computed) {
    if (Object.hasOwn(requests, name)) usage[name] = usage[`requests.${name}`] = requests[name]!
    if (Object.hasOwn(limits, name)) usage[`limits.${name}`] = limits[name]!
  }
  for (const [name, amount] of Object.entries(requests)) {
    if (isHugePages(name)) usage[name] = amount
    if (isHugePages(name) || isExtended(name)) usage[`requests.${name}`] = amount
  }
  return usage
}

const hasFinished = ({ status }: Pod) => status.phase === 'Failed' || status.phase === 'Succeeded'

/** Whether a Pod has terminated, or is past its grace period because its kubelet does not answer. */
function hasEnded(pod: Pod, now: number): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata
  if (hasFinished(pod)) return true
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return false
  return now > addSeconds(Date.parse(deletionTimestamp), deletionGracePeriodSeconds)
}

const isTerminating = ({ spec }: Pod) => (spec.activeDeadlineSeconds ?? -1) >= 0

function inScope(pod: Pod, scope: Scope): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(pod)
    case 'NotTerminating':
      return !isTerminating(pod)
    case 'BestEffort':
      return qosClass(pod.spec) === 'BestEffort'
    case 'NotBestEffort':
      return qosClass(pod.spec) !== 'BestEffort'
    case 'CrossNamespacePodAffinity':
      return looksIntoNamespaces(pod)
    case 'PriorityClass': {
      const name = pod.spec.priorityClassName
      return selects(scope, name ? [name] : [])
    }
    default:
      return false
  }
}

function looksIntoNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {}
  const terms: PodAffinityTerm[] = [podAffinity, podAntiAffinity].flatMap(affinity => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted => weighted.podAffinityTerm)
  ])
  return terms.some(({ namespaces, namespaceSelector }) => !!namespaces?.length || namespaceSelector != null)
}
