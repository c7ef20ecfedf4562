import { nodeIdentity } from '../../../apimachinery/request/usernames.js'
import { goQuote } from '../../../util/go-format.js'
import { equalJson } from '../../../util/json.js'
import type { BuiltinPlugin } from '../../admission.js'
import { checkClaimStatus } from '../../node-restriction/claims.js'
import { checkNode } from '../../node-restriction/nodes.js'
import { checkPodCertificateRequest } from '../../node-restriction/pod-certificates.js'
import { checkPod } from '../../node-restriction/pods.js'
import { type Check, refuse } from '../../node-restriction/refuse.js'
import { checkSigningRequest } from '../../node-restriction/signing-requests.js'
import { checkToken } from '../../node-restriction/tokens.js'
import { scopeName } from '../../scope.js'

const leaseNamespace = 'kube-node-lease'

/** Whether the request is about the object with the name of the kubelet's node, the only one that it may write. */
const isOwn =
  (what: string): Check =>
  (node, attributes) => {
    const name = attributes.operation === 'CREATE' ? attributes.object.metadata.name : attributes.name
    if (name !== node) throw refuse(attributes, `can only access ${what} with the same name as the requesting node`)
  }

const isOwnLease = isOwn('node lease')

const isOwnCSINode = isOwn('CSINode')

const checkCSINode: Check = (node, attributes) => {
  const { operation, subresource, object, oldObject, context } = attributes
  isOwnCSINode(node, attributes)
  if (subresource !== 'status') return
  if (!context.services.features.enabled('CSIVolumeHealth')) throw refuse(attributes, 'CSIVolumeHealth feature gate is disabled')
  if (operation !== 'UPDATE') throw refuse(attributes, `unexpected operation ${goQuote(operation)}`)
  if (!equalJson(object.spec, oldObject.spec))
    throw refuse(attributes, `node ${goQuote(node)} is not allowed to modify CSINode spec via status`)
}

const checkLease: Check = (node, attributes) => {
  if (attributes.namespace !== leaseNamespace)
    throw refuse(attributes, `can only access leases in the "${leaseNamespace}" system namespace`)
  return isOwnLease(node, attributes)
}

const checkSlice: Check = (node, attributes) => {
  const { operation, object, oldObject } = attributes
  if (operation === 'UPDATE') return
  const [verb, slice] = operation === 'CREATE' ? ['create', object] : ['delete', oldObject]
  if (slice.spec.nodeName !== node)
    throw refuse(attributes, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`)
}

const checks: ReadonlyMap<string, Check> = new Map([
  ['pods', checkPod],
  ['nodes', checkNode],
  ['persistentvolumeclaims', checkClaimStatus],
  ['serviceaccounts', checkToken],
  ['coordination.k8s.io/leases', checkLease],
  ['storage.k8s.io/csinodes', checkCSINode],
  ['resource.k8s.io/resourceslices', checkSlice],
  ['certificates.k8s.io/certificatesigningrequests', checkSigningRequest],
  ['certificates.k8s.io/podcertificaterequests', checkPodCertificateRequest]
])

/**
 * Limits a kubelet to its own Node and the objects that belong to it
 * (https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction).
 */
export const nodeRestriction: BuiltinPlugin = {
  name: 'NodeRestriction',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  subresources: '*',
  admit(attributes) {
    const { user } = attributes.context
    const node = nodeIdentity(user)
    if (node === undefined) return undefined
    if (node === '') throw refuse(attributes, `could not determine node from user ${goQuote(user.name)}`)
    return checks.get(scopeName(attributes.resource))?.(node, attributes)
  }
}
