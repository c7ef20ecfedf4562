/**
 * Verifies client certificates by the rules of Go's x509 package: a chain to a trusted authority, meant for clients, and valid
 * now.
 */

import { type Link, readLink } from '../../transport/certificates/chain-link.js'
import { findPaths, isConsistent, isFor, type Path, Pool } from '../../transport/certificates/chains.js'
import { OID } from '../../transport/certificates/object-identifiers.js'
import { parsedLink } from '../../transport/certificates/parsed.js'
import type { Clock } from '../../util/clock.js'
import type { AuthenticationRequest } from './authenticator.js'

export type Refused = 'unauthorized'

/**
 * Returns what `read` finds in a client's certificate; undefined when there is none, and `unauthorized` for one that is not
 * trusted.
 */
export type CertificateVerifier<T> = (request: AuthenticationRequest) => T | Refused | undefined

/**
 * Trusts certificates with a chain to one of `authorities` (PEM, known to be readable), which may themselves be intermediates. Verifies a chain, and
 * calls `read`, once per connection; later requests only check its validity in time. A certificate that `read` throws for is refused.
 */
export function certificateVerifier<T>(
  authorities: readonly string[],
  clock: Clock,
  read: (leaf: Link) => T | Refused,
  /** Called for each request, with the seconds for which its certificate will still be valid. */
  observe: (remaining: number) => void = () => {}
): CertificateVerifier<T> {
  // most servers in tests never see a certificate
  let roots: Pool | undefined
  const known = new WeakMap<readonly Buffer[], Verified<T>>()
  return request => {
    const presented = request.peerCertificates?.()
    if (!presented || presented.length === 0) return undefined
    let verified = known.get(presented)
    if (!verified) {
      roots ??= new Pool(authorities.map(parsedLink))
      known.set(presented, (verified = verify(presented, roots, read)))
    }
    const now = clock.now()
    const isValid = ({ notBefore, notAfter }: Link) => notBefore <= now && now <= notAfter
    if (!verified.paths.some(path => path.every(isValid))) return 'unauthorized'
    observe((verified.paths[0]![0]!.notAfter - now) / 1000)
    return verified.result
  }
}

interface Verified<T> {
  /** Chains from the certificate to an authority. Everything about them is verified, except whether they are valid now. */
  readonly paths: readonly Path[]
  readonly result: T | Refused
}

const refused: Verified<never> = { paths: [], result: 'unauthorized' }

function verify<T>(presented: readonly Buffer[], roots: Pool, read: (leaf: Link) => T | Refused): Verified<T> {
  try {
    const [leaf, ...intermediates] = presented.map(readLink)
    const paths = findPaths(leaf!, new Pool(intermediates), roots).filter(
      path => isFor(path, OID.clientAuth) && isConsistent(path)
    )
    return paths.length === 0 ? refused : { paths, result: read(leaf!) }
  } catch {
    return refused
  }
}

/** Returns the values of an attribute of the subject, by its object identifier. */
export const subjectValues = ({ subject }: Link, type: string): string[] =>
  subject.attributes.filter(attribute => attribute.type === type).map(attribute => attribute.value)

/** Returns the common name. Of several ones, Go's x509 package keeps the last. */
export const commonNameOf = (leaf: Link): string | undefined => subjectValues(leaf, OID.commonName).at(-1)
