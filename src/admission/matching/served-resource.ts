/** A resource in one of its served versions, as rules name it and requests ask for it. */
import { withViews } from '../../apimachinery/fieldmanager/version-view.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import { scaleApiVersion, scaleOf, wantedScale } from '../../registry/scale.js'
import type { SubresourceDefinition } from '../../registry/subresource.js'
import { asDocument } from '../../registry/write/unread.js'
import { own } from '../../util/json.js'
import { oneStep } from '../../util/turns.js'
import type { AdmissionAttributes } from '../admission.js'

export interface ServedResource {
  readonly resource: Resource
  readonly version: string
}

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

interface Known {
  readonly generation: number
  /** By the key prefix under which the objects are stored. */
  readonly byPrefix: ReadonlyMap<string, readonly ServedResource[]>
}

const known = new WeakMap<Registry, Known>()
const none: readonly ServedResource[] = []

/** Returns all resources and versions that serve the same objects, the given one included. Some are in another group. */
export function equivalentsOf(registry: Registry, { prefix }: Resource): readonly ServedResource[] {
  let found = known.get(registry)
  if (found?.generation !== registry.generation) known.set(registry, (found = collect(registry)))
  return found.byPrefix.get(prefix) ?? none
}

function collect(registry: Registry): Known {
  const byPrefix = new Map<string, ServedResource[]>()
  for (const resource of registry.served()) {
    let list = byPrefix.get(resource.prefix)
    if (!list) byPrefix.set(resource.prefix, (list = []))
    for (const version of resource.versions.keys()) list.push({ resource, version })
  }
  return { generation: registry.generation, byPrefix }
}

export const isScale = ({ kind }: Resource, subresource: string) =>
  subresource === 'scale' && kind.subresources?.scale !== undefined

/** Whether the body is a custom resource, which has no Go type. */
export const isUnstructured = ({ kind }: Resource, subresource: string) => kind.custom !== undefined && subresource !== 'scale'

/** Finds the definition of a subresource that takes a kind of its own, such as an Eviction. */
export function ownKind({ kind }: Resource, subresource: string): SubresourceDefinition | undefined {
  const definition = own(kind.subresources?.others, subresource)
  return definition?.prepareForUpdate ? undefined : definition
}

/** Returns the type of the request's body. */
export function typeOf({ resource, version }: ServedResource, subresource: string): StructType {
  if (isScale(resource, subresource)) return loadSchema().type('autoscaling.v1.Scale')
  const own = ownKind(resource, subresource)
  return own ? loadSchema().type(own.type) : resource.type(version)
}

/** Returns the kind of the request's body: subresources may have one of their own. */
export function kindOf({ resource, version }: ServedResource, subresource: string): GroupVersionKind {
  if (isScale(resource, subresource)) return scaleKind
  const own = ownKind(resource, subresource)
  if (own) return own.kind
  return { group: resource.group, version, kind: resource.kind.kind }
}

const scaleKind: GroupVersionKind = { group: 'autoscaling', version: scaleApiVersion.split('/')[1]!, kind: 'Scale' }

/** Who is asked: those who may change an object see more of a Scale. */
export type Phase = 'admit' | 'validate'

/** Converts the object of a request and its old object to the version of `target`; null where there is none. */
export async function inVersionOf(
  attributes: AdmissionAttributes,
  target: ServedResource,
  phase: Phase
): Promise<{ object: any; oldObject: any }> {
  const { object, oldObject } = attributes
  return {
    object: object === undefined ? null : await shown(attributes, target, object, phase),
    oldObject: oldObject === undefined ? null : await shown(attributes, target, oldObject, phase)
  }
}

function shown({ resource, subresource, context }: AdmissionAttributes, target: ServedResource, object: any, phase: Phase): any {
  if (isScale(resource, subresource))
    return phase === 'admit' ? wantedScale(resource, object, context.now) : scaleOf(resource, object)
  if (ownKind(resource, subresource)) return object
  if (!resource.kind.custom) return target.resource.inVersion(object, target.version)
  return customShown(resource, target, asDocument(object))
}

/** An earlier webhook may have changed the kind: the resource is asked for, so that it is shown as what it should be. */
async function customShown(resource: Resource, target: ServedResource, document: any): Promise<any> {
  const own = resource.memoryVersion.name
  const inTarget = () => resource.view(target.resource.apiVersion(target.version), own)?.from(document) ?? document
  const shown = target.version === own ? document : await withViews(() => oneStep(inTarget), false)
  const { kind } = target.resource.kind
  return shown.kind === kind ? shown : { ...shown, kind }
}
