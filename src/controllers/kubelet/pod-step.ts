/**
 * What becomes of a Pod on its Node: a function from its status and the time to its next status. All that is known of a Pod is in its
 * status, so that snapshots, forks and new starts go on where they are.
 */
import { isDeepStrictEqual } from 'node:util'
import type {
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus
} from '../../apimachinery/api/generated/core-v1.js'
import { formatDuration } from '../../util/go-duration.js'
import { timestamp } from '../../util/time.js'
import type { behaviorsOf, ContainerBehavior } from './behavior.js'
import { containersOf, ephemeralOf, isRunning, type PodContainer, restarts, statusFields, statusIn } from './container-states.js'
import { imageId, imageName } from './images.js'
import type { Missing } from './pod-needs.js'
import { conditionsOf, phaseOf } from './pod-phase.js'
import {
  changedResources,
  decideResize,
  type ResizeRefusal,
  resizeInProgress,
  resizeMessage,
  resizePending
} from './pod-resize.js'

/** An Event about a Pod or, with `container`, about one of its containers. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly container?: PodContainer
}

export interface PodStep {
  /** Undefined when nothing changes. */
  readonly status: PodStatus | undefined
  readonly events: readonly PodEvent[]
  /** When the next change falls due, in milliseconds since 1970. */
  readonly wakeAt: number | undefined
  /** Whether the Pod was to be deleted and nothing of it runs any more. */
  readonly isGone: boolean
}

/** What the Node gives a Pod. */
export interface NodeSide {
  readonly nodeIP: string
  /** The address of the Pod; the same each time. */
  podIP(pod: Pod): string
  newContainerId(): string
  readonly behaviorOf: ReturnType<typeof behaviorsOf>
  /** Whether the image is on the Node. It is from now on. */
  pull(image: string): boolean
  /**
   * When something last happened to a container, to the millisecond; undefined for what was before this server started: then the status
   * has it to the second.
   */
  readonly times: Map<string, number>
  /** What the Pod needs and is not there. It is looked at again when that changes. */
  readonly missing?: Missing | undefined
  /** Says why the Node does not give the Pod the resources that it asks for now, or keeps them for it. Left out, it gives them. */
  readonly resize?: ((pod: Pod) => ResizeRefusal | undefined) | undefined
}

const firstBackOffMs = 10_000
const lastBackOffMs = 300_000
/** A container that ran so long has recovered: its restarts begin with the shortest delay again. */
const recoveryMs = 600_000

/** Exit codes of what SIGTERM and SIGKILL end. */
const terminated = 143
const killed = 137

export function stepOf(pod: Pod, node: NodeSide, now: number): PodStep {
  return new Stepping(pod, node, now).run()
}

class Stepping {
  readonly #pod: Pod
  readonly #node: NodeSide
  readonly #now: number
  readonly #events: PodEvent[] = []
  readonly #status: PodStatus
  #wakeAt = Number.POSITIVE_INFINITY
  #resized = false
  /** Whether containers get the resources that they ask for. */
  #mayResize = true
  #resizing: readonly PodCondition[] = []

  constructor(pod: Pod, node: NodeSide, now: number) {
    this.#pod = pod
    this.#node = node
    this.#now = now
    this.#status = structuredClone(pod.status)
  }

  run(): PodStep {
    const { metadata, status: before } = this.#pod
    const status = this.#status
    const hadEnded = before.phase === 'Succeeded' || before.phase === 'Failed'
    status.startTime ??= timestamp(this.#now)
    if (!hadEnded) {
      this.#place()
      this.#resizing = (before.conditions ?? []).filter(({ type }) => type === resizePending || type === resizeInProgress)
      if (metadata.deletionTimestamp) this.#stopAll()
      else if (this.#hasExpired) this.#expire()
      else this.#advance()
    }
    if (this.#resized)
      this.#events.push({ type: 'Normal', reason: 'ResizeCompleted', message: resizeMessage(this.#pod, 'Pod resize completed') })
    const isTerminating = !!metadata.deletionTimestamp
    const runs = Object.values(statusFields).some(field => status[field]?.some(isRunning))
    if (!hadEnded && status.reason !== 'DeadlineExceeded') status.phase = this.#phase(isTerminating && !runs)
    status.observedGeneration = metadata.generation
    const hasEnded = status.phase === 'Succeeded' || status.phase === 'Failed'
    status.conditions = conditionsOf(this.#pod, status, this.#now, hasEnded ? [] : this.#resizing)
    return {
      status: isDeepStrictEqual(status, before) ? undefined : status,
      events: this.#events,
      wakeAt: Number.isFinite(this.#wakeAt) ? this.#wakeAt : undefined,
      isGone: isTerminating && !runs
    }
  }

  /** A Pod that ends before its containers have begun has failed. */
  #phase(isOver: boolean): string {
    const phase = phaseOf(this.#pod, this.#status)
    return isOver && phase !== 'Succeeded' ? 'Failed' : phase
  }

  /** Gives the Pod its addresses. */
  #place(): void {
    const status = this.#status
    const { nodeIP } = this.#node
    status.hostIP = nodeIP
    status.hostIPs = [{ ip: nodeIP }]
    if (this.#pod.spec.hostNetwork) status.podIP ??= nodeIP
    // a Pod whose deletion came first gets no network any more
    else if (!this.#pod.metadata.deletionTimestamp && !this.#lacksVolumes) status.podIP ??= this.#node.podIP(this.#pod)
    if (status.podIP) status.podIPs = [{ ip: status.podIP }]
  }

  get #expiry(): number | undefined {
    const { activeDeadlineSeconds: seconds } = this.#pod.spec
    return seconds === undefined ? undefined : Date.parse(this.#status.startTime!) + seconds * 1000
  }

  get #hasExpired(): boolean {
    const expiry = this.#expiry
    if (expiry === undefined) return false
    if (expiry > this.#now) this.#wakeUp(expiry)
    return expiry <= this.#now
  }

  #expire(): void {
    const message = 'Pod was active on the node longer than the specified deadline'
    for (const container of [...containersOf(this.#pod), ...ephemeralOf(this.#pod)]) this.#end(container, killed, 'Error')
    this.#status.phase = 'Failed'
    this.#status.reason = 'DeadlineExceeded'
    this.#status.message = message
    this.#events.push({ type: 'Normal', reason: 'DeadlineExceeded', message })
  }

  /** Whether the Pod has to wait for its volumes: only its first container does. */
  get #lacksVolumes(): boolean {
    const { missing } = this.#node
    if (!missing || (missing.volumes.length === 0 && !missing.isAttaching)) return false
    const { containerStatuses = [], initContainerStatuses = [] } = this.#pod.status
    return ![...containerStatuses, ...initContainerStatuses].some(({ containerID }) => containerID)
  }

  /** Tells once of each volume that cannot be mounted. */
  #tellOfVolumes(): void {
    for (const message of this.#node.missing?.volumes ?? []) {
      const key = `told: ${message}`
      if (this.#node.times.has(key)) continue
      this.#node.times.set(key, this.#now)
      this.#events.push({ type: 'Warning', reason: 'FailedMount', message })
    }
  }

  #advance(): void {
    const containers = containersOf(this.#pod)
    const mains = containers.filter(({ sort }) => sort === 'main')
    for (const container of containers) this.#ensureStatus(container, containers.length > mains.length)
    if (this.#lacksVolumes) return this.#tellOfVolumes()
    this.#decideResize(containers)
    let mayStart = true
    for (const container of containers) {
      if (container.sort === 'main') continue
      const isOver = this.#hasEnded(mains)
      if (container.sort === 'sidecar' && isOver) this.#end(container, 0, 'Completed')
      else if (mayStart) this.#run(container)
      const status = this.#statusOf(container)
      mayStart &&= container.sort === 'sidecar' ? !!status.started : status.ready
    }
    if (mayStart) for (const container of mains) this.#run(container)
    for (const container of ephemeralOf(this.#pod)) {
      this.#ensureStatus(container, false)
      this.#run(container)
    }
    if (this.#hasEnded(mains)) for (const one of containers) if (one.sort === 'sidecar') this.#end(one, 0, 'Completed')
  }

  /** Whether all containers have ended, and none of them is started again. */
  #hasEnded(mains: readonly PodContainer[]): boolean {
    return mains.every(container => {
      const { state } = this.#statusOf(container)
      return !!state.terminated && !restarts(this.#pod, container, state.terminated.exitCode)
    })
  }

  #statusOf = (container: PodContainer): ContainerStatus => statusIn(this.#status, container)!

  #ensureStatus(container: PodContainer, initializes: boolean): void {
    if (statusIn(this.#status, container)) return
    const { spec, sort } = container
    const field = statusFields[sort]
    const status: ContainerStatus = {
      name: spec.name,
      state: { waiting: { reason: initializes ? 'PodInitializing' : 'ContainerCreating' } },
      lastState: {},
      ready: false,
      restartCount: 0,
      image: spec.image ?? '',
      imageID: '',
      started: false
    }
    this.#status[field] = [...(this.#status[field] ?? []), status]
  }

  /** Lets a container that may run do what falls due until now. */
  #run(container: PodContainer): void {
    const behavior = this.#node.behaviorOf(this.#pod, container.spec, container.sort)
    // a container that ends at once and is started again waits longer each time: the loop ends
    for (;;) {
      const { state } = this.#statusOf(container)
      const goesOn = state.running
        ? this.#runs(container, behavior)
        : state.terminated
          ? this.#hasStopped(container, state.terminated)
          : this.#waits(container, behavior)
      if (!goesOn) return
    }
  }

  #waits(container: PodContainer, behavior: ContainerBehavior): boolean {
    const status = this.#statusOf(container)
    const since = this.#time(container, 'waiting', this.#now)
    const end = status.lastState.terminated
    const backOff = end && status.state.waiting?.reason === 'CrashLoopBackOff' ? this.#backOffOf(status, end) : 0
    const ready =
      (end ? this.#time(container, 'ended', Date.parse(end.finishedAt ?? '')) + backOff : since) + behavior.startsAfter
    if (ready > this.#now) return this.#wakeUp(ready)
    if (behavior.pullError !== undefined) return this.#failPull(container, behavior.pullError)
    const error = this.#node.missing?.containers.get(container.spec.name)
    return error === undefined ? this.#start(container) : this.#failConfig(container, error)
  }

  #failConfig(container: PodContainer, message: string): false {
    const status = this.#statusOf(container)
    const reason = 'CreateContainerConfigError'
    if (status.state.waiting?.message !== message) this.#event(container, 'Warning', 'Failed', `Error: ${message}`)
    status.state = { waiting: { reason, message } }
    return false
  }

  #failPull(container: PodContainer, error: string): false {
    const status = this.#statusOf(container)
    const { image } = container.spec
    const failed = `Failed to pull image "${image}": ${error}`
    if (status.state.waiting?.reason !== 'ImagePullBackOff') {
      this.#event(container, 'Normal', 'Pulling', `Pulling image "${image}"`)
      this.#event(container, 'Warning', 'Failed', failed)
      this.#event(container, 'Warning', 'Failed', 'Error: ErrImagePull')
      this.#event(container, 'Normal', 'BackOff', `Back-off pulling image "${image}"`)
      this.#event(container, 'Warning', 'Failed', 'Error: ImagePullBackOff')
    }
    const message = `Back-off pulling image "${image}": ErrImagePull: ${error}`
    status.state = { waiting: { reason: 'ImagePullBackOff', message } }
    // whoever mends the image changes the Pod; a fault that ends is looked for now and then
    return this.#wakeUp(this.#now + lastBackOffMs)
  }

  #start(container: PodContainer): true {
    const { spec } = container
    const status = this.#statusOf(container)
    const image = spec.image ?? ''
    const isPresent = this.#node.pull(imageName(image)) && spec.imagePullPolicy !== 'Always'
    if (isPresent) this.#event(container, 'Normal', 'Pulled', `Container image "${image}" already present on machine`)
    else {
      this.#event(container, 'Normal', 'Pulling', `Pulling image "${image}"`)
      const pulled = `Successfully pulled image "${image}" in 1ms (1ms including waiting). Image size: 1048576 bytes.`
      this.#event(container, 'Normal', 'Pulled', pulled)
    }
    this.#event(container, 'Normal', 'Created', 'Container created')
    this.#event(container, 'Normal', 'Started', 'Container started')
    if (status.lastState.terminated) status.restartCount++
    status.state = { running: { startedAt: timestamp(this.#now) } }
    status.image = imageName(image)
    status.imageID = imageId(image)
    status.containerID = `containerd://${this.#node.newContainerId()}`
    status.started = !spec.startupProbe
    // one whose resize waits has what it had
    if (this.#mayResize || !status.resources) this.#allot(container)
    const mounts = spec.volumeMounts?.map(({ name, mountPath, readOnly }) =>
      readOnly ? { name, mountPath, readOnly, recursiveReadOnly: 'Disabled' } : { name, mountPath }
    )
    if (mounts) status.volumeMounts = mounts
    this.#note(container, 'started')
    return true
  }

  /** Gives a container the resources that it asks for. */
  #allot({ spec, sort }: PodContainer): void {
    const status = statusIn(this.#status, { spec, sort })!
    const { requests } = spec.resources ?? {}
    if (requests) status.allocatedResources = requests
    // without it, the server takes the Node for one that cannot resize Pods
    status.resources = spec.resources ?? {}
  }

  /** Decides whether the containers get what they ask for. Those that do not run get it when they do. */
  #decideResize(containers: readonly PodContainer[]): void {
    const { behaviorOf, resize } = this.#node
    const takes = Math.max(...containers.map(({ spec, sort }) => behaviorOf(this.#pod, spec, sort).resizesAfter))
    const { conditions, isNow, isGranted, event, wakeAt } = decideResize(this.#pod, this.#now, takes, () => resize?.(this.#pod))
    this.#resizing = conditions
    this.#mayResize = isNow
    if (event) this.#events.push(event)
    if (wakeAt !== undefined) this.#wakeUp(wakeAt)
    if (!isGranted) return
    for (const container of containers) {
      if (changedResources(this.#pod, container).length === 0) continue
      const status = this.#statusOf(container)
      const { requests } = container.spec.resources ?? {}
      if (requests) status.allocatedResources = requests
      if (!isNow || status.state.running) continue
      this.#allot(container)
      this.#resized = true
    }
  }

  /** Follows a change of resources (KEP-1287): in place, or by a new start where the container asks for one. Returns whether it starts anew. */
  #resize(container: PodContainer): boolean {
    const { resizePolicy } = container.spec
    const changed = this.#mayResize ? changedResources({ ...this.#pod, status: this.#status }, container) : []
    if (changed.length === 0) return false
    const restartsFor = (name: string) =>
      resizePolicy?.some(policy => policy.resourceName === name && policy.restartPolicy === 'RestartContainer')
    this.#allot(container)
    this.#resized = true
    return changed.some(restartsFor)
  }

  #runs(container: PodContainer, behavior: ContainerBehavior): boolean {
    const { readyAfter, isReady, exitsAfter, exitCode, probedAfter } = behavior
    const status = this.#statusOf(container)
    if (container.sort !== 'ephemeral' && this.#resize(container)) {
      this.#end(container, 0, 'Completed')
      status.lastState = { terminated: status.state.terminated }
      status.state = { waiting: { reason: 'ContainerCreating' } }
      return true
    }
    const started = this.#time(container, 'started', Date.parse(status.state.running!.startedAt ?? ''))
    if (exitsAfter !== undefined && started + exitsAfter <= this.#now) {
      this.#end(container, exitCode, exitCode === 0 ? 'Completed' : 'Error')
      return true
    }
    if (exitsAfter !== undefined) this.#wakeUp(started + exitsAfter)
    const hasBegun = started + readyAfter <= this.#now
    if (hasBegun) status.started = true
    else this.#wakeUp(started + readyAfter)
    if (probedAfter !== undefined) this.#wakeUp(this.#now + probedAfter)
    // init containers are ready when they have succeeded
    if (container.sort !== 'init') status.ready = hasBegun && isReady
    return false
  }

  #end(container: PodContainer, exitCode: number, reason: string): void {
    const status = statusIn(this.#status, container)
    if (!status?.state.running) return
    const { startedAt } = status.state.running
    const end: ContainerStateTerminated = {
      exitCode,
      reason,
      startedAt,
      finishedAt: timestamp(this.#now),
      containerID: status.containerID
    }
    status.state = { terminated: end }
    status.ready = container.sort === 'init' && exitCode === 0
    status.started = false
    this.#note(container, 'ended')
  }

  /** Starts a container again, if it is to be: at once the first time, and later after growing delays. */
  #hasStopped(container: PodContainer, end: ContainerStateTerminated): boolean {
    if (!restarts(this.#pod, container, end.exitCode)) return false
    const status = this.#statusOf(container)
    const backOff = this.#backOffOf(status, end)
    const { name, namespace, uid } = this.#pod.metadata
    const delay = formatDuration(backOff)
    const what = `restarting failed container=${container.spec.name} pod=${name}_${namespace}(${uid})`
    status.lastState = { terminated: end }
    status.state =
      backOff === 0
        ? { waiting: { reason: 'ContainerCreating' } }
        : { waiting: { reason: 'CrashLoopBackOff', message: `back-off ${delay} ${what}` } }
    if (backOff > 0) {
      const message = `Back-off restarting failed container ${container.spec.name} in pod ${name}_${namespace}(${uid})`
      this.#event(container, 'Warning', 'BackOff', message)
    }
    return true
  }

  #backOffOf({ restartCount }: ContainerStatus, { startedAt, finishedAt }: ContainerStateTerminated): number {
    const ran = Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')
    if (restartCount === 0 || ran >= recoveryMs) return 0
    return Math.min(lastBackOffMs, firstBackOffMs * 2 ** Math.min(10, restartCount - 1))
  }

  /** Asks all containers to end: the sidecars when the others have. */
  #stopAll(): void {
    const { metadata, spec } = this.#pod
    const grace = (metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30) * 1000
    const deadline = Date.parse(metadata.deletionTimestamp!)
    const asked = this.#node.times.get('stop') ?? deadline - grace
    this.#node.times.set('stop', Math.min(asked, this.#now))
    for (const container of [...containersOf(this.#pod), ...ephemeralOf(this.#pod)]) {
      const status = statusIn(this.#status, container)
      if (!status?.state.running) continue
      if (!this.#node.times.has(`${container.spec.name} killing`)) {
        this.#note(container, 'killing')
        this.#event(container, 'Normal', 'Killing', `Stopping container ${container.spec.name}`)
      }
      const { stopsAfter } = this.#node.behaviorOf(this.#pod, container.spec, container.sort)
      const due = Math.min(asked + stopsAfter, asked + grace)
      if (due <= this.#now) this.#end(container, stopsAfter > grace ? killed : terminated, 'Error')
      else this.#wakeUp(due)
    }
  }

  #event(container: PodContainer, type: PodEvent['type'], reason: string, message: string): void {
    this.#events.push({ type, reason, message, container })
  }

  #note({ spec }: PodContainer, what: string): void {
    this.#node.times.set(`${spec.name} ${what}`, this.#now)
  }

  /** The time of what happened last, to the millisecond where this server saw it. */
  #time({ spec }: PodContainer, what: string, otherwise: number): number {
    const key = `${spec.name} ${what}`
    const known = this.#node.times.get(key)
    if (known !== undefined) return known
    this.#node.times.set(key, otherwise)
    return otherwise
  }

  #wakeUp(time: number): false {
    this.#wakeAt = Math.min(this.#wakeAt, time)
    return false
  }
}
