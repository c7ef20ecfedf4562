import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus
} from '../../apimachinery/api/generated/autoscaling-v2.js'
import { builtinColumns } from '../columns.js'

/** The number of metrics that are shown before "+ n more...". */
const shown = 2

export const hpaColumns = builtinColumns<HorizontalPodAutoscaler>('autoscaling/horizontalpodautoscalers', {
  Reference: ({ spec: { scaleTargetRef } }) => `${scaleTargetRef.kind}/${scaleTargetRef.name}`,
  Targets: targets,
  MinPods: o => (o.spec.minReplicas === undefined ? '<unset>' : String(o.spec.minReplicas)),
  MaxPods: o => o.spec.maxReplicas,
  Replicas: o => o.status.currentReplicas ?? 0
})

function targets({ spec, status }: HorizontalPodAutoscaler): string {
  const metrics = spec.metrics ?? []
  if (metrics.length === 0) return '<none>'
  const list = metrics.map((metric, i) => target(metric, status.currentMetrics?.[i]))
  const more = list.length - shown
  return more > 0 ? `${list.slice(0, shown).join(', ')} + ${more} more...` : list.join(', ')
}

function target(metric: MetricSpec, status: MetricStatus | undefined): string {
  const { resource, containerResource, pods } = metric
  switch (metric.type) {
    case 'Resource':
      return resource ? `${resource.name}: ${resourceTarget(resource.target, status?.resource?.current)}` : '<unknown type>'
    case 'ContainerResource':
      return containerResource
        ? `${containerResource.name}: ${resourceTarget(containerResource.target, status?.containerResource?.current)}`
        : '<unknown type>'
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? '<unknown>'}/${pods?.target.averageValue}`
    case 'Object':
      return valueTarget(metric.object?.target, status?.object?.current)
    case 'External':
      return valueTarget(metric.external?.target, status?.external?.current)
    default:
      return '<unknown type>'
  }
}

function valueTarget(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? '<unknown>'}/${target.averageValue} (avg)`
  return `${current?.value ?? '<unknown>'}/${target?.value}`
}

function resourceTarget({ averageValue, averageUtilization }: MetricTarget, current: MetricValueStatus | undefined): string {
  if (averageValue !== undefined) return `${current?.averageValue ?? '<unknown>'}/${averageValue}`
  const percent = (value: number | undefined, otherwise: string) => (value === undefined ? otherwise : `${value}%`)
  return `${percent(current?.averageUtilization, '<unknown>')}/${percent(averageUtilization, '<auto>')}`
}
