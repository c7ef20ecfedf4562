import type { PersistentVolumeClaim } from '../../apimachinery/api/generated/core-v1.js'
import { internalValue } from '../../apimachinery/validation/internal-text.js'
import { textChanges } from '../../kinds/core/spec-changes.js'
import { inGoOrder } from '../../kinds/metadata-order.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson } from '../../util/json.js'
import { type Check, refuse } from './refuse.js'

/** A kubelet may report that it has grown a volume, and change nothing else of the claim. */
export const checkClaimStatus: Check = (node, attributes) => {
  if (attributes.subresource !== 'status') throw refuse(attributes, 'may only update PVC status')
  if (attributes.operation !== 'UPDATE') throw refuse(attributes, `unexpected operation ${goQuote(attributes.operation)}`)
  const [before, after] = [withoutGrowth(attributes.oldObject), withoutGrowth(attributes.object)]
  if (equalJson(before, after)) return
  const changes = textChanges(internal(before), internal(after))
  const only = 'is not allowed to update fields other than status.quantity and status.conditions'
  throw refuse(attributes, `node ${goQuote(node)} ${only}: ${changes}`)
}

function withoutGrowth({ metadata, status, ...rest }: PersistentVolumeClaim) {
  const { resourceVersion: _, managedFields: __, ...meta } = metadata
  const { capacity: ___, conditions: ____, allocatedResourceStatuses: _____, allocatedResources: ______, ...state } = status
  return { ...rest, metadata: meta, status: state }
}

/** The claim in kube-apiserver's internal version, in whose Go struct the metadata are embedded. */
const internal = ({ metadata, spec, status }: ReturnType<typeof withoutGrowth>) => ({
  ...inGoOrder(metadata),
  Spec: internalValue('core.v1.PersistentVolumeClaimSpec', spec),
  Status: internalValue('core.v1.PersistentVolumeClaimStatus', status)
})
