import type { CertificateSigningRequest } from '../../../apimachinery/api/generated/certificates-v1.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { requestedGroups } from '../../../kinds/certificates/request.js'
import type { BuiltinPlugin } from '../../admission.js'

const clientSigner = 'kubernetes.io/kube-apiserver-client'
const masters = 'system:masters'

/** The signer for API clients issues no certificate with the group system:masters. */
export const certificateSubjectRestriction: BuiltinPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  resources: ['certificates.k8s.io/certificatesigningrequests'],
  validate(attributes) {
    const { spec }: CertificateSigningRequest = attributes.object
    if (spec.signerName !== clientSigner) return
    const refuse = (why: string) => forbidden(attributes.resource.groupResource, attributes.name, why)
    let groups: string[]
    try {
      groups = requestedGroups(spec.request ?? '')
    } catch (error) {
      throw refuse(`failed to parse CSR: ${error instanceof Error ? error.message : error}`)
    }
    if (groups.includes(masters)) throw refuse(`use of ${clientSigner} signer with ${masters} group is not allowed`)
  }
}
