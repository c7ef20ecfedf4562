/**
 * Verifies client certificates by the rules of Go's x509 package: a chain to a trusted authority, meant for clients, and valid
 * now.
 */

import { extensionValue } from '../certificates/certificate-extensions.js'
import { type Link, readLink } from '../certificates/chain-link.js'
import { obeys } from '../certificates/name-constraints.js'
import { OID } from '../certificates/object-identifiers.js'
import { parsedLink } from '../certificates/parsed.js'
import { policiesAgree } from '../certificates/policies.js'
import { signatureProblem } from '../certificates/signature.js'
import type { Clock } from '../util/clock.js'
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
  readonly paths: readonly (readonly Link[])[]
  readonly result: T | Refused
}

const refused: Verified<never> = { paths: [], result: 'unauthorized' }

function verify<T>(presented: readonly Buffer[], roots: Pool, read: (leaf: Link) => T | Refused): Verified<T> {
  try {
    const [leaf, ...intermediates] = presented.map(readLink)
    const paths = findPaths(leaf!, new Pool(intermediates), roots).filter(isAcceptable)
    return paths.length === 0 ? refused : { paths, result: read(leaf!) }
  } catch {
    return refused
  }
}

/** A set of certificates, by their subjects. */
class Pool {
  readonly #bySubject = new Map<string, Link[]>()
  readonly #known = new Set<string>()

  constructor(links: readonly Link[]) {
    for (const link of links) {
      const raw = link.raw.toString('latin1')
      if (this.#known.has(raw)) continue
      this.#known.add(raw)
      const subject = link.subject.raw.toString('latin1')
      const same = this.#bySubject.get(subject)
      if (same) same.push(link)
      else this.#bySubject.set(subject, [link])
    }
  }

  has = (link: Link): boolean => this.#known.has(link.raw.toString('latin1'))

  issuersOf = ({ issuer }: Link): readonly Link[] => this.#bySubject.get(issuer.raw.toString('latin1')) ?? []
}

/**
 * How many issuers are tried for one certificate. It bounds the work for hostile intermediates, each of which might have signed
 * any other.
 */
const maxCandidates = 100

function findPaths(leaf: Link, intermediates: Pool, roots: Pool): Link[][] {
  if (leaf.hasUnknownRule) return []
  // A client's own certificate may be configured instead of an authority's.
  if (roots.has(leaf)) return [[leaf]]
  const paths: Link[][] = []
  let candidates = 0
  const extend = (path: readonly Link[]): void => {
    const child = path.at(-1)!
    const below = path.length - 1
    for (const root of roots.issuersOf(child)) {
      if (++candidates > maxCandidates) return
      if (!isIn(path, root) && maySign(root, below) && isSigned(child, root)) paths.push([...path, root])
    }
    for (const parent of intermediates.issuersOf(child)) {
      if (++candidates > maxCandidates) return
      // Unlike a root, it has to say that it is an authority, which before version 3 it cannot.
      if (!isIn(path, parent) && parent.basicConstraints && maySign(parent, below) && isSigned(child, parent))
        extend([...path, parent])
    }
  }
  extend([leaf])
  return paths
}

/** Whether a certificate may sign others, with `below` authorities between it and the client's certificate. */
function maySign({ version, basicConstraints, maySign, hasUnknownRule }: Link, below: number): boolean {
  if (hasUnknownRule || !maySign) return false
  // Before version 3 a certificate could not mark an authority.
  return basicConstraints ? basicConstraints.ca && below <= basicConstraints.pathLength : version < 3
}

const isSigned = (child: Link, parent: Link): boolean => signatureProblem(child, parent.key, false) === undefined

/** Whether the path already has a certificate of the same holder, in any edition: going through it again leads nowhere. */
const isIn = (path: readonly Link[], link: Link): boolean =>
  path.some(
    other =>
      other.subject.raw.equals(link.subject.raw) &&
      other.publicKey.der.equals(link.publicKey.der) &&
      (extensionValue(other.extensions, OID.subjectAltName)?.equals(
        extensionValue(link.extensions, OID.subjectAltName) ?? nothing
      ) ??
        !extensionValue(link.extensions, OID.subjectAltName))
  )

const nothing = Buffer.alloc(0)

/** Whether the certificates of a path agree: all are for clients, and names and policies are as those above demand. */
const isAcceptable = (path: readonly Link[]): boolean =>
  path.every(isForClients) && policiesAgree(path.map(({ policies }) => policies)) && namesAreAllowed(path)

const isForClients = ({ purposes }: Link): boolean =>
  purposes.length === 0 || purposes.includes(OID.clientAuth) || purposes.includes(OID.anyExtendedKeyUsage)

const namesAreAllowed = (path: readonly Link[]): boolean =>
  path.every(({ nameConstraints }, i) => !nameConstraints || path.slice(0, i).every(({ names }) => obeys(names, nameConstraints)))

/** Returns the values of an attribute of the subject, by its object identifier. */
export const subjectValues = ({ subject }: Link, type: string): string[] =>
  subject.attributes.filter(attribute => attribute.type === type).map(attribute => attribute.value)

/** Returns the common name. Of several ones, Go's x509 package keeps the last. */
export const commonNameOf = (leaf: Link): string | undefined => subjectValues(leaf, OID.commonName).at(-1)
