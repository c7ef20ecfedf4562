import type { InProcessServers } from '../../transport/proxy/dial-target.js'
import { type Part, RunningParts } from '../../util/part.js'
import { metricsServer } from '../autoscaling/metrics-server.js'
import { behaviorsOf } from '../kubelet/behavior.js'
import { kubeletServer } from '../kubelet/serving/kubelet-server.js'
import { ClusterContext, type ClusterContextOptions } from './cluster-context.js'

export interface ClusterFrontOptions extends ClusterContextOptions {
  /** How many Nodes the cluster has. */
  readonly nodes: number
  /** Where the server asks for the kubelets of Nodes. */
  readonly kubelets: InProcessServers
  /** Where the server asks for extension API servers. */
  readonly services: InProcessServers
}

/** What of a simulated cluster answers requests: the kubelets' servers and the metrics API. They need nothing but the objects. */
export const frontParts = (context: ClusterContext, options: Omit<ClusterFrontOptions, keyof ClusterContextOptions>): Part[] => [
  kubeletServer(context, options.kubelets, behaviorsOf(context.behavior)),
  ...(options.nodes > 0 ? [metricsServer(context, options.services)] : [])
]

/** The front of a cluster that another process, the leader, may be running: each of several servers answers, whoever leads. */
export class ClusterFront implements Part {
  readonly name = 'front of the simulated cluster'
  readonly #options: ClusterFrontOptions
  readonly #running = new RunningParts()
  #context: ClusterContext | undefined

  constructor(options: ClusterFrontOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    this.#context = new ClusterContext(this.#options)
    await this.#running.start(frontParts(this.#context, this.#options))
    await this.#context.open()
  }

  async stop(): Promise<void> {
    await this.#context?.close()
    await this.#running.stop()
  }
}
