/** The Nodes of a simulated cluster: registers them, and keeps them alive as kubelets do. */
import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import type { Node, NodeCondition } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, KubeClient } from '../../client/types.js'
import type { Clock, Timer } from '../../util/clock.js'
import { kubernetesVersion } from '../../util/kubernetes-version.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { microTime, timestamp } from '../../util/time.js'
import { annotationDomain } from './behavior.js'

export interface NodesOptions {
  readonly count: number
  /** Resources of each Node by name, as quantities. */
  readonly capacity: Readonly<Record<string, string>>
  /** Returns a client that acts as the kubelet of a Node. */
  readonly clientOf: (node: string) => KubeClient
  /** A client that acts as the controller of Nodes. */
  readonly controller: KubeClient
  /** Takes over a Node that is there now. */
  readonly learn: (node: Node) => void
  readonly clock: Clock
  readonly log: Logger
}

/** Marks a Node whose kubelet is simulated. Whoever creates a Node with it gets one that lives. */
export const simulatedNode = `${annotationDomain}/node`

/** As kubelets have it by default: https://kubernetes.io/docs/concepts/architecture/leases/#node-heart-beats */
const renewMs = 10_000
const leaseSeconds = 40
const statusMs = 300_000

export const nodeName = (index: number): string => `node-${index}`
export const isSimulated = ({ metadata }: Node): boolean => metadata.annotations?.[simulatedNode] !== undefined

/** Addresses of Nodes in 172.16.0.0/12, in the order of their numbers. */
export const nodeAddress = (index: number): string => `172.${16 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`

export class Nodes implements Part {
  readonly name = 'simulated nodes'
  readonly #options: NodesOptions
  /** The Nodes that are alive, with the time of their last status. */
  readonly #alive = new Map<string, { statusAt: number }>()
  #timer: Timer | undefined
  #beating: Promise<void> | undefined
  #stopped = false

  constructor(options: NodesOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { count } = this.#options
    // some at a time: the first are there while the last are being written
    for (let from = 0; from < count; from += 32)
      await Promise.all(Array.from({ length: Math.min(32, count - from) }, (_, index) => this.#register(from + index)))
    this.#later()
  }

  /** Takes over the kubelet of a Node that somebody else has made. */
  adopt({ metadata, status }: Node): void {
    if (!this.#alive.has(metadata.name!))
      this.#alive.set(metadata.name!, { statusAt: status.conditions ? this.#options.clock.now() : 0 })
  }

  /** Lets a Node fall silent, as one that has lost its power. */
  silence(name: string): void {
    this.#alive.delete(name)
  }

  isAlive(name: string): boolean {
    return this.#alive.has(name)
  }

  async #register(index: number): Promise<void> {
    const name = nodeName(index)
    const { capacity, clock, clientOf, controller, learn } = this.#options
    const node = newNode(name, nodeAddress(index + 2), capacity, clock.now())
    try {
      await clientOf(name).of('v1', 'Node').create(node)
      // a new Node is tainted as not ready, until its controller has seen its conditions
      learn(await controller.of('v1', 'Node').patch(name, { spec: { taints: [] } }))
    } catch (error) {
      if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error
    }
    this.#alive.set(name, { statusAt: clock.now() })
    await this.#renew(name)
  }

  #later(): void {
    if (this.#stopped) return
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#beating = this.#beat().then(() => this.#later())
    }, renewMs)
  }

  async #beat(): Promise<void> {
    for (const [name, beats] of [...this.#alive]) {
      if (this.#stopped) return
      try {
        await this.#renew(name)
        if (this.#options.clock.now() - beats.statusAt >= statusMs) {
          await this.#report(name)
          beats.statusAt = this.#options.clock.now()
        }
      } catch (error) {
        if (!(error instanceof StatusError)) this.#options.log.warn(`simulated node ${name}: ${error}`)
        else if (error.code === 404) this.#alive.delete(name)
      }
    }
  }

  async #renew(name: string): Promise<void> {
    const { clientOf, clock } = this.#options
    const leases = clientOf(name).of('coordination.k8s.io/v1', 'Lease')
    const renewTime = microTime(clock.now())
    const metadata = { name, namespace: 'kube-node-lease' }
    try {
      await leases.patch({ metadata }, { spec: { renewTime } })
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error
      const node = await clientOf(name).of('v1', 'Node').get(name)
      const owner = { apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid! }
      const lease: Draft<Lease & KubeObject> = {
        metadata: { ...metadata, ownerReferences: [owner] },
        spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime }
      }
      await leases.create(lease)
    }
  }

  /** Writes the conditions with a new heartbeat, and makes a Node ready again that had been silent. */
  async #report(name: string): Promise<void> {
    const { clientOf, clock } = this.#options
    const nodes = clientOf(name).of('v1', 'Node')
    const { status } = await nodes.get(name)
    const conditions = healthy(clock.now(), status.conditions)
    await nodes.subresource('status').patch(name, { status: { conditions } } as Draft<Node>, { type: 'strategic' })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#beating
  }
}

const usual = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status']
] as const

function healthy(now: number, present: readonly NodeCondition[] = []): NodeCondition[] {
  const time = timestamp(now)
  return usual.map(([type, status, reason, message]) => {
    const old = present.find(condition => condition.type === type)
    const since = old?.status === status ? old.lastTransitionTime : time
    return { type, status, lastHeartbeatTime: time, lastTransitionTime: since ?? time, reason, message }
  })
}

/** What each Node has beside what is given. */
const usualCapacity = { 'ephemeral-storage': '100Gi', 'hugepages-1Gi': '0', 'hugepages-2Mi': '0' }

function newNode(name: string, address: string, capacity: Readonly<Record<string, string>>, now: number): Draft<Node> {
  const resources = { ...usualCapacity, ...capacity }
  const labels: Record<string, string> = { 'kubernetes.io/hostname': name }
  for (const domain of ['kubernetes.io', 'beta.kubernetes.io']) {
    labels[`${domain}/os`] = 'linux'
    labels[`${domain}/arch`] = 'amd64'
  }
  return {
    metadata: { name, labels, annotations: { [simulatedNode]: '' } },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: healthy(now),
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name }
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        osImage: 'Binnacle (simulated)',
        containerRuntimeVersion: 'containerd://2.1.0',
        kernelVersion: '6.12.0',
        kubeletVersion: kubernetesVersion,
        kubeProxyVersion: '',
        machineID: '',
        systemUUID: '',
        bootID: ''
      }
    }
  }
}
