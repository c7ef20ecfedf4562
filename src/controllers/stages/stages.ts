/**
 * Lets objects go through the Stages of kwok (https://kwok.sigs.k8s.io), where a cluster has the definition of these: Pods and Nodes that are simulated, and objects of any
 * other kind that a Stage names. What has Stages is left to them, as kwok does: the kubelets no longer care for Pods as soon as there is a Stage for Pods.
 */
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { readYaml, YamlError, YamlLimitError } from '../../apimachinery/formats/yaml-parse.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Informer } from '../../client/stored-types.js'
import type { UntypedObject } from '../../client/types.js'
import type { Part } from '../../util/part.js'
import { isSilent, isSimulated } from '../kubelet/nodes.js'
import { PodAddresses } from '../kubelet/pod-addresses.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import {
  chosen,
  finalizersAfter,
  readStage,
  type Stage,
  type StagePatch,
  type StageStep,
  subjectOf,
  UnknownStage
} from './stage.js'
import { TemplateFailed } from './template.js'
import { type ClusterFunctions, pureFunctions } from './template-functions.js'

const definition = 'stages.kwok.x-k8s.io'
const stageKind = { apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: 'Stage' }
/** The version of kwok whose Stages are understood. */
const kwokVersion = 'v0.8.0'
const kubeletPort = 10250
/** A Stage that goes on matching its object comes again after this time at the earliest. */
const againMs = 1000

/** Where an object is on its way. */
interface Progress {
  /** The Stages that matched when this one was chosen. When others do, it is chosen anew. */
  readonly among: string
  readonly stage: string
  readonly dueAt: number
}

/** What is known of the objects of one kind. */
interface Subject {
  readonly informer: Informer<UntypedObject>
  stages: readonly Stage[]
}

const isPod = (subject: string) => subject === 'v1 Pod'
const isNode = (subject: string) => subject === 'v1 Node'

export function kwokStages(context: ClusterContext): Part {
  const { informers, clock, log } = context
  const client = context.clientAs('system:serviceaccount:kube-system:kwok-controller', 'kwok')
  const events = context.recorder('kwok', client)
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const addresses = new PodAddresses(nodes, informers.of('v1', 'Pod'))
  const random = context.randomness.apart('stages')
  const startTime = new Date(clock.now()).toISOString()
  const subjects = new Map<string, Subject>()
  /** By the uid of the object. */
  const progress = new Map<string, Progress>()
  const applied = new Map<string, Map<string, number>>()
  const queue = context.queue({ name: 'stages', workers: 8, reconcile })
  const definitions = client
    .of('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
    .informer({ fieldSelector: `metadata.name=${definition}` })
  let stages: Informer<UntypedObject> | undefined

  definitions.on('add', look)
  definitions.on('update', look)
  definitions.on('delete', look)

  /** Reads Stages as long as there is a definition of them. */
  function look(): void {
    const established = definitions
      .list()[0]
      ?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')
    if (!established === !stages) return
    stages?.stop()
    stages = established ? (client.of(stageKind).informer() as Informer<UntypedObject>) : undefined
    if (!stages) return arrange()
    stages.on('add', arrange)
    stages.on('update', arrange)
    stages.on('delete', arrange)
  }

  /** Finds out what each kind has for Stages, and looks at all its objects. */
  function arrange(): void {
    const bySubject = new Map<string, Stage[]>()
    const byName = (a: KubeObject, b: KubeObject) => (a.metadata.name! < b.metadata.name! ? -1 : 1)
    for (const object of (stages?.list() ?? []).sort(byName)) {
      const subject = subjectOf(object)
      if (!bySubject.has(subject)) bySubject.set(subject, [])
      const stage = read(object)
      if (stage) bySubject.get(subject)!.push(stage)
    }
    for (const [name, subject] of subjects) subject.stages = bySubject.get(name) ?? []
    for (const [name, found] of bySubject) if (!subjects.has(name)) subjects.set(name, follow(name, found))
    context.stage(bySubject.keys())
    for (const [name, { informer }] of subjects) for (const object of informer.list()) queue.enqueue(`${name} ${keyOf(object)}`)
  }

  const readOnes = new Map<string, { readonly version: string; readonly stage: Stage | undefined }>()

  /** A Stage that is not understood says so once, and does nothing. */
  function read(object: UntypedObject): Stage | undefined {
    const { name, resourceVersion } = object.metadata
    const known = readOnes.get(name!)
    if (known?.version === resourceVersion) return known?.stage
    let stage: Stage | undefined
    try {
      stage = readStage(object)
    } catch (error) {
      if (!(error instanceof UnknownStage)) throw error
      log.warn(`the Stage ${name} is not understood: ${error.message}`)
      events.warning(object, 'NotUnderstood', error.message)
    }
    readOnes.set(name!, { version: resourceVersion!, stage })
    return stage
  }

  function follow(name: string, found: readonly Stage[]): Subject {
    const [apiVersion, kind] = name.split(' ') as [string, string]
    const informer = informers.of({ apiVersion, kind }) as Informer<UntypedObject>
    const changed = (object: UntypedObject) => queue.enqueue(`${name} ${keyOf(object)}`)
    let isTold = false
    informer.on('error', error => {
      // the informer tries again, also when the kind comes to be there
      if (!isTold) log.warn(`Stages for ${apiVersion} ${kind} have nothing to act on: ${(error as Error).message}`)
      isTold = true
    })
    informer.on('add', changed)
    informer.on('update', changed)
    informer.on('delete', ({ metadata }) => {
      progress.delete(metadata.uid!)
      applied.delete(metadata.uid!)
    })
    return { informer, stages: found }
  }

  function isMeant(subject: string, object: UntypedObject): boolean {
    const node = isNode(subject)
      ? object
      : isPod(subject)
        ? nodes.get(String((object as { spec?: Pod['spec'] }).spec?.nodeName ?? ''))
        : undefined
    if (!isNode(subject) && !isPod(subject)) return true
    return node !== undefined && isSimulated(node as Node) && !isSilent(node as Node)
  }

  async function reconcile(key: string): Promise<number | undefined> {
    const [apiVersion, kind, name] = key.split(' ') as [string, string, string]
    const subject = `${apiVersion} ${kind}`
    const { informer, stages: all } = subjects.get(subject)!
    const object = informer.get(namedBy(name))
    if (!object || !isMeant(subject, object)) return undefined
    const uid = object.metadata.uid!
    const matching = all.filter(stage => stage.matches(object))
    let known = progress.get(uid)
    const among = matching.map(({ name }) => name).join(' ')
    let stage = known?.among === among ? matching.find(one => one.name === known?.stage) : undefined
    if (!stage) {
      stage = chosen(matching, object, random.fraction())
      if (!stage) {
        progress.delete(uid)
        return undefined
      }
      const last = applied.get(uid)?.get(stage.name)
      const now = clock.now()
      const dueAt = Math.max(now + stage.delay(object, now, random.fraction()), last === undefined ? 0 : last + againMs)
      progress.set(uid, (known = { among, stage: stage.name, dueAt }))
    }
    const wait = known!.dueAt - clock.now()
    if (wait > 0) return wait
    progress.delete(uid)
    if (!applied.has(uid)) applied.set(uid, new Map())
    applied.get(uid)!.set(stage.name, clock.now())
    try {
      await apply(subject, stage, object, informer)
    } catch (error) {
      if (error instanceof StatusError && (error.code === 404 || error.code === 409)) return againMs
      const isTheirs =
        error instanceof StatusError ||
        error instanceof TemplateFailed ||
        error instanceof YamlError ||
        error instanceof YamlLimitError
      if (!isTheirs) throw error
      const about = `${kind} ${object.metadata.namespace ? `${object.metadata.namespace}/` : ''}${object.metadata.name}`
      log.warn(`the Stage ${stage.name} cannot be applied to ${about}: ${error.message}`)
      const of = stages?.get(stage.name)
      if (of) events.warning(of, 'Failed', `${about}: ${error.message}`)
      return undefined
    }
    // it may go on matching, as one does that repeats something
    return all.some(one => one.matches(informer.get(namedBy(name)) ?? object)) ? 0 : undefined
  }

  async function apply(subject: string, stage: Stage, object: UntypedObject, informer: Informer<UntypedObject>): Promise<void> {
    const [apiVersion, kind] = subject.split(' ') as [string, string]
    const resource = client.of({ apiVersion, kind })
    let present = object
    for (const { event, finalizers, isDelete, patch } of stage.steps as readonly StageStep[]) {
      if (event) events.record({ object: present, ...event })
      const left = finalizers && finalizersAfter(present.metadata.finalizers ?? [], finalizers)
      if (left) {
        const metadata = { finalizers: left.length > 0 ? left : null, resourceVersion: present.metadata.resourceVersion }
        present = (await resource.patch(present, { metadata } as object)) as UntypedObject
        informer.learn(present)
      }
      if (isDelete) {
        await resource.delete(present, { gracePeriodSeconds: 0, preconditions: { uid: present.metadata.uid } })
        return
      }
      if (!patch) continue
      present = await write(subject, patch, present)
      informer.learn(present)
    }
  }

  async function write(subject: string, patch: StagePatch, object: UntypedObject): Promise<UntypedObject> {
    const [apiVersion, kind] = subject.split(' ') as [string, string]
    const { value } = readYaml(patch.template(object, { ...pureFunctions, ...functionsFor(object) }))
    const type = patch.type ?? (isPod(subject) || isNode(subject) ? 'strategic' : 'merge')
    const resource = client.of({ apiVersion, kind })
    const target = patch.subresource ? resource.subresource(patch.subresource) : resource
    return (await target.patch(object, patchFrom(patch.root, value, type) as object, { type })) as UntypedObject
  }

  function functionsFor(object: UntypedObject): ClusterFunctions {
    const hostsOf = (name: unknown) =>
      (nodes.get(String(name ?? ''))?.status.addresses ?? [])
        .filter(({ type }) => type === 'InternalIP')
        .map(({ address }) => address)
    const ownHosts =
      object.kind === 'Node' ? hostsOf(object.metadata.name) : hostsOf((object as { spec?: Pod['spec'] }).spec?.nodeName)
    const podIPs = (node: unknown, isOnHost: unknown) => {
      if (isOnHost === true) return hostsOf(node)
      const { status } = object as unknown as Pod
      return [
        status?.podIP ??
          addresses.of({ ...(object as unknown as Pod), spec: { ...(object as unknown as Pod).spec, nodeName: String(node) } })
      ]
    }
    return {
      Now: () => new Date(clock.now()).toISOString(),
      StartTime: () => startTime,
      Version: () => kwokVersion,
      NodeConditions: () => nodeConditions,
      NodeIP: () => ownHosts[0] ?? '',
      NodeName: () => object.metadata.name,
      NodePort: () => kubeletPort,
      NodeIPWith: node => hostsOf(node)[0] ?? '',
      NodeIPsWith: hostsOf,
      PodIPWith: (node, isOnHost) => podIPs(node, isOnHost)[0] ?? '',
      PodIPsWith: podIPs
    }
  }

  return {
    name: 'stages of kwok',
    async start() {
      await definitions.synced
      look()
    },
    async stop() {
      definitions.stop()
      stages?.stop()
      await queue.stop()
    }
  }
}

/** A patch of the object, of what a template says of one field. */
function patchFrom(root: string, value: unknown, type: 'json' | 'merge' | 'strategic'): unknown {
  if (type !== 'json') return root ? { [root]: value } : value
  const operations = Array.isArray(value) ? value : []
  return root ? operations.map(one => ({ ...one, path: `/${root}${one?.path ?? ''}` })) : operations
}

const nodeConditions = [
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['NetworkUnavailable', 'False', 'RouteCreated', 'RouteController created a route']
].map(([type, status, reason, message]) => ({ type, status, reason, message }))
