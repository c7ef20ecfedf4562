/** Makes holders of certificates for tests. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type CertificateRequest, issueCertificate } from '../issue.js'

export const day = 24 * 60 * 60 * 1000
/** When the certificates begin to be valid; they are for ten days. */
export const start = Date.parse('2026-11-21T12:00:00Z')

export interface Entity {
  readonly key: KeyObject
  /** DER. */
  readonly certificate: Buffer
}

/** The certificate is self-signed without an issuer. */
export function makeEntity(
  request: Pick<CertificateRequest, 'commonName' | 'usage'> & Partial<CertificateRequest>,
  issuer?: Entity
): Entity {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const whole = { publicKey, notBefore: start, notAfter: start + 10 * day, ...request }
  return { key, certificate: issueCertificate(whole, issuer ?? { key }) }
}
