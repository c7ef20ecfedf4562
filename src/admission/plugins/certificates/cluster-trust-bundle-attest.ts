import type { ClusterTrustBundle } from '../../../apimachinery/api/generated/certificates-v1beta1.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { maySign } from '../../../kinds/certificates/signers.js'
import { isForGarbageCollection } from '../../../registry/garbage-fields.js'
import { goQuote } from '../../../util/go-format.js'
import type { BuiltinPlugin } from '../../admission.js'

/** A user who publishes the trust anchors of a signer must be allowed to attest for it. */
export const clusterTrustBundleAttest: BuiltinPlugin = {
  name: 'ClusterTrustBundleAttest',
  operations: ['CREATE', 'UPDATE'],
  resources: ['certificates.k8s.io/clustertrustbundles'],
  async validate(attributes) {
    const { operation, object, oldObject, context, resource, name } = attributes
    const { signerName } = (object as ClusterTrustBundle).spec
    // an update of the signer's name is refused later
    if (!signerName || (operation === 'UPDATE' && isForGarbageCollection(object, oldObject))) return
    if (await maySign(context.services.authorizer, context.user, 'attest', signerName)) return
    const why = `user not permitted to attest for signerName ${goQuote(signerName)}`
    throw forbidden(resource.groupResource, name, why)
  }
}
