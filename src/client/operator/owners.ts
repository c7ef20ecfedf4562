/** Owners of objects, as controller-runtime's `controllerutil` sets them. */
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'

/** What can be owned: an object, or the draft of one. */
interface Ownable {
  metadata: {
    name?: string | undefined
    namespace?: string | undefined
    ownerReferences?: readonly object[] | null | undefined
  }
}

const groupOf = (apiVersion = '') => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')))
const referencesOf = ({ metadata }: Ownable) => (metadata.ownerReferences ?? []) as readonly OwnerReference[]

const isSameOwner = (a: OwnerReference, b: OwnerReference) =>
  a.name === b.name && a.kind === b.kind && groupOf(a.apiVersion) === groupOf(b.apiVersion)

function referenceTo(owner: KubeObject, object: Ownable): OwnerReference {
  const { apiVersion, kind, metadata } = owner
  if (!apiVersion || !kind || !metadata.name || !metadata.uid)
    throw new Error('an owner must be an object that the server has returned, with its apiVersion, kind, name and uid')
  const { namespace } = metadata
  if (namespace && !object.metadata.namespace)
    throw new Error(`an object without a namespace cannot be owned by one in the namespace ${namespace}`)
  if (namespace && namespace !== object.metadata.namespace)
    throw new Error(
      `an object in the namespace ${object.metadata.namespace} cannot be owned by one in the namespace ${namespace}`
    )
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid }
}

function setReference(object: Ownable, reference: OwnerReference): void {
  const others = referencesOf(object).filter(each => !isSameOwner(each, reference))
  object.metadata.ownerReferences = [...others, reference]
}

/**
 * Makes `owner` the controller of `object`: changes of the object make the owner's reconciler run (`owns`), and the object is deleted with its owner. Throws an Error
 * when another one controls the object, or the namespaces do not fit.
 *
 * @example
 * const room = { metadata: { name: `room-${course.metadata.name}`, namespace: course.metadata.namespace } }
 * setControllerReference(course, room)
 */
export function setControllerReference(
  owner: KubeObject,
  object: Ownable,
  { blockOwnerDeletion = true }: { readonly blockOwnerDeletion?: boolean | undefined } = {}
): void {
  const reference = { ...referenceTo(owner, object), controller: true, blockOwnerDeletion }
  const present = controllerOf(object)
  if (present && !isSameOwner(present, reference))
    throw new Error(`the object ${object.metadata.name} is already controlled by ${present.kind} ${present.name}`)
  setReference(object, reference)
}

/**
 * Makes `owner` one of the owners of `object`: it is deleted when all its owners are. Throws an Error when the namespaces do not fit.
 *
 * @example
 * setOwnerReference(course, sharedRoom)
 */
export function setOwnerReference(
  owner: KubeObject,
  object: Ownable,
  { blockOwnerDeletion }: { readonly blockOwnerDeletion?: boolean | undefined } = {}
): void {
  const reference = referenceTo(owner, object)
  const present = referencesOf(object).find(each => isSameOwner(each, reference))
  setReference(object, {
    ...reference,
    ...(present?.controller ? { controller: true } : {}),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion })
  })
}

/**
 * Removes an owner, and returns whether it was one.
 *
 * @example
 * removeOwnerReference(course, sharedRoom)
 */
export function removeOwnerReference(owner: KubeObject, object: Ownable): boolean {
  const before = referencesOf(object)
  const after = before.filter(each => each.uid !== owner.metadata.uid)
  if (after.length === before.length) return false
  object.metadata.ownerReferences = after
  return true
}

/**
 * Returns the reference to the controller of an object.
 *
 * @example
 * const owner = controllerOf(pod)?.name
 */
export function controllerOf(object: Ownable): OwnerReference | undefined {
  return referencesOf(object).find(({ controller }) => controller)
}

/**
 * Whether somebody controls the object: `owner`, if it is given.
 *
 * @example
 * if (!hasControllerReference(room, course)) return
 */
export function hasControllerReference(object: Ownable, owner?: KubeObject): boolean {
  const controller = controllerOf(object)
  return controller !== undefined && (owner === undefined || controller.uid === owner.metadata.uid)
}
