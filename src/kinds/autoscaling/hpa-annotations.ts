/**
 * autoscaling/v1 lacks most fields of v2. kube-apiserver keeps them in annotations, as JSON in forms that no other API uses: the
 * metrics of the first alpha version, and behavior with the names of Go's fields.
 */
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricStatus
} from '../../apimachinery/api/generated/autoscaling-v2.js'
import { writtenNumbers } from '../../apimachinery/formats/written-numbers.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { goJson } from '../../apimachinery/validation/go-value.js'
import { isObject, type JsonObject } from '../../util/json.js'
import { canonicalQuantity, QuantityError } from '../../util/quantity.js'

export const annotations = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior'
} as const

class Unreadable extends Error {}

/** Reads the value of an annotation. Returns undefined when it cannot be parsed, because kube-apiserver ignores it then. */
export function readAnnotation<T>(text: string, read: (value: unknown) => T): T | undefined {
  try {
    const value = read(JSON.parse(text))
    // an integer may not be written as 1.0
    const written = writtenNumbers(text)
    if (written) read(JSON.parse(written.text))
    return value
  } catch (error) {
    const isUnreadable = error instanceof Unreadable || error instanceof QuantityError || error instanceof DecodeError
    if (error instanceof SyntaxError || isUnreadable) return undefined
    throw error
  }
}

/** Throws a DecodeError for a value of the wrong type. */
function typed<T>(name: string, value: T): T {
  decode(loadSchema().type(`autoscaling.v2.${name}`), value)
  return value
}

export const readList =
  <T>(item: (value: any) => T) =>
  (value: unknown): T[] => {
    if (!Array.isArray(value)) throw new Unreadable()
    return value.map(v => item(object(v)))
  }

function object(value: unknown): JsonObject {
  if (!isObject(value)) throw new Unreadable()
  return value
}

const quantity = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : canonicalQuantity(String(value))
/** Returns "0" for a missing quantity: Go always writes a quantity that is not a pointer. */
const quantityOrZero = (value: unknown): string => quantity(value) ?? '0'

/** Removes undefined fields. */
function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined && v !== null)) as T
}

const reference = ({ kind = '', name = '', apiVersion }: Partial<CrossVersionObjectReference>): CrossVersionObjectReference =>
  compact({ kind, name, apiVersion: apiVersion || undefined })
const identifier = (name: string | undefined, selector: MetricIdentifier['selector']): MetricIdentifier =>
  compact({ name: name ?? '', selector })

/** Converts a metric from the form of the annotation to that of v2. */
export function readMetric({ type, object: o, pods, resource, containerResource, external }: any): MetricSpec {
  const metric = compact<MetricSpec>({
    type,
    object: o && {
      describedObject: reference(o.target ?? {}),
      target: compact({
        type: o.averageValue === undefined ? 'Value' : 'AverageValue',
        value: quantityOrZero(o.targetValue),
        averageValue: quantity(o.averageValue)
      }),
      metric: identifier(o.metricName, o.selector)
    },
    pods: pods && {
      metric: identifier(pods.metricName, pods.selector),
      target: { type: 'AverageValue', averageValue: quantityOrZero(pods.targetAverageValue) }
    },
    resource: resource && { name: resource.name, target: resourceTarget(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      target: resourceTarget(containerResource),
      container: containerResource.container ?? ''
    },
    external: external && {
      metric: identifier(external.metricName, external.metricSelector),
      target: compact({
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: quantity(external.targetValue),
        averageValue: quantity(external.targetAverageValue)
      })
    }
  })
  return typed('MetricSpec', metric)
}

function resourceTarget({ targetAverageUtilization: averageUtilization, targetAverageValue }: any) {
  return compact({
    type: averageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue: quantity(targetAverageValue),
    averageUtilization
  })
}

export function writeMetrics(metrics: readonly MetricSpec[]): string {
  return goJson(
    metrics.map(({ type, object: o, pods, resource, containerResource, external }) =>
      compact({
        type,
        object:
          o &&
          compact({
            target: reference(o.describedObject),
            metricName: o.metric.name,
            targetValue: o.target.value ?? '0',
            selector: o.metric.selector,
            averageValue: o.target.averageValue
          }),
        pods:
          pods &&
          compact({
            metricName: pods.metric.name,
            targetAverageValue: pods.target.averageValue ?? '0',
            selector: pods.metric.selector
          }),
        resource: resource && compact({ name: resource.name, ...writeResourceTarget(resource.target) }),
        containerResource:
          containerResource &&
          compact({
            name: containerResource.name,
            ...writeResourceTarget(containerResource.target),
            container: containerResource.container
          }),
        external:
          external &&
          compact({
            metricName: external.metric.name,
            metricSelector: external.metric.selector,
            targetValue: external.target.value,
            targetAverageValue: external.target.averageValue
          })
      })
    )
  )
}

const writeResourceTarget = ({
  averageUtilization,
  averageValue
}: {
  averageUtilization?: number | undefined
  averageValue?: string | undefined
}) => compact({ targetAverageUtilization: averageUtilization, targetAverageValue: averageValue })

export function readCurrentMetric({ type, object: o, pods, resource, containerResource, external }: any): MetricStatus {
  const resourceCurrent = (r: any) =>
    compact({ averageValue: quantityOrZero(r.currentAverageValue), averageUtilization: r.currentAverageUtilization })
  const metric = compact<MetricStatus>({
    type,
    object: o && {
      metric: identifier(o.metricName, o.selector),
      current: compact({ value: quantityOrZero(o.currentValue), averageValue: quantity(o.averageValue) }),
      describedObject: reference(o.target ?? {})
    },
    pods: pods && {
      metric: identifier(pods.metricName, pods.selector),
      current: { averageValue: quantityOrZero(pods.currentAverageValue) }
    },
    resource: resource && { name: resource.name, current: resourceCurrent(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      current: resourceCurrent(containerResource),
      container: containerResource.container ?? ''
    },
    external: external && {
      metric: identifier(external.metricName, external.metricSelector),
      current: compact({ value: quantityOrZero(external.currentValue), averageValue: quantity(external.currentAverageValue) })
    }
  })
  return typed('MetricStatus', metric)
}

export function writeCurrentMetrics(metrics: readonly MetricStatus[]): string {
  const resourceCurrent = ({ averageUtilization, averageValue }: MetricStatusValue) =>
    compact({ currentAverageUtilization: averageUtilization, currentAverageValue: averageValue ?? '0' })
  return goJson(
    metrics.map(({ type, object: o, pods, resource, containerResource, external }) =>
      compact({
        type,
        object:
          o &&
          compact({
            target: reference(o.describedObject),
            metricName: o.metric.name,
            currentValue: o.current.value ?? '0',
            selector: o.metric.selector,
            averageValue: o.current.averageValue
          }),
        pods:
          pods &&
          compact({
            metricName: pods.metric.name,
            currentAverageValue: pods.current.averageValue ?? '0',
            selector: pods.metric.selector
          }),
        resource: resource && { name: resource.name, ...resourceCurrent(resource.current) },
        containerResource: containerResource && {
          name: containerResource.name,
          ...resourceCurrent(containerResource.current),
          container: containerResource.container
        },
        external:
          external &&
          compact({
            metricName: external.metric.name,
            metricSelector: external.metric.selector,
            currentValue: external.current.value ?? '0',
            currentAverageValue: external.current.averageValue
          })
      })
    )
  )
}

type MetricStatusValue = NonNullable<MetricStatus['resource']>['current']

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function time(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || !rfc3339.test(value)) throw new Unreadable()
  return value
}

export function readCondition({
  type = '',
  status = '',
  lastTransitionTime,
  reason,
  message
}: any): HorizontalPodAutoscalerCondition {
  return typed('HorizontalPodAutoscalerCondition', {
    type,
    status,
    lastTransitionTime: time(lastTransitionTime),
    ...compact({ reason: reason || undefined, message: message || undefined })
  })
}

export const writeConditions = (conditions: readonly HorizontalPodAutoscalerCondition[]): string =>
  goJson(conditions.map(readCondition))

/** Returns a field. Go's JSON decoder ignores the case of names. */
function field(from: JsonObject, name: string): any {
  const key = Object.keys(from).find(k => k.toLowerCase() === name.toLowerCase())
  return key === undefined || from[key] === null ? undefined : from[key]
}

export function readBehavior(value: unknown): HorizontalPodAutoscalerBehavior {
  const from = object(value)
  return typed(
    'HorizontalPodAutoscalerBehavior',
    compact({ scaleUp: readRules(field(from, 'scaleUp')), scaleDown: readRules(field(from, 'scaleDown')) })
  )
}

function readRules(value: unknown): HPAScalingRules | undefined {
  if (value === undefined) return undefined
  const from = object(value)
  const policies = field(from, 'policies')
  return compact({
    selectPolicy: field(from, 'selectPolicy'),
    policies:
      policies &&
      readList(policy => ({
        type: field(policy, 'type') ?? '',
        value: field(policy, 'value') ?? 0,
        periodSeconds: field(policy, 'periodSeconds') ?? 0
      }))(policies),
    stabilizationWindowSeconds: field(from, 'stabilizationWindowSeconds'),
    tolerance: quantity(field(from, 'tolerance'))
  })
}

export function writeBehavior({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): string {
  return goJson({ ScaleUp: writeRules(scaleUp), ScaleDown: writeRules(scaleDown) })
}

function writeRules(rules: HPAScalingRules | undefined) {
  if (!rules) return null
  const { stabilizationWindowSeconds, selectPolicy, policies, tolerance } = rules
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies:
      policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ?? null,
    Tolerance: tolerance ?? null
  }
}
