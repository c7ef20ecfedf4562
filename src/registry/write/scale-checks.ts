/** What is checked of a Scale once admission has made its changes, before it becomes a part of its object. */
import { conflict } from '../../apimachinery/status/status.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { invalidObject } from '../../apimachinery/validation/invalid.js'
import { validateManagers } from '../../apimachinery/validation/object-meta.js'
import type { KubeObject } from '../kind.js'
import { noReplicas, rememberedScale } from '../scale.js'
import type { Operation } from './operation.js'
import { checkResourceVersion } from './preconditions.js'

const scaleKind = { group: 'autoscaling', kind: 'Scale' }

/** Throws 409 if the Scale names a resource version or uid other than the present one, and 422 if it is invalid. */
export function checkScale(operation: Operation, object: KubeObject, present: KubeObject): void {
  const { kind } = operation.resource
  const { metadata, spec } = rememberedScale(object)
  const { name = '', uid, resourceVersion } = present.metadata
  const replicas = spec?.replicas ?? 0
  if (!kind.custom) {
    const errors = new FieldErrors()
    // nothing else of the metadata reaches the object
    validateManagers(metadata, errors)
    if (replicas < 0) errors.invalid('spec.replicas', replicas, 'must be greater than or equal to 0')
    if (errors.any) throw invalidObject(scaleKind, name, errors)
  }
  if (!kind.custom && metadata.uid && metadata.uid !== uid) {
    const { group, resource } = operation.groupResource
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid ?? ''}`
    throw conflict({ group, resource: `${resource}/scale` }, name, why)
  }
  checkResourceVersion(operation, name, metadata.resourceVersion, resourceVersion, true)
  // refuses replicas that neither the client nor admission has set
  if (replicas === noReplicas) kind.subresources!.scale!.setReplicas(object, replicas)
}
