/** Owners and what they control: https://kubernetes.io/docs/concepts/architecture/garbage-collection/#owners-dependents */
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, Informer, ResourceClient } from '../../client/stored-types.js'

/** The key of an object in work queues: namespace and name. */
export const keyOf = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`

/** What a key of a work queue names. */
export function namedBy(key: string): { readonly metadata: { readonly namespace: string; readonly name: string } } {
  const slash = key.indexOf('/')
  return { metadata: { namespace: key.slice(0, slash), name: key.slice(slash + 1) } }
}

/** The reference to the controller of an object. */
export const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(owner => owner.controller)

export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean => controllerOf(object)?.uid === owner.metadata.uid

export const controllerReference = (owner: KubeObject): OwnerReference => ({
  apiVersion: owner.apiVersion!,
  kind: owner.kind!,
  name: owner.metadata.name!,
  uid: owner.metadata.uid!,
  controller: true,
  blockOwnerDeletion: true
})

const orphansOf = (namespace: string | undefined) => `orphans of ${namespace}`

/** Returns what finds the objects that `owner` controls, and those of its namespace that nobody controls. */
export function candidates<T extends KubeObject>(informer: Informer<T>): (owner: KubeObject) => T[] {
  const byController = informer.index(object => [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace)])
  return ({ metadata: { uid, namespace } }) => [...byController(uid!), ...byController(orphansOf(namespace))]
}

export interface ClaimOptions<T extends KubeObject> {
  readonly owner: KubeObject
  readonly matches: (object: T) => boolean
  readonly client: ResourceClient<T>
  readonly informer: Informer<T>
  /** Reads the owner anew: nothing is adopted by an owner that is being deleted. */
  readonly fresh: () => Promise<KubeObject | undefined>
  /** Finalizers that an adopted object gets. */
  readonly finalizers?: readonly string[] | undefined
}

/** Returns those that the owner controls: adopts orphans that match its selector, and releases what no longer matches. */
export async function claim<T extends KubeObject>(objects: readonly T[], options: ClaimOptions<T>): Promise<T[]> {
  const { owner, matches } = options
  const mayAdopt = lazily(() => checkAdopter(options))
  const claimed: T[] = []
  for (const object of objects) {
    const controller = controllerOf(object)
    if (controller) {
      if (controller.uid !== owner.metadata.uid) continue
      if (matches(object)) claimed.push(object)
      else if (!owner.metadata.deletionTimestamp) await release(object, options)
    } else if (!owner.metadata.deletionTimestamp && !object.metadata.deletionTimestamp && matches(object)) {
      await mayAdopt()
      const adopted = await adopt(object, options)
      if (adopted) claimed.push(adopted)
    }
  }
  return claimed
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

async function checkAdopter<T extends KubeObject>({ owner, fresh }: ClaimOptions<T>): Promise<void> {
  const present = await fresh()
  const { namespace, name, uid } = owner.metadata
  if (present?.metadata.uid !== uid)
    throw new Error(`original ${owner.kind} ${namespace}/${name} is gone: got uid ${present?.metadata.uid ?? ''}, wanted ${uid}`)
  if (present?.metadata.deletionTimestamp)
    throw new Error(`${namespace}/${name} has just been deleted at ${present.metadata.deletionTimestamp}`)
}

async function adopt<T extends KubeObject>(object: T, options: ClaimOptions<T>): Promise<T | undefined> {
  const { owner, client, informer, finalizers } = options
  const metadata = { ownerReferences: [controllerReference(owner)], uid: object.metadata.uid, finalizers }
  return unlessGone(async () => {
    const adopted = await client.patch({ metadata: nameOf(object) }, { metadata } as Draft<T>, { type: 'strategic' })
    informer.learn(adopted)
    return adopted
  })
}

async function release<T extends KubeObject>(object: T, { owner, client, informer, finalizers }: ClaimOptions<T>): Promise<void> {
  const metadata = {
    uid: object.metadata.uid,
    ownerReferences: [{ $patch: 'delete', uid: owner.metadata.uid }],
    ...(finalizers ? { '$deleteFromPrimitiveList/finalizers': finalizers } : {})
  }
  await unlessGone(async () =>
    informer.learn(await client.patch({ metadata: nameOf(object) }, { metadata } as Draft<T>, { type: 'strategic' }))
  )
}

const nameOf = ({ metadata: { namespace, name } }: KubeObject) => ({ namespace: namespace!, name: name! })

/** An object that is gone, or another of its name, needs nothing. */
export async function unlessGone<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof StatusError && (error.code === 404 || error.code === 422)) return undefined
    throw error
  }
}
