import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  HorizontalPodAutoscalerSpec,
  HPAScalingPolicy,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ResourceMetricSource
} from '../../apimachinery/api/generated/autoscaling-v2.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { isDns1123Label, isPathSegmentName } from '../../apimachinery/validation/names.js'
import { parseQuantity } from '../../util/quantity.js'
import { validateContainerResourceName } from '../core/container/resources.js'

/** The types of metrics, in the order in which errors list them. */
const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
const targetTypes = ['Utilization', 'Value', 'AverageValue']
const selectPolicies = ['Disabled', 'Max', 'Min']
const policyTypes = ['Percent', 'Pods']
const maxWindowSeconds = 3600
const maxPeriodSeconds = 1800

/** Validates the spec. `old` is undefined for a new autoscaler. */
export function validateHpaSpec(
  spec: HorizontalPodAutoscalerSpec,
  old: HorizontalPodAutoscalerSpec | undefined,
  path: Path,
  errors: FieldErrors,
  mayBeZero: boolean
): void {
  const { minReplicas, maxReplicas, metrics = [], behavior } = spec
  // an autoscaler that already has zero may keep it
  const least = mayBeZero || old?.minReplicas === 0 ? 0 : 1
  if (minReplicas !== undefined && minReplicas < least)
    errors.invalid(path.child('minReplicas'), minReplicas, `must be greater than or equal to ${least}`)
  const max = path.child('maxReplicas')
  if (maxReplicas === 0) errors.required(max, 'must be set and greater than 0')
  else if (maxReplicas < 0) errors.invalid(max, maxReplicas, 'must be greater than or equal to 1')
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.invalid(max, maxReplicas, 'must be greater than or equal to `minReplicas`')
  validateReference(spec.scaleTargetRef, path.child('scaleTargetRef'), versionOfTarget(spec.scaleTargetRef, old), errors)
  const at = path.child('metrics')
  const ofObjects = old?.metrics?.some(hasWrongVersion) ? 'any' : 'valid'
  metrics.forEach((metric, i) => void validateMetric(metric, ofObjects, at.index(i), errors))
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    errors.forbidden(at, 'must specify at least one Object or External metric to support scaling to zero replicas')
  }
  for (const direction of ['scaleUp', 'scaleDown'] as const) {
    const rules = behavior?.[direction]
    if (rules) validateRules(rules, path.child('behavior', direction), errors)
  }
}

/** How the apiVersion of a reference is validated. */
type VersionRule = 'any' | 'valid' | 'with a group'

function versionOfTarget({ apiVersion, kind }: CrossVersionObjectReference, old?: HorizontalPodAutoscalerSpec): VersionRule {
  if (old && old.scaleTargetRef.apiVersion === apiVersion && old.scaleTargetRef.kind === kind) return 'any'
  // ReplicationController is the only kind of the core group that scales
  return kind === 'ReplicationController' ? 'valid' : 'with a group'
}

const hasWrongVersion = ({ type, object }: MetricSpec) =>
  type === 'Object' && object !== undefined && versionError(object.describedObject.apiVersion, 'valid') !== undefined

function versionError(apiVersion: string = '', rule: VersionRule): string | undefined {
  if (rule === 'any') return undefined
  const slashes = apiVersion.split('/').length - 1
  if (slashes > 1) return `unexpected GroupVersion string: ${apiVersion}`
  if (rule === 'with a group' && (slashes === 0 || apiVersion.startsWith('/'))) return 'apiVersion must specify API group'
  return undefined
}

function validateReference(reference: CrossVersionObjectReference, path: Path, rule: VersionRule, errors: FieldErrors): void {
  for (const field of ['kind', 'name'] as const) {
    const value = reference[field]
    if (value === '') errors.required(path.child(field))
    else for (const e of isPathSegmentName(value)) errors.invalid(path.child(field), value, e)
  }
  const wrong = versionError(reference.apiVersion, rule)
  if (wrong) errors.invalid(path.child('apiVersion'), reference.apiVersion ?? '', wrong)
}

/** The source field of each type of metric, in the order in which kube-apiserver validates them. */
const sources = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource'
} as const

function validateMetric(metric: MetricSpec, rule: VersionRule, path: Path, errors: FieldErrors): void {
  const { type } = metric
  const known = metricTypes.includes(type)
  if (type === '') errors.required(path.child('type'), 'must specify a metric source type')
  if (!known) errors.notSupported(path.child('type'), type, metricTypes)
  const present = Object.values(sources).filter(source => metric[source] !== undefined)
  if (present[0]) validateSource(metric, present[0], rule, path.child(present[0]), errors)
  // kube-apiserver reports an unknown type twice
  if (!known) errors.notSupported(path.child('type'), type, metricTypes)
  const expected = known ? sources[type as keyof typeof sources] : undefined
  if (expected && metric[expected] === undefined)
    errors.required(path.child(expected), 'must populate information for the given metric source')
  if (present.length <= 1) return
  for (const source of present)
    if (source !== expected) errors.forbidden(path.child(source), 'must populate the given metric source only')
}

function validateSource(
  metric: MetricSpec,
  source: (typeof sources)[keyof typeof sources],
  rule: VersionRule,
  path: Path,
  errors: FieldErrors
): void {
  const target = path.child('target')
  switch (source) {
    case 'object': {
      const { describedObject, metric: id, target: to } = metric.object!
      validateReference(describedObject, path.child('describedObject'), rule, errors)
      validateIdentifier(id, path.child('metric'), errors)
      validateTarget(to, target, errors)
      if (to.value === undefined && to.averageValue === undefined)
        errors.required(target.child('averageValue'), 'must set either a target value or averageValue')
      return
    }
    case 'external': {
      const { metric: id, target: to } = metric.external!
      validateIdentifier(id, path.child('metric'), errors)
      validateTarget(to, target, errors)
      if (to.value === undefined && to.averageValue === undefined)
        errors.required(target.child('averageValue'), 'must set either a target value for metric or a per-pod target')
      if (to.value !== undefined && to.averageValue !== undefined)
        errors.forbidden(target.child('value'), 'may not set both a target value for metric and a per-pod target')
      return
    }
    case 'pods': {
      const { metric: id, target: to } = metric.pods!
      validateIdentifier(id, path.child('metric'), errors)
      validateTarget(to, target, errors)
      if (to.averageValue === undefined)
        errors.required(target.child('averageValue'), 'must specify a positive target averageValue')
      return
    }
    case 'resource':
      validateResource(metric.resource!, path, errors)
      return
    case 'containerResource':
      validateContainerResource(metric.containerResource!, path, errors)
  }
}

function validateResource({ name, target }: ResourceMetricSource, path: Path, errors: FieldErrors): void {
  if (name === '') errors.required(path.child('name'), 'must specify a resource name')
  validateResourceTarget(target, path.child('target'), errors)
}

function validateContainerResource(
  { name, container, target }: ContainerResourceMetricSource,
  path: Path,
  errors: FieldErrors
): void {
  if (name === '') errors.required(path.child('name'), 'must specify a resource name')
  else validateContainerResourceName(name, path.child('name'), errors)
  if (container === '') errors.required(path.child('container'), 'must specify a container')
  else for (const e of isDns1123Label(container)) errors.invalid(path.child('container'), container, e)
  validateResourceTarget(target, path.child('target'), errors)
}

function validateResourceTarget(target: MetricTarget, at: Path, errors: FieldErrors): void {
  validateTarget(target, at, errors)
  const { averageUtilization, averageValue } = target
  if (averageUtilization === undefined && averageValue === undefined)
    errors.required(at.child('averageUtilization'), 'must set either a target raw value or a target utilization')
  if (averageUtilization !== undefined && averageValue !== undefined)
    errors.forbidden(at.child('averageValue'), 'may not set both a target raw value and a target utilization')
}

function validateIdentifier({ name }: MetricIdentifier, path: Path, errors: FieldErrors): void {
  if (name === '') errors.required(path.child('name'), 'must specify a metric name')
  else for (const e of isPathSegmentName(name)) errors.invalid(path.child('name'), name, e)
}

const isPositive = (quantity: string) => parseQuantity(quantity).mantissa > 0n

function validateTarget(target: MetricTarget, path: Path, errors: FieldErrors): void {
  const { type, averageUtilization } = target
  if (type === '') errors.required(path.child('type'), 'must specify a metric target type')
  if (!targetTypes.includes(type))
    errors.invalid(path.child('type'), namedText(type), 'must be either Utilization, Value, or AverageValue')
  for (const field of ['value', 'averageValue'] as const) {
    const value = target[field]
    if (value !== undefined && !isPositive(value)) errors.invalid(path.child(field), value, 'must be positive')
  }
  if (averageUtilization !== undefined && averageUtilization < 1)
    errors.invalid(path.child('averageUtilization'), averageUtilization, 'must be greater than 0')
}

function validateRules(
  { stabilizationWindowSeconds: seconds, selectPolicy, policies = [], tolerance }: HPAScalingRules,
  path: Path,
  errors: FieldErrors
): void {
  const window = path.child('stabilizationWindowSeconds')
  if (seconds !== undefined && seconds < 0) errors.invalid(window, seconds, 'must be greater than or equal to zero')
  if (seconds !== undefined && seconds > maxWindowSeconds)
    errors.invalid(window, seconds, `must be less than or equal to ${maxWindowSeconds}`)
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy))
    errors.notSupported(path.child('selectPolicy'), selectPolicy, selectPolicies)
  const at = path.child('policies')
  if (policies.length === 0) errors.required(at, 'must specify at least one Policy')
  policies.forEach((policy, i) => void validatePolicy(policy, at.index(i), errors))
  if (tolerance !== undefined && parseQuantity(tolerance).mantissa < 0n)
    errors.invalid(path.child('tolerance'), tolerance, 'must be greater than or equal to 0')
}

function validatePolicy({ type, value, periodSeconds }: HPAScalingPolicy, path: Path, errors: FieldErrors): void {
  if (!policyTypes.includes(type)) errors.notSupported(path.child('type'), type, policyTypes)
  if (value <= 0) errors.invalid(path.child('value'), value, 'must be greater than zero')
  const at = path.child('periodSeconds')
  if (periodSeconds <= 0) errors.invalid(at, periodSeconds, 'must be greater than zero')
  if (periodSeconds > maxPeriodSeconds) errors.invalid(at, periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`)
}
