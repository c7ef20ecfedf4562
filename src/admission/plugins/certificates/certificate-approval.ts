import type { BuiltinPlugin } from '../../admission.js'
import { checkSigner } from './signing-requests.js'

/** A user who approves or denies a request must be allowed to approve for its signer. */
export const certificateApproval: BuiltinPlugin = {
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  resources: ['certificates.k8s.io/certificatesigningrequests'],
  subresources: ['approval'],
  validate: attributes => checkSigner(attributes, 'approve')
}
