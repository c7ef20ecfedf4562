/** What each metric of an autoscaler asks for, and how it is reported. */
import type { MetricSpec, MetricStatus, MetricTarget } from '../../apimachinery/api/generated/autoscaling-v2.js'
import type { Namespace } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeClient } from '../../client/stored-types.js'
import { formatQuantity, milliValue, parseQuantity } from '../../util/quantity.js'
import { messageOf } from '../workloads/pod-control.js'
import { externalMetric, objectMetric, podMetrics, resourceMetrics, type UsageOf } from './metrics.js'
import { byAverage, byShare, byUtilization, byValue, type PodsOf, type Proposal } from './replica-count.js'

export interface Evaluated {
  readonly replicas: number
  /** The metric in conditions and Events. */
  readonly name: string
  readonly status: MetricStatus
}

/** Why a metric says nothing. */
export class MetricFailure extends Error {
  /** The reason of the Event and of the condition ScalingActive. */
  readonly reason: string
  /** The error without what it was for. */
  readonly detail: string

  constructor(reason: string, detail: string, context: string) {
    super(`${context}: ${detail}`)
    this.reason = reason
    this.detail = detail
  }
}

export interface Surroundings extends PodsOf {
  readonly client: KubeClient
  readonly namespace: Namespace | undefined
  readonly namespaceName: string
  readonly usageOf: UsageOf
  /** As many as the target reports. */
  readonly reported: number
}

const milli = (text: string) => Number(milliValue(parseQuantity(text)))
const quantity = (value: number, resource?: string) =>
  formatQuantity({ mantissa: BigInt(value), exponent: -3, format: resource === 'memory' ? 'BinarySI' : 'DecimalSI' })

const selectorText = (selector: unknown) => (selector ? JSON.stringify(selector) : 'nil')

export async function evaluate(spec: MetricSpec, around: Surroundings): Promise<Evaluated> {
  switch (spec.type) {
    case 'Resource':
      return failing('FailedGetResourceMetric', `failed to get ${spec.resource!.name} resource metric value`, () => {
        const { name, target } = spec.resource!
        const { current, ...proposed } = ofResource(around, name, undefined, target, 'resource')
        return { ...proposed, status: { type: 'Resource', resource: { name, current } } }
      })
    case 'ContainerResource':
      return failing(
        'FailedGetContainerResourceMetric',
        `failed to get ${spec.containerResource!.container} container metric value`,
        () => {
          const { name, container, target } = spec.containerResource!
          const { current, ...proposed } = ofResource(around, name, container, target, 'container resource')
          return { ...proposed, status: { type: 'ContainerResource', containerResource: { name, container, current } } }
        }
      )
    case 'Pods':
      return failing('FailedGetPodsMetric', 'failed to get pods metric value', () => {
        const { metric, target } = spec.pods!
        const { replicas, usage } = byAverage(around, podMetrics(around.pods, metric.name), milli(target.averageValue!))
        const status = { type: 'Pods', pods: { metric, current: { averageValue: quantity(usage) } } }
        return { replicas, name: `pods metric ${metric.name}`, status }
      })
    case 'Object':
      return failing('FailedGetObjectMetric', 'failed to get object metric value', async () => {
        const { metric, target, describedObject } = spec.object!
        const value = await objectMetric(around.client, around.namespaceName, describedObject, metric.name)
        const { replicas, current, isShared } = ofValue(around, value, target)
        const status = { type: 'Object', object: { metric, current, describedObject } }
        const name = isShared
          ? `external metric ${metric.name}(${selectorText(metric.selector)})`
          : `${describedObject.kind} metric ${metric.name}`
        return { replicas, name, status }
      })
    case 'External':
      return failing('FailedGetExternalMetric', `failed to get ${spec.external!.metric.name} external metric value`, () => {
        const { metric, target } = spec.external!
        const { replicas, current } = ofValue(around, externalMetric(around.namespace, metric.name), target)
        const status = { type: 'External', external: { metric, current } }
        return { replicas, name: `external metric ${metric.name}(${selectorText(metric.selector)})`, status }
      })
    default: {
      const error = `unknown metric source type ${JSON.stringify(spec.type)}`
      throw new MetricFailure('InvalidMetricSourceType', error, 'invalid metric')
    }
  }
}

async function failing<T>(reason: string, context: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw new MetricFailure(reason, messageOf(error), context)
  }
}

function ofResource(around: Surroundings, resource: string, container: string | undefined, target: MetricTarget, sort: string) {
  const { averageValue, averageUtilization } = target
  const by = averageValue === undefined ? 'utilization' : 'usage'
  try {
    const metrics = resourceMetrics(around.pods, resource, container, around.usageOf)
    if (averageValue !== undefined) {
      const { replicas, usage } = byAverage(around, metrics, milli(averageValue), resource)
      return { replicas, name: `${resource} resource`, current: { averageValue: quantity(usage, resource) } }
    }
    const proposal: Proposal = byUtilization(around, metrics, averageUtilization ?? 0, resource, container)
    const { replicas, usage, utilization } = proposal
    return {
      replicas,
      name: `${resource} ${sort} utilization (percentage of request)`,
      current: { averageUtilization: utilization, averageValue: quantity(usage, resource) }
    }
  } catch (error) {
    throw new Error(`failed to get ${resource} ${by}: ${messageOf(error)}`)
  }
}

function ofValue(around: Surroundings, usage: number, { type, value, averageValue }: MetricTarget) {
  const isShared = type === 'AverageValue' || value === undefined
  if (!isShared) {
    const { replicas } = byValue(around, usage, milli(value))
    return { replicas, isShared, current: { value: quantity(usage) } }
  }
  const { replicas, usage: share } = byShare(around.reported, around.tolerances, usage, milli(averageValue!))
  return { replicas, isShared, current: { averageValue: quantity(share) } }
}
