/** The autoscaling/v1 Scale of an object, for the scale subresource. */
import { ownersInScale } from '../apimachinery/fieldmanager/scale.js'
import { equalJson } from '../util/json.js'
import { timestamp } from '../util/time.js'
import type { Resource } from './resource.js'

export const scaleApiVersion = 'autoscaling/v1'

/** The replicas that a patch sees in a Scale whose spec has no replicas. */
export const noReplicas = -(2 ** 31)

export function scaleOf(resource: Resource, object: any): any {
  const definition = resource.kind.subresources!.scale!
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = definition.replicas(object)
  const selector = definition.selector(object)
  return {
    kind: 'Scale',
    apiVersion: scaleApiVersion,
    // a patch would see an undefined field as a field
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: definition.statusReplicas(object), ...(selector === '' ? {} : { selector }) }
  }
}

const wantedScales = new WeakMap<object, any>()

/** Keeps the Scale that a client wants an object to have, for admission, and for the checks after it. */
export function rememberScale(object: object, scale: any): void {
  wantedScales.set(object, scale)
}

export const rememberedScale = (object: object): any => wantedScales.get(object)

/**
 * The Scale that may still be changed: as the client sent or patched it, with its owners. Once it is a part of its object, nothing of the Scale but
 * the replicas is left. `now` is the time of entries that are new.
 */
export function wantedScale(resource: Resource, object: any, now: number): any {
  const { replicasPlace, whyUnreadable } = resource.kind.subresources!.scale!
  const scale = scaleOf(resource, object)
  if (whyUnreadable?.(object) !== undefined) scale.spec.replicas = noReplicas
  const { metadata, status } = rememberedScale(object) ?? scale
  const { managedFields: _, ...rest } = metadata
  const entries = ownersInScale(object.metadata.managedFields ?? [], scaleApiVersion, replicasPlace)
  const managedFields = entries.map(entry => ({ ...entry, time: entry.time ?? timestamp(now) }))
  return { ...scale, metadata: { ...rest, ...(managedFields.length > 0 ? { managedFields } : {}) }, status }
}

/** Puts what admission has made of a Scale in the place of what the client wants. Returns whether that is something else. */
export function replaceScale(resource: Resource, object: any, changed: any, now: number): boolean {
  const before = wantedScale(resource, object, now)
  const replicas = changed.spec?.replicas ?? 0
  if ((before.spec.replicas ?? 0) !== replicas) resource.kind.subresources!.scale!.setReplicas(object, replicas)
  else if (equalJson(before.metadata, changed.metadata)) return false
  const { managedFields } = rememberedScale(object)?.metadata ?? {}
  rememberScale(object, { ...changed, metadata: { ...changed.metadata, managedFields } })
  return true
}
