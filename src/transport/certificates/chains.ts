/** Finds chains from a certificate to a trusted authority, by the rules of Go's x509 package. */
import { extensionValue } from './certificate-extensions.js'
import type { Link } from './chain-link.js'
import { obeys } from './name-constraints.js'
import { OID } from './object-identifiers.js'
import { policiesAgree } from './policies.js'
import { signatureProblem } from './signature.js'

/** From a certificate to an authority. */
export type Path = readonly Link[]

/** A set of certificates, by their subjects. */
export class Pool {
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

/** Told about a certificate with the issuer's name that did not issue: why not, in Go's words. */
export type OnCandidate = (candidate: Link, problem: string) => void

/**
 * How many issuers are tried for one certificate. It bounds the work for hostile intermediates, each of which might have signed
 * any other.
 */
const maxCandidates = 100

/** Returns the chains to a root. Their purposes, names, policies and validity in time are not looked at. */
export function findPaths(leaf: Link, intermediates: Pool, roots: Pool, onCandidate: OnCandidate = () => {}): Path[] {
  if (leaf.hasUnknownRule) return []
  // A certificate may be trusted itself, instead of its authority.
  if (roots.has(leaf)) return [[leaf]]
  const paths: Path[] = []
  let candidates = 0
  const extend = (path: Path): void => {
    const child = path.at(-1)!
    const below = path.length - 1
    const issued = (parent: Link, isRoot: boolean): boolean => {
      if (isIn(path, parent)) return false
      const problem = issuingProblem(parent, isRoot, below) ?? signatureProblem(child, parent.key, false)
      if (problem !== undefined) onCandidate(parent, problem)
      return problem === undefined
    }
    for (const root of roots.issuersOf(child)) {
      if (++candidates > maxCandidates) return
      if (issued(root, true)) paths.push([...path, root])
    }
    for (const parent of intermediates.issuersOf(child)) {
      if (++candidates > maxCandidates) return
      if (issued(parent, false)) extend([...path, parent])
    }
  }
  extend([leaf])
  return paths
}

/** Why a certificate may not sign others, with `below` authorities between it and the first one; undefined when it may. */
function issuingProblem(parent: Link, isRoot: boolean, below: number): string | undefined {
  const { version, basicConstraints, maySign, hasUnknownRule } = parent
  // Before version 3 a certificate could not mark an authority.
  if (!maySign || (basicConstraints ? !basicConstraints.ca : version >= 3))
    return 'x509: invalid signature: parent certificate cannot sign this kind of certificate'
  if (hasUnknownRule) return 'x509: unhandled critical extension'
  // Unlike a root, an intermediate has to say that it is an authority.
  if (!basicConstraints) return isRoot ? undefined : 'x509: certificate is not authorized to sign other certificates'
  return below <= basicConstraints.pathLength ? undefined : 'x509: too many intermediates for path length constraint'
}

/** Whether the path already has a certificate of the same holder, in any edition: going through it again leads nowhere. */
const isIn = (path: Path, link: Link): boolean =>
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

export type Purpose = typeof OID.clientAuth | typeof OID.serverAuth

/** Whether all certificates of a path are for this purpose. */
export const isFor = (path: Path, purpose: Purpose): boolean =>
  path.every(({ purposes }) => purposes.length === 0 || purposes.includes(purpose) || purposes.includes(OID.anyExtendedKeyUsage))

/** Whether the names and policies of a path are as the certificates further up demand. */
export const isConsistent = (path: Path): boolean => policiesAgree(path.map(({ policies }) => policies)) && namesAreAllowed(path)

const namesAreAllowed = (path: Path): boolean =>
  path.every(({ nameConstraints }, i) => !nameConstraints || path.slice(0, i).every(({ names }) => obeys(names, nameConstraints)))
