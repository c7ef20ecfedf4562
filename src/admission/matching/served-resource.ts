/** A resource in one of the versions that it is served in: what rules name, and what a request asks for. */
import { withViews } from '../../fieldmanager/version-view.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import { scaleApiVersion, scaleOf } from '../../registry/scale.js'
import type { SubresourceDefinition } from '../../registry/subresource.js'
import { loadSchema } from '../../schema/load.js'
import type { StructType } from '../../schema/model.js'
import { own } from '../../util/json.js'
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
  /** By the place where their objects are stored. */
  readonly byPrefix: ReadonlyMap<string, readonly ServedResource[]>
}

const known = new WeakMap<Registry, Known>()
const none: readonly ServedResource[] = []

/** All under which the same objects can be reached, the given one included: other versions, and sometimes another group. */
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

/** A subresource that is no part of the object: something of another kind is sent to it. */
export function ownKind({ kind }: Resource, subresource: string): SubresourceDefinition | undefined {
  const definition = subresource === '' ? undefined : own(kind.subresources?.others, subresource)
  return definition?.prepareForUpdate ? undefined : definition
}

/** The type of what is sent. */
export function typeOf({ resource, version }: ServedResource, subresource: string): StructType {
  if (isScale(resource, subresource)) return loadSchema().type('autoscaling.v1.Scale')
  const own = ownKind(resource, subresource)
  return own ? loadSchema().type(own.type) : resource.type(version)
}

/** The kind of what is sent: subresources may have one of their own. */
export function kindOf({ resource, version }: ServedResource, subresource: string): GroupVersionKind {
  if (isScale(resource, subresource)) return scaleKind
  const own = ownKind(resource, subresource)
  if (own) return own.kind
  return { group: resource.group, version, kind: resource.kind.kind }
}

const scaleKind: GroupVersionKind = { group: 'autoscaling', version: scaleApiVersion.split('/')[1]!, kind: 'Scale' }

/** The object of a request, and its old object, as `target` shows them; null where there is none. */
export async function inVersionOf(
  attributes: AdmissionAttributes,
  target: ServedResource
): Promise<{ object: any; oldObject: any }> {
  const { object, oldObject } = attributes
  return {
    object: object === undefined ? null : await shown(attributes, target, object),
    oldObject: oldObject === undefined ? null : await shown(attributes, target, oldObject)
  }
}

function shown({ resource, subresource }: AdmissionAttributes, target: ServedResource, object: any): any {
  if (isScale(resource, subresource)) return scaleOf(resource, object)
  if (ownKind(resource, subresource)) return object
  if (!resource.kind.custom) return target.resource.inVersion(object, target.version)
  const own = resource.memoryVersion.name
  if (target.version === own) return object
  return withViews(() => resource.view(target.resource.apiVersion(target.version), own)?.from(object) ?? object)
}
