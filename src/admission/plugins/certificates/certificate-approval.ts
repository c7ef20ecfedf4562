import type { AdmissionPlugin } from '../../admission.js'
import { checkSigner, isSigningRequest } from './signing-requests.js'

/** A user who approves or denies a request must be allowed to approve for its signer. */
export const certificateApproval: AdmissionPlugin = {
  name: 'CertificateApproval',
  handles: operation => operation === 'UPDATE',
  validate: attributes => (isSigningRequest(attributes, 'approval') ? checkSigner(attributes, 'approve') : undefined)
}
