/** The part of a server that makes a cluster of it: controllers, a scheduler, and Nodes whose kubelets run nothing. */

import { type Part, RunningParts } from '../../util/part.js'
import { horizontalPodAutoscaler } from '../autoscaling/autoscaler.js'
import type { SimulatedName } from '../controller-names.js'
import { disruptionController } from '../disruption/disruption.js'
import { endpointsController } from '../endpoints/endpoints.js'
import { endpointSliceController } from '../endpoints/endpointslice.js'
import { endpointSliceMirroringController } from '../endpoints/mirroring.js'
import { behaviorsOf } from '../kubelet/behavior.js'
import { kubelets } from '../kubelet/kubelets.js'
import { nodeIpamController } from '../nodes/node-ipam.js'
import { nodeLifecycleController } from '../nodes/node-lifecycle.js'
import { podGarbageCollector } from '../nodes/pod-garbage.js'
import { taintEvictionController } from '../nodes/taint-eviction.js'
import { ttlController } from '../nodes/ttl.js'
import { resourceClaimController } from '../resource-claims/resource-claims.js'
import { scheduler } from '../scheduler/scheduler.js'
import { kwokStages } from '../stages/stages.js'
import { attachDetachController } from '../volumes/attach-detach.js'
import { volumeAttacher } from '../volumes/attacher.js'
import { volumeBinder } from '../volumes/binder.js'
import { ephemeralVolumeController } from '../volumes/ephemeral-volumes.js'
import { volumeExpander } from '../volumes/expander.js'
import { claimProtectionController, volumeProtectionController } from '../volumes/protection.js'
import { volumeProvisioner } from '../volumes/provisioner.js'
import { cronJobController } from '../workloads/cronjob/cronjob.js'
import { daemonSetController } from '../workloads/daemonset/daemonset.js'
import { deploymentController } from '../workloads/deployment/deployment.js'
import { jobController } from '../workloads/job/job.js'
import { replicaSetController, replicationController } from '../workloads/replicaset/replicaset.js'
import { statefulSetController } from '../workloads/statefulset/statefulset.js'
import { ttlAfterFinishedController } from '../workloads/ttl-after-finished/ttl-after-finished.js'
import { ClusterContext } from './cluster-context.js'
import { type ClusterFrontOptions, frontParts } from './cluster-front.js'

export interface SimulatedClusterOptions extends ClusterFrontOptions {
  /** Resources of each Node by name, as quantities. */
  readonly nodeCapacity: Readonly<Record<string, string>>
  readonly enabled: ReadonlySet<string>
  /** Whether it has a front; one of several servers has a ClusterFront of its own. */
  readonly hasFront: boolean
}

/** What makes each controller, by the name that switches it. */
const controllers: Readonly<Record<SimulatedName, (context: ClusterContext) => Part | readonly Part[]>> = {
  'cronjob-controller': cronJobController,
  'daemonset-controller': daemonSetController,
  'deployment-controller': deploymentController,
  'disruption-controller': disruptionController,
  'endpoints-controller': endpointsController,
  'endpointslice-controller': endpointSliceController,
  'endpointslice-mirroring-controller': endpointSliceMirroringController,
  'ephemeral-volume-controller': ephemeralVolumeController,
  'horizontal-pod-autoscaler-controller': horizontalPodAutoscaler,
  'job-controller': jobController,
  'kube-scheduler': scheduler,
  'node-ipam-controller': nodeIpamController,
  'node-lifecycle-controller': nodeLifecycleController,
  'persistentvolume-attach-detach-controller': attachDetachController,
  'persistentvolume-binder-controller': volumeBinder,
  'persistentvolume-expander-controller': volumeExpander,
  'persistentvolume-protection-controller': volumeProtectionController,
  'persistentvolumeclaim-protection-controller': claimProtectionController,
  'pod-garbage-collector-controller': podGarbageCollector,
  'replicaset-controller': replicaSetController,
  'replicationcontroller-controller': replicationController,
  'resourceclaim-controller': resourceClaimController,
  'statefulset-controller': statefulSetController,
  'taint-eviction-controller': taintEvictionController,
  'ttl-after-finished-controller': ttlAfterFinishedController,
  'ttl-controller': ttlController
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
    const { enabled, nodes, nodeCapacity, behavior, hasFront } = this.#options
    const behaviorOf = behaviorsOf(behavior)
    const context = new ClusterContext(this.#options)
    this.#context = context
    const parts = Object.entries(controllers).flatMap(([name, make]) => (enabled.has(name) ? make(context) : []))
    const nodeParts = [
      ...kubelets(context, { count: nodes, capacity: nodeCapacity, behaviorOf }),
      ...(hasFront ? frontParts(context, this.#options) : []),
      kwokStages(context),
      ...(nodes > 0 ? [volumeAttacher(context), volumeProvisioner(context)] : [])
    ]
    await this.#running.start(parts)
    // who begins to work knows all Nodes
    await context.informers.synced()
    await this.#running.start(nodeParts)
    await context.open()
  }

  async stop(): Promise<void> {
    await this.#context?.close()
    await this.#running.stop()
  }
}
