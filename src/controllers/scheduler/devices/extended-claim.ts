/** The claim that the scheduler makes for the extended resources of a Pod that devices provide (KEP-5004). */
import type { ContainerExtendedResourceRequest } from '../../../apimachinery/api/generated/core-v1.js'
import type { ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'
import { extendedResourceClaim, isForExtendedResources } from '../../../kinds/resource/class-resources.js'
import { isControlledBy } from '../../workloads/owners.js'
import type { DeviceObjects } from '../cluster-objects.js'
import type { NodeState } from '../node-state.js'
import type { PodInfo } from '../pod-info.js'
import { extendedRequests } from './extended-requests.js'

/** The name in messages, until the claim is made: no claim can have it. */
const nameBefore = '<extended-resources>'

/** What a Pod needs of devices on a Node. */
export interface ClaimToMake {
  readonly claim: ResourceClaim
  readonly mappings: readonly ContainerExtendedResourceRequest[]
}

export class ExtendedClaim {
  /** One that was made before, when the Pod did not come to its Node. Its devices may be the wrong ones now. */
  readonly leftOver: ResourceClaim | undefined
  readonly #info: PodInfo
  /** The names of classes, by the resources of the Pod that they provide. */
  readonly #classes: ReadonlyMap<string, string>
  /** By the resources that Nodes lack. */
  readonly #variants = new Map<string, ClaimToMake>()

  /** Undefined where no class provides what the Pod asks for. */
  static for(info: PodInfo, devices: DeviceObjects): ExtendedClaim | undefined {
    const classes = info.requests.extended.flatMap(resource => {
      const found = devices.classFor(resource)
      return found ? [[resource, found.metadata.name!] as const] : []
    })
    return classes.length > 0 ? new ExtendedClaim(info, new Map(classes), devices) : undefined
  }

  private constructor(info: PodInfo, classes: ReadonlyMap<string, string>, { claims }: DeviceObjects) {
    this.#info = info
    this.#classes = classes
    this.leftOver = claims.list().find(claim => isForExtendedResources(claim) && isControlledBy(claim, info.pod))
  }

  /** Undefined where the Node has all of the resources itself. */
  on(node: NodeState): ClaimToMake | undefined {
    const lacking = [...this.#classes].filter(([resource]) => !node.allocatable.get(resource))
    if (lacking.length === 0) return undefined
    const key = lacking.map(([resource]) => resource).join(' ')
    let found = this.#variants.get(key)
    if (!found) this.#variants.set(key, (found = this.#variant(new Map(lacking))))
    return found
  }

  #variant(classes: ReadonlyMap<string, string>): ClaimToMake {
    const { pod } = this.#info
    const { name, namespace, uid } = pod.metadata
    const { requests, mappings } = extendedRequests(pod, classes)
    const metadata = {
      name: nameBefore,
      generateName: `${name}-extended-resources-`,
      namespace,
      // only for the time until it is made
      uid: `${uid} ${nameBefore}`,
      annotations: { [extendedResourceClaim]: 'true' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: name!, uid: uid!, controller: true }]
    }
    const spec = { devices: { requests: [...requests] } }
    return { claim: { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec, status: {} }, mappings }
  }
}
