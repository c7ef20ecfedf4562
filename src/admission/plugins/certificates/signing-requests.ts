import type { CertificateSigningRequest } from '../../../api/generated/certificates-v1.js'
import { aboutResource } from '../../../request/authorization.js'
import { forbidden } from '../../../status/status.js'
import type { AdmissionAttributes } from '../../admission.js'

/** Throws unless the user may `approve` or `sign` for the request's signer, or for all signers of its domain. */
export async function checkSigner(attributes: AdmissionAttributes, verb: 'approve' | 'sign'): Promise<void> {
  const { oldObject, context, resource, name } = attributes
  const { signerName } = (oldObject as CertificateSigningRequest).spec
  for (const signer of [signerName, `${signerName.split('/')[0]}/*`]) {
    const question = { user: context.user, verb, group: 'certificates.k8s.io', resource: 'signers', name: signer }
    const { allowed, error } = await context.services.authorizer.authorize(aboutResource(question))
    if (allowed && error === undefined) return
  }
  const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`
  throw forbidden(resource.groupResource, name, why)
}
