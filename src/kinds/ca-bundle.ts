/** Validates CA bundles in objects: PEM in base64. */
import { X509Certificate } from 'node:crypto'

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n[A-Za-z0-9+/=\r\n]*?-----END \1-----/g

/** Returns why a CA bundle is not valid; undefined when it has at least one certificate. */
export function caBundleProblem(caBundle: string): string | undefined {
  const blocks = Buffer.from(caBundle, 'base64').toString('latin1').match(pemBlock)
  if (!blocks) return 'unable to load root certificates: unable to parse bytes as PEM block'
  const certificates = blocks.filter(block => block.startsWith('-----BEGIN CERTIFICATE-----'))
  if (certificates.some(isCertificate)) return undefined
  const why =
    certificates.length > 0
      ? 'failed to parse certificate: x509: malformed certificate'
      : 'no valid certificate authority data seen'
  return `unable to load root certificates: ${why}`
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}
