/** Client certificates for users whom nobody knows beforehand: the authority's signature is all that they need. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { issueCertificate, toPem } from './issue.js'
import { privateKeyPem } from './key-files.js'
import type { Pki } from './pki.js'

const day = 24 * 60 * 60 * 1000
/** Lets clients whose clocks are slightly slow accept the certificate. */
const backdating = 5 * 60 * 1000

/** Issues a certificate that is valid for a year, or as long as the authority; `now` in milliseconds since 1970. Returns PEM. */
export function issueUserCertificate(
  ca: Pki['ca'],
  user: string,
  groups: readonly string[],
  now: number
): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const authority = new X509Certificate(ca.certificate)
  const lifetime = { notBefore: now - backdating, notAfter: Math.min(now + 365 * day, Date.parse(authority.validTo)) }
  const request = { commonName: user, organizations: groups, usage: 'clientAuth', publicKey, ...lifetime } as const
  return {
    certificate: toPem(issueCertificate(request, { key: ca.key, certificate: authority.raw })),
    key: privateKeyPem(privateKey)
  }
}
