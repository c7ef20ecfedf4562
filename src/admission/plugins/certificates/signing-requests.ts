import type { CertificateSigningRequest } from '../../../apimachinery/api/generated/certificates-v1.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { maySign } from '../../../kinds/certificates/signers.js'
import { goQuote } from '../../../util/go-format.js'
import type { AdmissionAttributes } from '../../admission.js'

/** Throws unless the user may `approve` or `sign` for the request's signer, or for all signers of its domain. */
export async function checkSigner(attributes: AdmissionAttributes, verb: 'approve' | 'sign'): Promise<void> {
  const { oldObject, context, resource, name } = attributes
  const { signerName } = (oldObject as CertificateSigningRequest).spec
  if (await maySign(context.services.authorizer, context.user, verb, signerName)) return
  const why = `user not permitted to ${verb} requests with signerName ${goQuote(signerName)}`
  throw forbidden(resource.groupResource, name, why)
}
