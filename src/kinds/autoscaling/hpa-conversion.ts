/** Converts autoscaling/v1 to v2, the storage version, and back. */
import type { HorizontalPodAutoscaler as V1 } from '../../apimachinery/api/generated/autoscaling-v1.js'
import type { MetricSpec, MetricStatus, HorizontalPodAutoscaler as V2 } from '../../apimachinery/api/generated/autoscaling-v2.js'
import type { ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import {
  annotations,
  readAnnotation,
  readBehavior,
  readCondition,
  readCurrentMetric,
  readList,
  readMetric,
  writeBehavior,
  writeConditions,
  writeCurrentMetrics,
  writeMetrics
} from './hpa-annotations.js'

const defaultCpuUtilization = 80

export const cpuMetric = (averageUtilization = defaultCpuUtilization): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } }
})

export function fromV1(v1: V1): V2 {
  const { scaleTargetRef, minReplicas, maxReplicas, targetCPUUtilizationPercentage: target } = v1.spec
  const {
    observedGeneration,
    lastScaleTime,
    currentReplicas,
    desiredReplicas,
    currentCPUUtilizationPercentage: current
  } = v1.status
  const read = <T>(key: keyof typeof annotations, how: (value: unknown) => T): T | undefined => {
    const text = v1.metadata.annotations?.[annotations[key]]
    return text === undefined ? undefined : readAnnotation(text, how)
  }
  const others = read('metrics', readList(readMetric)) ?? []
  // kube-apiserver sets the default metric even in the middle of a conversion to another version
  const metrics = target === undefined ? (others.length > 0 ? others : [cpuMetric()]) : [...others, cpuMetric(target)]
  const cpuNow: MetricStatus[] =
    current === undefined ? [] : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }]
  const currentMetrics = read('currentMetrics', readList(readCurrentMetric)) ?? cpuNow
  const behavior = read('behavior', readBehavior)
  const conditions = read('conditions', readList(readCondition))
  return {
    kind: v1.kind,
    apiVersion: v1.apiVersion,
    metadata: withAnnotations(v1.metadata, {}),
    spec: {
      scaleTargetRef,
      ...(minReplicas !== undefined && { minReplicas }),
      maxReplicas,
      metrics,
      ...(behavior && Object.keys(behavior).length > 0 && { behavior })
    },
    status: {
      ...(observedGeneration !== undefined && { observedGeneration }),
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      ...(currentReplicas !== 0 && { currentReplicas }),
      desiredReplicas,
      currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
      ...(conditions?.length && { conditions })
    }
  }
}

export function toV1(v2: V2): V1 {
  const { scaleTargetRef, minReplicas, maxReplicas, metrics = [], behavior } = v2.spec
  const { observedGeneration, lastScaleTime, currentReplicas = 0, desiredReplicas, currentMetrics, conditions } = v2.status
  const target = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization
  const current = currentMetrics?.find(
    ({ resource }) => resource?.name === 'cpu' && resource.current.averageUtilization !== undefined
  )?.resource?.current.averageUtilization
  const others = metrics.filter(metric => !isCpuUtilization(metric))
  return {
    kind: v2.kind,
    apiVersion: v2.apiVersion,
    metadata: withAnnotations(v2.metadata, {
      ...(others.length > 0 && { [annotations.metrics]: writeMetrics(others) }),
      ...(currentMetrics?.length && { [annotations.currentMetrics]: writeCurrentMetrics(currentMetrics) }),
      ...(behavior && { [annotations.behavior]: writeBehavior(behavior) }),
      ...(conditions?.length && { [annotations.conditions]: writeConditions(conditions) })
    }),
    spec: {
      scaleTargetRef,
      ...(minReplicas !== undefined && { minReplicas }),
      maxReplicas,
      ...(target !== undefined && { targetCPUUtilizationPercentage: target })
    },
    status: {
      ...(observedGeneration !== undefined && { observedGeneration }),
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      currentReplicas,
      desiredReplicas,
      ...(current !== undefined && { currentCPUUtilizationPercentage: current })
    }
  }
}

const isCpu = ({ type, resource }: MetricSpec) => type === 'Resource' && resource?.name === 'cpu'
const isCpuUtilization = (metric: MetricSpec) => isCpu(metric) && metric.resource?.target.averageUtilization !== undefined

const carried: ReadonlySet<string> = new Set(Object.values(annotations))

/** Returns the metadata with `carrying` in place of all annotations that carry fields of v2. */
export function withAnnotations({ annotations: present, ...meta }: ObjectMeta, carrying: Record<string, string>): ObjectMeta {
  const kept = Object.entries(present ?? {}).filter(([key]) => !carried.has(key))
  const all = { ...Object.fromEntries(kept), ...carrying }
  return Object.keys(all).length > 0 ? { ...meta, annotations: all } : meta
}
