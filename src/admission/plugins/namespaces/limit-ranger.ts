import type {
  Container,
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod
} from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { podResources, type ResourceList } from '../../../kinds/core/pod/resources.js'
import { aggregateText } from '../../../util/go-format.js'
import { integerValue, maxMilliValue, milliValue, parseQuantity } from '../../../util/quantity.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'

const annotation = 'kubernetes.io/limit-ranger'

/**
 * Sets default requests and limits of containers, and refuses objects that request more or less than the LimitRanges of their
 * namespace allow (https://kubernetes.io/docs/concepts/policy/limit-range/).
 */
export const limitRanger: BuiltinPlugin = {
  name: 'LimitRanger',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods', 'persistentvolumeclaims'],
  subresources: ['', 'resize'],
  admit(attributes) {
    if (subject(attributes) === 'pods') for (const { spec } of ranges(attributes)) fill(attributes.object, spec.limits ?? [])
  },
  validate(attributes) {
    const what = subject(attributes)
    if (!what) return
    for (const { spec } of ranges(attributes)) {
      const limits = spec.limits ?? []
      const problems = what === 'pods' ? podProblems(attributes.object, limits) : claimProblems(attributes.object, limits)
      if (problems.length > 0) throw forbidden(attributes.resource.groupResource, attributes.name, aggregateText(problems))
    }
  }
}

/** Returns what LimitRanges limit in the request: a new or resized Pod, or a claim. */
function subject({ resource, subresource, operation, oldObject }: AdmissionAttributes): 'pods' | 'claims' | undefined {
  if (oldObject?.metadata.deletionTimestamp) return undefined
  if (resource.resource !== 'pods') return 'claims'
  return subresource === (operation === 'CREATE' ? '' : 'resize') ? 'pods' : undefined
}

function ranges({ namespace, context }: AdmissionAttributes): LimitRange[] {
  const { registry } = context.services
  return registry.ifServed(refs.limitRanges)?.list(namespace) ?? []
}

function fill(pod: Pod, limits: readonly LimitRangeItem[]): void {
  const items = limits.filter(({ type }) => type === 'Container')
  const defaults = {
    requests: Object.assign({}, ...items.map(item => item.defaultRequest)) as ResourceList,
    limits: Object.assign({}, ...items.map(item => item.default)) as ResourceList
  }
  const said = [
    ...(pod.spec.containers ?? []).flatMap(container => fillContainer(container, 'container', defaults)),
    ...(pod.spec.initContainers ?? []).flatMap(container => fillContainer(container, 'init container', defaults))
  ]
  if (said.length === 0) return
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${said.join('; ')}` }
}

function fillContainer(container: Container, what: string, defaults: Record<'requests' | 'limits', ResourceList>): string[] {
  const resources = (container.resources ??= {})
  return (['requests', 'limits'] as const).flatMap(which => {
    const present = resources[which] ?? {}
    const missing = Object.keys(defaults[which])
      .filter(name => !Object.hasOwn(present, name))
      .sort()
    if (missing.length === 0) return []
    resources[which] = { ...present, ...Object.fromEntries(missing.map(name => [name, defaults[which][name]!])) }
    return [`${missing.join(', ')} ${which.slice(0, -1)} for ${what} ${container.name}`]
  })
}

interface Asked {
  readonly requests?: ResourceList | undefined
  readonly limits?: ResourceList | undefined
}

function podProblems(pod: Pod, limits: readonly LimitRangeItem[]): string[] {
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].map(({ resources }) => resources ?? {})
  const whole = { requests: podResources(pod, 'requests'), limits: podResources(pod, 'limits') }
  return limits.flatMap(item => {
    const asked: readonly Asked[] = item.type === 'Container' ? containers : item.type === 'Pod' ? [whole] : []
    return asked.flatMap(one => [...tooLittle(item, one), ...tooMuch(item, one), ...tooFarApart(item, one)])
  })
}

function claimProblems({ spec }: PersistentVolumeClaim, limits: readonly LimitRangeItem[]): string[] {
  const requests = spec.resources?.requests
  return limits
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(item => [...tooLittle(item, { requests }), ...tooMuch(item, { requests }, 'request')])
}

const entries = (list: ResourceList | undefined) => Object.entries(list ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
const amount = (list: ResourceList | undefined, name: string) => (list && Object.hasOwn(list, name) ? list[name] : undefined)

/** What kube-apiserver compares: thousandths if all fit into 64 bits, otherwise whole units; both rounded up, and 0 for what is missing. */
function compared(request: string | undefined, limit: string | undefined, bound: string): [bigint, bigint, bigint] {
  const all = [request ?? '0', limit ?? '0', bound].map(parseQuantity)
  const unit = all.every(quantity => integerValue(quantity) <= maxMilliValue) ? milliValue : integerValue
  return all.map(unit) as [bigint, bigint, bigint]
}

function tooLittle({ type, min }: LimitRangeItem, { requests, limits }: Asked): string[] {
  return entries(min).flatMap(([name, least]) => {
    const text = `minimum ${name} usage per ${type} is ${least}`
    const [request, limit] = [amount(requests, name), amount(limits, name)]
    const [asked, limited, bound] = compared(request, limit, least)
    if (request === undefined) return [`${text}.  No request is specified`]
    if (asked < bound) return [`${text}, but request is ${request}`]
    return limit !== undefined && limited < bound ? [`${text}, but limit is ${limit}`] : []
  })
}

/** `must`: the quantity that must be set, as claims have no limits. */
function tooMuch({ type, max }: LimitRangeItem, { requests, limits }: Asked, must: 'limit' | 'request' = 'limit'): string[] {
  return entries(max).flatMap(([name, most]) => {
    const text = `maximum ${name} usage per ${type} is ${most}`
    const [request, limit] = [amount(requests, name), amount(limits, name)]
    const [asked, limited, bound] = compared(request, limit, most)
    if ((must === 'limit' ? limit : request) === undefined) return [`${text}.  No ${must} is specified`]
    if (limit !== undefined && limited > bound) return [`${text}, but limit is ${limit}`]
    return request !== undefined && asked > bound ? [`${text}, but request is ${request}`] : []
  })
}

function tooFarApart({ type, maxLimitRequestRatio }: LimitRangeItem, { requests, limits }: Asked): string[] {
  return entries(maxLimitRequestRatio).flatMap(([name, most]) => {
    const text = `${name} max limit to request ratio per ${type} is ${most}`
    const [request, limit] = [amount(requests, name), amount(limits, name)]
    const [asked, limited] = compared(request, limit, most)
    if (request === undefined || asked === 0n) return [`${text}, but no request is specified or request is 0`]
    if (limit === undefined || limited === 0n) return [`${text}, but no limit is specified or limit is 0`]
    const ratio = Number(limited) / Number(asked)
    const bound = parseQuantity(most)
    const isTooGreat =
      integerValue(bound) <= maxMilliValue ? ratio * 1000 > Number(milliValue(bound)) : ratio > Number(integerValue(bound))
    return isTooGreat ? [`${text}, but provided ratio is ${ratio.toFixed(6)}`] : []
  })
}
