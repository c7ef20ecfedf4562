import { type Certificate, readCertificate } from './certificate.js'
import { DerCursor } from './der-cursor.js'
import type { PemBlock } from './pem.js'

export const certificateType = 'CERTIFICATE'

/** Go's word for what is no certificate at all. */
export const malformedCertificate = 'x509: malformed certificate'

/** Reads the certificates of a block, which may hold several, one after the other, or none. Throws a DerError for anything else. */
export function certificatesIn({ bytes }: PemBlock): Certificate[] {
  const certificates: Certificate[] = []
  for (const rest = new DerCursor(bytes); !rest.isEmpty; ) certificates.push(readCertificate(rest.any().raw))
  return certificates
}

/** Reads the only certificate of a block; undefined for anything else. */
export function certificateIn({ bytes }: PemBlock): Certificate | undefined {
  try {
    return readCertificate(bytes)
  } catch {
    return undefined
  }
}
