import type { Container, Namespace, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'
import type { Resource } from '../../../registry/resource.js'
import { aggregateText, goQuote } from '../../../util/go-format.js'
import { equalJson } from '../../../util/json.js'
import { kubernetesMinor } from '../../../util/kubernetes-version.js'
import { nextTurn, startSlice } from '../../../util/turns.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import type { AdmissionMetrics } from '../../admission-metrics.js'
import { defaultPodSecurity, type PodSecuritySettings } from '../../configuration/pod-security-configuration.js'
import type { PodLike, Violation } from '../../pod-security/check.js'
import { violations } from '../../pod-security/evaluate.js'
import {
  areEquivalent,
  isLax,
  isStricter,
  labelledModes,
  type Policy,
  policyOf,
  type Standard,
  standardText
} from '../../pod-security/policy.js'
import { scopeName } from '../../scope.js'

/** How many Pods are checked when their namespace gets a stricter standard, and for how many milliseconds. */
const maxPods = 3000
const maxMs = 1000

const inSpec = ({ spec }: any): PodLike | undefined => spec?.template
const templates: ReadonlyMap<string, (object: any) => PodLike | undefined> = new Map([
  ['podtemplates', o => o.template],
  ['replicationcontrollers', inSpec],
  ['apps/daemonsets', inSpec],
  ['apps/deployments', inSpec],
  ['apps/replicasets', inSpec],
  ['apps/statefulsets', inSpec],
  ['batch/cronjobs', ({ spec }) => spec?.jobTemplate?.spec?.template],
  ['batch/jobs', inSpec]
])

/**
 * Refuses Pods that violate the standard of their namespace, and warns of templates that do
 * (https://kubernetes.io/docs/concepts/security/pod-security-admission/).
 */
export const podSecurity = (metrics: AdmissionMetrics, settings = defaultPodSecurity): BuiltinPlugin => ({
  name: 'PodSecurity',
  operations: ['CREATE', 'UPDATE'],
  resources: ['namespaces', 'pods', ...templates.keys()],
  subresources: '*',
  validate(attributes) {
    const resource = scopeName(attributes.resource)
    if (resource === 'namespaces') return validateNamespace(attributes, settings)
    if (resource === 'pods') return validatePod(attributes, metrics, settings)
    return validateTemplate(attributes, templates.get(resource)!, metrics, settings)
  }
})

/** Subresources through which nothing changes to which the standards apply. */
const harmless: ReadonlySet<string> = new Set(['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status'])

const enforcedKey = 'pod-security.kubernetes.io/enforce-policy'

/** Tells the audit event about labels that are not valid, and about violations of the standard for audit. */
function audited(
  attributes: AdmissionAttributes,
  { audit }: Policy,
  { list }: FieldErrors,
  pod: PodLike,
  metrics: AdmissionMetrics
): void {
  const { record } = attributes.context.origin
  if (list.length > 0) metrics.podSecurityFailed(labelsOf(attributes))
  const found = violations(audit, pod)
  if (found.length > 0) observe(metrics, 'deny', audit, 'audit', attributes)
  if (!record) return
  const problems = list.map(({ field, message }) => `${field}: ${message}`)
  if (problems.length > 0)
    record.annotate('pod-security.kubernetes.io/error', `Failed to parse policy: ${aggregateText(problems)}`)
  if (found.length > 0) record.annotate('pod-security.kubernetes.io/audit-violations', violationText(audit, found))
}

function policyFor({ namespace, context }: AdmissionAttributes, errors: FieldErrors, { defaults }: PodSecuritySettings): Policy {
  const namespaces = context.services.registry.of(refs.namespaces)
  const found = namespaces.get('', namespace)
  return policyOf(found && (namespaces.peek(found) as Namespace).metadata.labels, errors, defaults)
}

/** Whether the file exempts a namespace or user from the standards, or Pods with a RuntimeClass. */
function isExempt(
  attributes: AdmissionAttributes,
  why: 'namespace' | 'user' | 'runtimeClass',
  names: ReadonlySet<string>,
  name = ''
) {
  if (!names.has(name)) return false
  attributes.context.origin.record?.annotate('pod-security.kubernetes.io/exempt', why)
  return true
}

const isExemptRequest = (attributes: AdmissionAttributes, { exemptNamespaces, exemptUsers }: PodSecuritySettings): boolean =>
  isExempt(attributes, 'namespace', exemptNamespaces, attributes.namespace) ||
  isExempt(attributes, 'user', exemptUsers, attributes.context.user.name)

function validatePod(attributes: AdmissionAttributes, metrics: AdmissionMetrics, settings: PodSecuritySettings): void {
  const { subresource, operation, object, oldObject, resource, name, context } = attributes
  if (harmless.has(subresource)) return
  if (isExemptRequest(attributes, settings)) return metrics.podSecurityExempted(labelsOf(attributes))
  const errors = new FieldErrors()
  const policy = policyFor(attributes, errors, settings)
  const { record } = context.origin
  if (isLax(policy) && !errors.any) {
    observe(metrics, 'allow', policy.enforce, 'enforce', attributes)
    return record?.annotate(enforcedKey, standardText(policy.enforce))
  }
  if (operation === 'UPDATE' && !runsOtherCode(object, oldObject)) return
  if (isExempt(attributes, 'runtimeClass', settings.exemptRuntimeClasses, object.spec.runtimeClassName))
    return metrics.podSecurityExempted(labelsOf(attributes))
  record?.annotate(enforcedKey, standardText(policy.enforce))
  audited(attributes, policy, errors, object, metrics)
  const found = violations(policy.enforce, object)
  observe(metrics, found.length > 0 ? 'deny' : 'allow', policy.enforce, 'enforce', attributes)
  if (found.length > 0)
    throw forbidden(
      resource.groupResource,
      name,
      `violates PodSecurity ${goQuote(standardText(policy.enforce))}: ${detailsOf(found)}`
    )
  warn(attributes, policy, object, metrics)
}

const resourceLabels: Readonly<Record<string, string>> = { pods: 'pod', namespaces: 'namespace' }

const labelsOf = ({ operation, resource, subresource }: AdmissionAttributes) => [
  operation.toLowerCase(),
  resourceLabels[resource.resource] ?? 'controller',
  subresource
]

function observe(
  metrics: AdmissionMetrics,
  decision: 'allow' | 'deny',
  { level, minor }: Standard,
  mode: 'enforce' | 'audit' | 'warn',
  attributes: AdmissionAttributes
): void {
  // the privileged level is the same in all versions
  const version = minor === 'latest' || level === 'privileged' ? 'latest' : minor > kubernetesMinor ? 'future' : `v1.${minor}`
  metrics.podSecurityEvaluated(decision, level, version, mode, labelsOf(attributes))
}

function validateTemplate(
  attributes: AdmissionAttributes,
  templateOf: (object: any) => PodLike | undefined,
  metrics: AdmissionMetrics,
  settings: PodSecuritySettings
): void {
  if (attributes.subresource !== '') return
  if (isExemptRequest(attributes, settings)) return metrics.podSecurityExempted(labelsOf(attributes))
  const template = templateOf(attributes.object)
  if (!template?.spec) return
  const errors = new FieldErrors()
  const policy = policyFor(attributes, errors, settings)
  if (!errors.any && policy.warn.level === 'privileged' && policy.audit.level === 'privileged') return
  if (isExempt(attributes, 'runtimeClass', settings.exemptRuntimeClasses, template.spec.runtimeClassName))
    return metrics.podSecurityExempted(labelsOf(attributes))
  audited(attributes, policy, errors, template, metrics)
  warn(attributes, policy, template, metrics)
}

function warn(attributes: AdmissionAttributes, { warn: standard }: Policy, pod: PodLike, metrics: AdmissionMetrics): void {
  const found = violations(standard, pod)
  if (found.length === 0) return
  attributes.context.warn(violationText(standard, found))
  observe(metrics, 'deny', standard, 'warn', attributes)
}

const violationText = (standard: Standard, found: readonly Violation[]) =>
  `would violate PodSecurity ${goQuote(standardText(standard))}: ${detailsOf(found)}`

const reasonsOf = (found: readonly Violation[]) => found.map(({ reason }) => reason).join(', ')
const detailsOf = (found: readonly Violation[]) =>
  found.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ')

/** Whether an update brings a container or an image: other updates of a running Pod are not checked. */
function runsOtherCode({ spec }: Pod, { spec: old }: Pod): boolean {
  for (const field of ['containers', 'initContainers'] as const) {
    const [now, before]: (readonly Container[])[] = [spec[field] ?? [], old[field] ?? []]
    if (now!.length !== before!.length || now!.some(({ image }, i) => image !== before![i]!.image)) return true
  }
  const before = new Map(old.ephemeralContainers?.map(({ name, image }) => [name, image]))
  return (spec.ephemeralContainers ?? []).some(({ name, image }) => !before.has(name) || before.get(name) !== image)
}

function validateNamespace(attributes: AdmissionAttributes, settings: PodSecuritySettings): void | Promise<void> {
  const { subresource, operation, object, oldObject, name } = attributes
  if (subresource !== '') return undefined
  const errors = new FieldErrors()
  const policy = policyOf(object.metadata.labels, errors, settings.defaults)
  const { enforce } = policy
  const oldErrors = new FieldErrors()
  const old = operation === 'UPDATE' ? policyOf(oldObject.metadata.labels, oldErrors, settings.defaults).enforce : undefined
  if (errors.any && !(old && equalJson(errors.list, oldErrors.list)))
    throw invalidObject({ group: '', kind: 'Namespace' }, name, errors)
  const isExemptNamespace = settings.exemptNamespaces.has(name)
  if (!old) return isExemptNamespace ? warnOfExemption(attributes, policy, settings) : undefined
  if (enforce.level === 'privileged') return undefined
  if (enforce.minor === old.minor && !isStricter(enforce.level, old.level)) return undefined
  return isExemptNamespace ? warnOfExemption(attributes, policy, settings) : warnOfPods(attributes, enforce, settings)
}

/** Warns that the labels of an exempt namespace have no effect. */
function warnOfExemption(
  { object, name, context }: AdmissionAttributes,
  policy: Policy,
  { defaults }: PodSecuritySettings
): void {
  if (isLax(policy) || areEquivalent(policy, defaults)) return
  const ignored = labelledModes(object.metadata.labels).filter(mode => policy[mode].level !== 'privileged')
  const texts = ignored.map(mode => `${mode}=${standardText(policy[mode])}`)
  context.warn(`namespace ${goQuote(name)} is exempt from Pod Security, and the policy (${texts.join(', ')}) will be ignored`)
}

/** Warns of Pods that violate the new standard of their namespace. They continue to run. */
async function warnOfPods(
  { name: namespace, context }: AdmissionAttributes,
  enforce: Standard,
  { exemptRuntimeClasses }: PodSecuritySettings
): Promise<void> {
  const resource: Resource = context.services.registry.of(refs.pods)
  const end = performance.now() + maxMs
  const all = [...resource.cache.range(`${namespace}/`)]
  const isExempt = (pod: Pod) => exemptRuntimeClasses.has(pod.spec.runtimeClassName ?? '')
  const pods = exemptRuntimeClasses.size === 0 ? all : all.filter(cached => !isExempt(resource.peek(cached) as Pod))
  const byReasons = new Map<string, string[]>()
  let checked = 0
  let sliceIsOver = startSlice()
  for (const cached of pods.slice(0, maxPods)) {
    const found = violations(enforce, resource.parse(cached))
    checked++
    if (found.length > 0) {
      const reasons = reasonsOf(found)
      byReasons.set(reasons, [...(byReasons.get(reasons) ?? []), cached.name])
    }
    if (performance.now() > end) break
    if (!sliceIsOver()) continue
    await nextTurn()
    sliceIsOver = startSlice()
  }
  if (checked < pods.length)
    context.warn(`new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`)
  if (byReasons.size === 0) return
  const standard = goQuote(standardText(enforce))
  context.warn(`existing pods in namespace ${goQuote(namespace)} violate the new PodSecurity enforce level ${standard}`)
  const lines = [...byReasons].map(([reasons, names]) => `${namesText(names.sort())}: ${reasons}`)
  for (const line of lines.sort()) context.warn(line)
}

function namesText([first, ...others]: readonly string[]): string {
  if (others.length === 0) return first!
  return `${first} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`
}
