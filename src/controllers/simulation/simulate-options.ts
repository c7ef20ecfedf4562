import type { Container, Pod } from '../../apimachinery/api/generated/core-v1.js'

/**
 * What a simulated cluster has.
 *
 * @example
 * const server = createServer({ simulate: { nodes: 5, nodeCapacity: { cpu: '4', memory: '16Gi', pods: '110' } } })
 */
export interface SimulateOptions {
  /**
   * What a container does, where it is not what the annotations of its Pod say (docs/simulate.md). It is asked whenever the kubelet looks at
   * the Pod, so it should be quick and answer the same each time.
   *
   * @example
   * const behavior = (pod: Pod, { name }: Container) => (name === 'migrate' ? { exitsAfter: 2000, exitCode: 1 } : undefined)
   */
  readonly behavior?: ((pod: Pod, container: Container) => Behavior | undefined) | undefined
  /** How many Nodes: from 0, for a cluster whose Nodes others bring, to 5000; 3. */
  readonly nodes?: number | undefined
  /** The resources of each Node, as quantities by name; `{ cpu: '8', memory: '32Gi', pods: '110' }`. What is left out stays as it is. */
  readonly nodeCapacity?: Readonly<Record<string, string>> | undefined
}

/**
 * What a simulated container does. Times are in milliseconds.
 *
 * @example
 * const slow: Behavior = { startsAfter: 5000, readyAfter: 10_000 }
 */
export interface Behavior {
  /** From the time at which it may start until it runs; 0. */
  readonly startsAfter?: number | undefined
  /** From its start until it is ready; the `initialDelaySeconds` of its readiness probe. */
  readonly readyAfter?: number | undefined
  /** From its start until it ends by itself, or Infinity; never, but for those of Jobs (1000) and init containers (0). */
  readonly exitsAfter?: number | undefined
  /** How it ends then; 0. */
  readonly exitCode?: number | undefined
  /** Whether its readiness probe succeeds; true. Where it is given, it is asked for again as often as the probe says. */
  readonly isReady?: boolean | undefined
  /** From the request to stop until it ends; 0. Beyond the grace period, it is killed. */
  readonly stopsAfter?: number | undefined
  /** How long a change of its resources takes; 0. */
  readonly resizesAfter?: number | undefined
  /** Why its image cannot be pulled; it can. */
  readonly pullError?: string | undefined
  /** What `kubectl logs` shows; nothing. */
  readonly logs?: string | undefined
  /** What it uses, as `kubectl top` and autoscalers see it: quantities; nothing. */
  readonly cpuUsage?: string | undefined
  readonly memoryUsage?: string | undefined
  /**
   * What a command prints that is run in it (`kubectl exec`), or how it ends as well. Undefined for one that the annotations or the simulated
   * container know (docs/simulate.md).
   */
  readonly exec?: ((command: readonly string[]) => string | CommandOutput | undefined) | undefined
  /** What it answers to HTTP requests on its ports, from the proxies of Pods and Services and `kubectl port-forward`; `simulated`. */
  readonly serve?: ((request: { port: number; method: string; path: string }) => string | undefined) | undefined
}

/**
 * What a command prints, and how it ends: nothing, and with 0.
 *
 * @example
 * const refused: CommandOutput = { stderr: 'no such database\n', exitCode: 1 }
 */
export interface CommandOutput {
  readonly stdout?: string | undefined
  readonly stderr?: string | undefined
  readonly exitCode?: number | undefined
}

export const usualNodes = 3
/** As many as Kubernetes supports: https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
export const mostNodes = 5000
export const usualNodeCapacity = { cpu: '8', memory: '32Gi', pods: '110' } as const
