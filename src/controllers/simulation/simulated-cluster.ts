/** The part of a server that makes a cluster of it: controllers, a scheduler, and Nodes whose kubelets run nothing. */

import { type Part, RunningParts } from '../../util/part.js'
import type { SimulatedName } from '../controller-names.js'
import { kubelets } from '../kubelet/kubelets.js'
import { scheduler } from '../scheduler/scheduler.js'
import { cronJobController } from '../workloads/cronjob/cronjob.js'
import { daemonSetController } from '../workloads/daemonset/daemonset.js'
import { deploymentController } from '../workloads/deployment/deployment.js'
import { jobController } from '../workloads/job/job.js'
import { replicaSetController, replicationController } from '../workloads/replicaset/replicaset.js'
import { statefulSetController } from '../workloads/statefulset/statefulset.js'
import { ttlAfterFinishedController } from '../workloads/ttl-after-finished/ttl-after-finished.js'
import { ClusterContext, type ClusterContextOptions } from './cluster-context.js'

export interface SimulatedClusterOptions extends ClusterContextOptions {
  /** How many Nodes the cluster has. */
  readonly nodes: number
  /** Resources of each Node by name, as quantities. */
  readonly nodeCapacity: Readonly<Record<string, string>>
  readonly enabled: ReadonlySet<string>
}

/** What makes each controller, by the name that switches it. */
const controllers: Readonly<Record<SimulatedName, (context: ClusterContext) => Part | readonly Part[]>> = {
  'cronjob-controller': cronJobController,
  'daemonset-controller': daemonSetController,
  'deployment-controller': deploymentController,
  'job-controller': jobController,
  'replicaset-controller': replicaSetController,
  'replicationcontroller-controller': replicationController,
  'statefulset-controller': statefulSetController,
  'ttl-after-finished-controller': ttlAfterFinishedController,
  'kube-scheduler': scheduler
}

export class SimulatedCluster implements Part {
  readonly name = 'simulated cluster'
  readonly #options: SimulatedClusterOptions
  readonly #running = new RunningParts()
  #context: ClusterContext | undefined

  constructor(options: SimulatedClusterOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { enabled, nodes, nodeCapacity } = this.#options
    const context = new ClusterContext(this.#options)
    this.#context = context
    const parts = Object.entries(controllers).flatMap(([name, make]) => (enabled.has(name) ? make(context) : []))
    await this.#running.start([...parts, ...kubelets(context, { count: nodes, capacity: nodeCapacity })])
    await context.open()
  }

  async stop(): Promise<void> {
    await this.#context?.close()
    await this.#running.stop()
  }
}
