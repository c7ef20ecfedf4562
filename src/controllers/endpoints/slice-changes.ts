/** What is to be written so that the EndpointSlices of a Service are as they should be, and the writing of it. */
import type { EndpointSlice } from '../../apimachinery/api/generated/discovery-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, Informer, ResourceClient } from '../../client/stored-types.js'
import { isNamespaceTerminating, messageOf } from '../workloads/pod-control.js'

export const serviceNameLabel = 'kubernetes.io/service-name'
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
export const headlessLabel = 'service.kubernetes.io/headless'

export type Slice = EndpointSlice & KubeObject
/** A slice as it is to be: one with a resource version is a change of a present one. */
export type WantedSlice = Draft<Slice> & Pick<EndpointSlice, 'endpoints' | 'ports' | 'addressType'>

export interface SliceChanges {
  readonly create: readonly WantedSlice[]
  readonly update: readonly WantedSlice[]
  readonly remove: readonly Slice[]
}

/** The slices that one controller manages, by the key of their Service. */
export class ManagedSlices {
  readonly informer: Informer<Slice>
  readonly #manager: string
  readonly #ofService: (key: string) => Slice[]
  /** The uids of slices whose deletion the informer has not seen yet. */
  readonly #removed = new Set<string>()

  constructor(informer: Informer<Slice>, manager: string) {
    this.informer = informer
    this.#manager = manager
    this.#ofService = informer.index(this.#keysOf)
  }

  of(key: string): Slice[] {
    return this.#ofService(key).filter(({ metadata }) => !metadata.deletionTimestamp && !this.#removed.has(metadata.uid!))
  }

  async remove(slice: Slice, client: ResourceClient<Slice>): Promise<void> {
    const { name, namespace, uid } = slice.metadata
    this.#removed.add(uid!)
    try {
      await client.delete({ metadata: { name: name!, namespace } })
    } catch (error) {
      this.#removed.delete(uid!)
      if (!(error instanceof StatusError && error.code === 404)) throw error
    }
  }

  /** Calls `changed` with the key of the Service whose slices somebody has changed. */
  follow(changed: (key: string) => void): void {
    const changes = (slice: Slice) => this.#keysOf(slice).forEach(changed)
    this.informer.on('add', changes)
    this.informer.on('delete', slice => {
      if (!this.#removed.delete(slice.metadata.uid!)) changes(slice)
    })
    this.informer.on('update', (slice, old) => {
      changes(slice)
      const [before] = this.#keysOf(old)
      if (before !== undefined && before !== this.#keysOf(slice)[0]) changed(before)
    })
  }

  readonly #keysOf = ({ metadata: { labels, namespace } }: Slice): string[] => {
    const service = labels?.[serviceNameLabel]
    return labels?.[managedByLabel] === this.#manager && service ? [`${namespace}/${service}`] : []
  }
}

/** The beginning of the names of slices. */
export const slicePrefix = (service: string): string => (service.length < 253 ? `${service}-` : service)

/** The changes with slices that would be deleted changed into those that would be created, where they are of the same family. */
export function recycled({ create, update, remove }: SliceChanges, mayRecycle: (slice: Slice) => boolean): SliceChanges {
  const left = [...create]
  const changed = [...update]
  const kept = remove.filter(slice => {
    const next = left.at(-1)
    if (next?.addressType !== slice.addressType || !mayRecycle(slice)) return true
    left.pop()
    changed.push({ ...next, metadata: { ...next.metadata, name: slice.metadata.name } })
    return false
  })
  return { create: left, update: changed, remove: kept }
}

export interface SliceWriting {
  readonly client: ResourceClient<Slice>
  readonly slices: ManagedSlices
  /** What the slices are made of: `Service ns/name`. */
  readonly of: string
  /** Nothing is created for an owner that is being deleted: the garbage collector would have to delete it. */
  readonly mayCreate: boolean
}

/** Protobuf, in which kube-controller-manager writes, has no empty lists: it owns neither `endpoints` nor `ports` of a slice that it creates without them. */
const withoutEmptyLists = ({ endpoints, ports, ...slice }: WantedSlice): WantedSlice => ({
  ...slice,
  endpoints: endpoints?.length ? endpoints : null,
  ports: ports?.length ? ports : null
})

export async function writeSlices(changes: SliceChanges, { client, slices, of, mayCreate }: SliceWriting): Promise<void> {
  if (mayCreate)
    for (const slice of changes.create)
      try {
        slices.informer.learn(await client.create(withoutEmptyLists(slice)))
      } catch (error) {
        if (isNamespaceTerminating(error)) return
        throw new Error(`failed to create EndpointSlice for ${of}: ${messageOf(error)}`)
      }
  for (const slice of changes.update)
    try {
      slices.informer.learn(await client.update(withoutEmptyLists(slice)))
    } catch (error) {
      throw new Error(`failed to update ${slice.metadata?.name} EndpointSlice for ${of}: ${messageOf(error)}`)
    }
  for (const slice of changes.remove)
    try {
      await slices.remove(slice, client)
    } catch (error) {
      throw new Error(`failed to delete ${slice.metadata.name} EndpointSlice for ${of}: ${messageOf(error)}`)
    }
}
