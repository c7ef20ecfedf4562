import type { CertificateSigningRequest } from '../../apimachinery/api/generated/certificates-v1.js'
import { requestedName } from '../../kinds/certificates/request.js'
import { type Check, refuse } from './refuse.js'

const nodeSigners: readonly string[] = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet']

/** A kubelet may request certificates only in its own name. */
export const checkSigningRequest: Check = (node, attributes) => {
  if (attributes.operation !== 'CREATE') return
  if (attributes.context.services.features.enabled('AllowInsecureKubeletCertificateSigningRequests')) return
  const { spec }: CertificateSigningRequest = attributes.object
  if (!nodeSigners.includes(spec.signerName)) return
  let name: string
  try {
    name = requestedName(spec.request ?? '')
  } catch (error) {
    throw refuse(attributes, `unable to parse csr: ${(error as Error).message}`)
  }
  if (name !== `system:node:${node}`) throw refuse(attributes, `can only create a node CSR with CN=system:node:${node}`)
}
