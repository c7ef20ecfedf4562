import { createHash } from 'node:crypto'
import type { Link } from '../../transport/certificates/chain-link.js'
import { OID } from '../../transport/certificates/object-identifiers.js'
import type { Clock } from '../../util/clock.js'
import type { Authenticated } from './authenticator.js'
import { type CertificateVerifier, certificateVerifier, commonNameOf, subjectValues } from './client-certificates.js'

export interface X509Options {
  /** Called with the seconds for which a certificate is still valid. */
  readonly observe?: ((remaining: number) => void) | undefined
  /** Whether a certificate may name the UID of its user. Default: true. */
  readonly uids?: boolean | undefined
}

/**
 * Client certificates: the common name is the user, the organizations are the groups. A certificate without a common name is
 * nobody's.
 */
export const x509Authenticator = (
  authorities: readonly string[],
  clock: Clock,
  { observe, uids = true }: X509Options = {}
): CertificateVerifier<Authenticated | undefined> => certificateVerifier(authorities, clock, leaf => userOf(leaf, uids), observe)

/** UID attribute of a client certificate's subject, as Kubernetes defines it. */
const uidAttribute = '1.3.6.1.4.1.57683.2'

function userOf(leaf: Link, uids: boolean): Authenticated | undefined {
  const name = commonNameOf(leaf)
  if (!name) return undefined
  const [uid, ...more] = uids ? subjectValues(leaf, uidAttribute) : []
  if (uid === '' || more.length > 0) throw new Error('the subject needs one UID that is not empty, or none')
  const fingerprint = createHash('sha256').update(leaf.raw).digest('hex')
  return {
    user: {
      name,
      ...(uid === undefined ? {} : { uid }),
      groups: subjectValues(leaf, OID.organization),
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] }
    }
  }
}
