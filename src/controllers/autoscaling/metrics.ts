/**
 * What simulated Pods use, as a metrics server would measure it: declared in annotations, because nothing runs. docs/simulate.md lists
 * them.
 */
import type { Container, Namespace, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { KubeClient } from '../../client/stored-types.js'
import { milliValue, parseQuantity, QuantityError } from '../../util/quantity.js'
import { annotationDomain } from '../kubelet/behavior.js'
import { isRunning, statusIn } from '../kubelet/container-states.js'
import type { SimulateOptions } from '../simulation/simulate-options.js'

/** Values in thousandths, by the names of Pods. */
export type PodMetrics = Map<string, number>

/** Metrics are averages over so long a time. */
export const windowMs = 15_000

const milli = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  try {
    return Number(milliValue(parseQuantity(text)))
  } catch (error) {
    if (error instanceof QuantityError) return undefined
    throw error
  }
}

/** The containers of a Pod that run, and use something. */
export const running = ({ spec, status }: Pod): Container[] => {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  const runs = (sort: 'main' | 'sidecar') => (one: Container) => isRunning(statusIn(status, { spec: one, sort }))
  return [...(spec.containers ?? []).filter(runs('main')), ...sidecars.filter(runs('sidecar'))]
}

/**
 * What a container uses of cpu or memory, in thousandths. Undefined where it is declared by a text that is no quantity: nothing was
 * measured.
 */
export type UsageOf = (pod: Pod, container: Container, resource: string) => number | undefined

/**
 * Says what containers use: as the program says, or `CONTAINER.simulate.binnacle.dev/cpu-usage`, or for all containers without the
 * container's name. Nothing, when nothing is declared.
 */
export const usageFrom =
  (behavior: SimulateOptions['behavior']): UsageOf =>
  (pod, container, resource) => {
    const { annotations } = pod.metadata
    const key = `${annotationDomain}/${resource}-usage`
    const given = resource === 'cpu' || resource === 'memory' ? behavior?.(pod, container)?.[`${resource}Usage`] : undefined
    return milli(given ?? annotations?.[`${container.name}.${key}`] ?? annotations?.[key] ?? '0')
  }

/** What a Node declares to use as a whole, in thousandths; undefined where it declares nothing. */
export const declaredUsage = ({ metadata }: KubeObject, resource: string): number | undefined =>
  milli(metadata.annotations?.[`${annotationDomain}/${resource}-usage`])

/** What the Pods use of a resource; `container` alone, where it is given. A Pod of which anything is not measured is missing. */
export function resourceMetrics(
  pods: readonly Pod[],
  resource: string,
  container: string | undefined,
  usageOf: UsageOf
): PodMetrics {
  const metrics: PodMetrics = new Map()
  for (const pod of pods) {
    const values = running(pod)
      .filter(({ name }) => container === undefined || name === container)
      .map(one => usageOf(pod, one, resource))
    if (values.length === 0 || values.includes(undefined)) continue
    metrics.set(
      pod.metadata.name!,
      (values as number[]).reduce((sum, value) => sum + value, 0)
    )
  }
  if (metrics.size === 0)
    throw new Error(`unable to get metrics for resource ${resource}: no metrics returned from resource metrics API`)
  return metrics
}

const declared = ({ metadata }: KubeObject, name: string) => milli(metadata.annotations?.[`${annotationDomain}/metric.${name}`])

/** A metric that Pods declare by `simulate.binnacle.dev/metric.NAME`. */
export function podMetrics(pods: readonly Pod[], name: string): PodMetrics {
  const values = pods.flatMap(pod => {
    const value = declared(pod, name)
    return value === undefined ? [] : [[pod.metadata.name!, value] as const]
  })
  if (values.length === 0) throw new Error(`unable to get metric ${name}: no metrics returned from custom metrics API`)
  return new Map(values)
}

interface Described {
  readonly apiVersion?: string | undefined
  readonly kind: string
  readonly name: string
}

/** A metric that any object declares of itself. */
export async function objectMetric(client: KubeClient, namespace: string, described: Described, name: string): Promise<number> {
  const { kind, name: object } = described
  const found = await client.of(described.apiVersion ?? 'v1', kind).find({ metadata: { name: object, namespace } })
  const value = found && declared(found, name)
  if (value !== undefined) return value
  const cause = `the server could not find the metric ${name} for ${kind} ${object}`
  throw new Error(
    `unable to get metric ${name} on ${kind} ${namespace}/${object}: unable to fetch metrics from custom metrics API: ${cause}`
  )
}

/** A metric of something outside of the cluster, which the Namespace declares. */
export function externalMetric(namespace: Namespace | undefined, name: string): number {
  const value = namespace && declared(namespace, name)
  if (value !== undefined) return value
  const metric = `${namespace?.metadata.name}/${name}/nil`
  throw new Error(`unable to get external metric ${metric}: no metrics returned from external metrics API`)
}
