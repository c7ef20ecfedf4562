/** Validates CA bundles in objects: PEM in base64. */
import { pemBlocks } from '../transport/certificates/pem.js'
import { certificateIn, certificateType, malformedCertificate } from '../transport/certificates/pem-certificates.js'

/** Returns why a CA bundle is not valid; undefined when it has at least one certificate. */
export function caBundleProblem(caBundle: string): string | undefined {
  let why = 'unable to parse bytes as PEM block'
  let isMalformed = false
  for (const block of pemBlocks(Buffer.from(caBundle, 'base64').toString())) {
    if (block.type === certificateType && !block.hasHeaders) {
      if (certificateIn(block)) return undefined
      isMalformed = true
    } else why = 'no valid certificate authority data seen'
  }
  return `unable to load root certificates: ${isMalformed ? `failed to parse certificate: ${malformedCertificate}` : why}`
}
