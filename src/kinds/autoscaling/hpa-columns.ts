import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus
} from '../../api/generated/autoscaling-v2.js'
import type { Column } from '../../registry/kind.js'
import { commonColumn } from '../columns.js'

/** So many metrics are shown before "+ n more...". */
const shown = 2

export const hpaColumns: readonly Column<HorizontalPodAutoscaler>[] = [
  commonColumn('Name'),
  {
    name: 'Reference',
    type: 'string',
    description:
      'scaleTargetRef points to the target resource to scale, and is used to the pods for which metrics should be collected, as well as to actually change the replica count.',
    value: ({ spec: { scaleTargetRef } }) => `${scaleTargetRef.kind}/${scaleTargetRef.name}`
  },
  {
    name: 'Targets',
    type: 'string',
    description:
      'metrics contains the specifications for which to use to calculate the desired replica count (the maximum replica count across all metrics will be used).  The desired replica count is calculated multiplying the ratio between the target value and the current value by the current number of pods.  Ergo, metrics used must decrease as the pod count is increased, and vice-versa.  See the individual metric source types for more information about how each type of metric must respond. If not set, the default metric will be set to 80% average CPU utilization.',
    value: targets
  },
  {
    name: 'MinPods',
    type: 'string',
    description:
      'minReplicas is the lower limit for the number of replicas to which the autoscaler can scale down.  It defaults to 1 pod.  minReplicas is allowed to be 0 if the alpha feature gate HPAScaleToZero is enabled and at least one Object or External metric is configured.  Scaling is active as long as at least one metric value is available.',
    value: o => (o.spec.minReplicas === undefined ? '<unset>' : String(o.spec.minReplicas))
  },
  {
    name: 'MaxPods',
    type: 'string',
    description:
      'maxReplicas is the upper limit for the number of replicas to which the autoscaler can scale up. It cannot be less that minReplicas.',
    value: o => o.spec.maxReplicas
  },
  {
    name: 'Replicas',
    type: 'string',
    description:
      'currentReplicas is current number of replicas of pods managed by this autoscaler, as last seen by the autoscaler.',
    value: o => o.status.currentReplicas ?? 0
  },
  commonColumn('Age')
]

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
