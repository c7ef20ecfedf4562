import type { PersistentVolumeClaim } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { compareQuantity, parseQuantity } from '../../../util/quantity.js'
import type { BuiltinPlugin } from '../../admission.js'

const what = { group: '', resource: 'persistentvolumeclaims' }

/** Lets a claim grow only when it is bound and its class allows expansion. */
export const persistentVolumeClaimResize: BuiltinPlugin = {
  name: 'PersistentVolumeClaimResize',
  operations: ['UPDATE'],
  resources: ['persistentvolumeclaims'],
  validate({ name, object, oldObject, context }) {
    const claim: PersistentVolumeClaim = object
    const size = storage(claim)
    const before = storage(oldObject)
    if (!size || !before || compareQuantity(size, before) <= 0) return
    if (oldObject.status.phase !== 'Bound') throw forbidden(what, name, 'Only bound persistent volume claims can be expanded')
    const classes = context.services.registry.ifServed(refs.storageClasses)
    const className = claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? claim.spec.storageClassName
    const found = classes?.get('', className ?? '')
    if (found && classes!.peek(found).allowVolumeExpansion) return
    throw forbidden(
      what,
      name,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'
    )
  }
}

function storage({ spec }: PersistentVolumeClaim) {
  const text = spec.resources.requests?.storage
  return text === undefined ? undefined : parseQuantity(text)
}
