/**
 * What a simulated cluster has.
 *
 * @example
 * const server = createServer({ simulate: { nodes: 5, nodeCapacity: { cpu: '4', memory: '16Gi', pods: '110' } } })
 */
export interface SimulateOptions {
  /** How many Nodes: from 0, for a cluster whose Nodes others bring, to 5000; 3. */
  readonly nodes?: number | undefined
  /** The resources of each Node, as quantities by name; `{ cpu: '8', memory: '32Gi', pods: '110' }`. What is left out stays as it is. */
  readonly nodeCapacity?: Readonly<Record<string, string>> | undefined
}

export const usualNodes = 3
/** As many as Kubernetes supports: https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
export const mostNodes = 5000
export const usualNodeCapacity = { cpu: '8', memory: '32Gi', pods: '110' } as const
