import type { CertificateSigningRequest } from '../../../apimachinery/api/generated/certificates-v1.js'
import { equalJson } from '../../../util/json.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { checkSigner } from './signing-requests.js'

/** A user who issues a certificate, or sets a condition, must be allowed to sign for its signer. */
export const certificateSigning: BuiltinPlugin = {
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  resources: ['certificates.k8s.io/certificatesigningrequests'],
  subresources: ['status'],
  validate: attributes => (changesOutcome(attributes) ? checkSigner(attributes, 'sign') : undefined)
}

function changesOutcome({ object, oldObject }: AdmissionAttributes): boolean {
  const [now, before] = [(object as CertificateSigningRequest).status, (oldObject as CertificateSigningRequest).status]
  return now.certificate !== before.certificate || !equalJson(now.conditions ?? [], before.conditions ?? [])
}
