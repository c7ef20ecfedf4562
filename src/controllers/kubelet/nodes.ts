/** The Nodes of a simulated cluster: registers them, and keeps them alive as kubelets do. */
import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import type { Node, NodeCondition } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, KubeClient } from '../../client/stored-types.js'
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
  /** Writes an Event of the kubelet about its Node. */
  readonly tell: (node: string, reason: string) => void
  /** A client that acts as the controller of Nodes. */
  readonly controller: KubeClient
  /** Takes over a Node that is there now. */
  readonly learn: (node: Node) => void
  /** Where the kubelets show that they are alive, beside their Leases: `ClusterContext.heartbeats`. */
  readonly heartbeats: Map<string, number>
  /** Whether the kubelets report conditions: these may be left to Stages of kwok. */
  readonly reports: () => boolean
  readonly clock: Clock
  readonly log: Logger
}

/** Marks a Node whose kubelet is simulated. Whoever creates a Node with it gets one that lives. */
export const simulatedNode = `${annotationDomain}/node`

/** As kubelets have it by default: https://kubernetes.io/docs/concepts/architecture/leases/#node-heart-beats */
const renewMs = 10_000
const leaseSeconds = 40
const statusMs = 300_000
/** How many Nodes write at the same time. */
const atOnce = 32

export const nodeName = (index: number): string => `node-${index}`
export const isSimulated = ({ metadata }: Node): boolean => metadata.annotations?.[simulatedNode] !== undefined

/** Addresses of Nodes in 172.16.0.0/12, in the order of their numbers. */
export const nodeAddress = (index: number): string => `172.${16 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`

export class Nodes implements Part {
  readonly name = 'simulated nodes'
  readonly #options: NodesOptions
  /** The Nodes that are alive, with the time of their last status. */
  readonly #alive = new Map<string, { statusAt: number }>()
  /** What has not been written, because time is being walked through: when the Lease was renewed, and when the status was reported. */
  readonly #unwritten = new Map<string, { renewedAt: number; reportedAt: number | undefined }>()
  #timer: Timer | undefined
  #beating: Promise<void> | undefined
  #stopped = false

  constructor(options: NodesOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { count } = this.#options
    // some at a time: the first are there while the last are being written
    for (let from = 0; from < count; from += atOnce)
      await Promise.all(Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => this.#register(from + index)))
    this.#later()
  }

  /**
   * Takes over the kubelet of a Node, if it has none yet: one that somebody else has made, or one that had been silent. Reports at once
   * when something has changed. Returns whether the kubelet begins its work with this.
   */
  adopt(node: Node): boolean {
    const name = node.metadata.name!
    if (isSilent(node)) {
      this.silence(name)
      return false
    }
    const begins = !this.#alive.has(name)
    if (begins) this.#alive.set(name, { statusAt: node.status.conditions ? this.#options.clock.now() : 0 })
    const isReported = !this.#options.reports() || isAsReported(node)
    if (begins || !isReported) this.#soon(name, !isReported)
    return begins
  }

  /** Lets a Node fall silent, as one that has lost its power. What it had written before is there to be seen. */
  silence(name: string): void {
    const unwritten = this.#unwritten.get(name)
    this.#unwritten.delete(name)
    this.#options.heartbeats.delete(name)
    if (!this.#alive.delete(name) || !unwritten) return
    const before = this.#beating
    this.#beating = (async () => {
      await before
      await this.#write(name, unwritten.renewedAt, unwritten.reportedAt)
    })()
  }

  isAlive(name: string): boolean {
    return this.#alive.has(name)
  }

  /** Renews the Lease of a Node, and reports if so, beside the usual beats. */
  #soon(name: string, reports: boolean): void {
    const before = this.#beating
    this.#beating = (async () => {
      await before
      if (!this.#stopped && this.#alive.has(name)) await this.#beatOf(name, reports, true)
    })()
  }

  async #register(index: number): Promise<void> {
    const name = nodeName(index)
    const { capacity, clock, clientOf, controller, learn } = this.#options
    const nodes = clientOf(name).of('v1', 'Node')
    // before others see the Node, who would take it over
    this.#alive.set(name, { statusAt: clock.now() })
    try {
      await nodes.create(newNode(name, nodeAddress(index + 2), capacity, clock.now()))
      // a new Node is tainted as not ready, until its controller has seen its conditions
      learn(await controller.of('v1', 'Node').patch(name, { spec: { taints: [] } }))
    } catch (error) {
      if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error
      this.#alive.delete(name)
      this.adopt(await nodes.get(name))
      return
    }
    await this.#renew(name, clock.now())
  }

  #later(): void {
    if (this.#stopped) return
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#beating = this.#beat().then(() => this.#later())
    }, renewMs)
  }

  async #beat(): Promise<void> {
    await this.#beating
    const now = this.#options.clock.now()
    const alive = [...this.#alive]
    for (let from = 0; from < alive.length && !this.#stopped; from += atOnce) {
      const some = alive.slice(from, from + atOnce)
      await Promise.all(some.map(([name, { statusAt }]) => this.#beatOf(name, now - statusAt >= statusMs)))
    }
  }

  /** `isSeen`: somebody waits for it, as for what a change of the Node's annotations causes. */
  async #beatOf(name: string, reports: boolean, isSeen = false): Promise<void> {
    const { clock, heartbeats } = this.#options
    const now = clock.now()
    const reportedAt = reports ? now : this.#unwritten.get(name)?.reportedAt
    heartbeats.set(name, now)
    const alive = this.#alive.get(name)
    if (alive && reports) alive.statusAt = now
    // nobody sees what the next beat overwrites
    if (!isSeen && now + renewMs <= (clock.walksUntil ?? 0)) return void this.#unwritten.set(name, { renewedAt: now, reportedAt })
    this.#unwritten.delete(name)
    if (!(await this.#write(name, now, reportedAt)) && alive && reports) alive.statusAt = 0
  }

  /** Returns whether it could be written. */
  async #write(name: string, renewedAt: number, reportedAt: number | undefined): Promise<boolean> {
    try {
      await this.#renew(name, renewedAt)
      if (reportedAt !== undefined) await this.#report(name, reportedAt)
      return true
    } catch (error) {
      if (!(error instanceof StatusError)) this.#options.log.warn(`simulated node ${name}: ${error}`)
      else if (error.code === 404) this.#alive.delete(name)
      return false
    }
  }

  async #renew(name: string, at: number): Promise<void> {
    const { clientOf } = this.#options
    const leases = clientOf(name).of('coordination.k8s.io/v1', 'Lease')
    const renewTime = microTime(at)
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
  async #report(name: string, at: number): Promise<void> {
    const { clientOf, tell, reports } = this.#options
    if (!reports()) return
    const nodes = clientOf(name).of('v1', 'Node')
    const node = await nodes.get(name)
    const present = node.status.conditions ?? []
    const conditions = conditionsOf(at, present, faultsOf(node))
    await nodes.subresource('status').patch(name, { status: { conditions } } as Draft<Node>, { type: 'strategic' })
    for (const { type, status } of conditions)
      if (present.find(one => one.type === type)?.status !== status) {
        const reason = reasons[type]?.[status]
        if (reason) tell(name, reason)
      }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#beating
  }
}

/** What is wrong with a Node, as its annotations say: docs/simulate.md lists them. */
interface Faults {
  readonly memory: boolean
  readonly disk: boolean
  readonly pids: boolean
  /** Why the kubelet is not ready. */
  readonly notReady: string | undefined
}

const annotation = ({ metadata }: Node, name: string): string | undefined => metadata.annotations?.[`${annotationDomain}/${name}`]
const isSet = (node: Node, name: string): boolean => ![undefined, 'false'].includes(annotation(node, name))

const faultsOf = (node: Node): Faults => ({
  memory: isSet(node, 'memory-pressure'),
  disk: isSet(node, 'disk-pressure'),
  pids: isSet(node, 'pid-pressure'),
  notReady: isSet(node, 'not-ready') ? annotation(node, 'not-ready') : undefined
})

/** Whether the Node has lost its power or its network. */
export const isSilent = (node: Node): boolean => isSet(node, 'silent')

type Given = Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>

function given({ memory, disk, pids, notReady }: Faults): Given[] {
  const pressure = (type: string, isUnder: boolean, [under, without]: readonly [string, string], what: string): Given => {
    const [status, reason] = isUnder ? ['True', under] : ['False', without]
    return { type, status, reason, message: `kubelet has ${what}` }
  }
  return [
    pressure(
      'MemoryPressure',
      memory,
      ['KubeletHasInsufficientMemory', 'KubeletHasSufficientMemory'],
      `${memory ? 'insufficient' : 'sufficient'} memory available`
    ),
    pressure('DiskPressure', disk, ['KubeletHasDiskPressure', 'KubeletHasNoDiskPressure'], `${disk ? '' : 'no '}disk pressure`),
    pressure(
      'PIDPressure',
      pids,
      ['KubeletHasInsufficientPID', 'KubeletHasSufficientPID'],
      `${pids ? 'insufficient' : 'sufficient'} PID available`
    ),
    notReady === undefined
      ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: notReady || 'kubelet is not ready' }
  ]
}

/** The reasons of the Events that tell of a change. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MemoryPressure: { True: 'NodeHasInsufficientMemory', False: 'NodeHasSufficientMemory' },
  DiskPressure: { True: 'NodeHasDiskPressure', False: 'NodeHasNoDiskPressure' },
  PIDPressure: { True: 'NodeHasInsufficientPID', False: 'NodeHasSufficientPID' },
  Ready: { True: 'NodeReady', False: 'NodeNotReady' }
}

/** Whether the Node has the conditions that its kubelet would report. */
const isAsReported = (node: Node): boolean =>
  given(faultsOf(node)).every(
    ({ type, status, message }) =>
      !!node.status.conditions?.some(one => one.type === type && one.status === status && one.message === message)
  )

function conditionsOf(now: number, present: readonly NodeCondition[], faults: Faults): NodeCondition[] {
  const time = timestamp(now)
  return given(faults).map(condition => {
    const old = present.find(({ type }) => type === condition.type)
    const since = old?.status === condition.status ? old.lastTransitionTime : time
    return { ...condition, lastHeartbeatTime: time, lastTransitionTime: since ?? time }
  })
}

const noFaults: Faults = { memory: false, disk: false, pids: false, notReady: undefined }

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
      conditions: conditionsOf(now, [], noFaults),
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
