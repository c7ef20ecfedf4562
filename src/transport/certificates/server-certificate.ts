/**
 * Verifies the certificates of servers that this one connects to, by the rules and with the words of Go's x509 package. OpenSSL, which
 * Node.js asks, has other rules. It takes a certificate for self-signed if its authority has the same name; several operators make such
 * certificates for their webhooks. It also accepts a host that only the common name has.
 */
import type { TLSSocket } from 'node:tls'
import { goQuote } from '../../util/go-format.js'
import type { Certificate } from './certificate.js'
import { type Link, readLink } from './chain-link.js'
import { findPaths, isConsistent, isFor, type Path, Pool } from './chains.js'
import { hostProblem } from './host-names.js'
import { OID } from './object-identifiers.js'
import { peerCertificates } from './peer-certificates.js'
import { pemBlocks } from './pem.js'

/** Reads the trusted certificates of a text in PEM. As in Go, what cannot be read is left out. */
export function rootsOf(pem: string): Pool {
  const links: Link[] = []
  for (const { type, hasHeaders, bytes } of pemBlocks(pem)) {
    if (type !== 'CERTIFICATE' || hasHeaders) continue
    try {
      links.push(readLink(bytes))
    } catch {
      // not a certificate that Go reads
    }
  }
  return new Pool(links)
}

/**
 * Returns an error, in the words of Go's tls package, when the server of a connection is not to be trusted as this host. The connection
 * has been made without OpenSSL's verification, and with a whole handshake: a resumed session no longer has the certificates.
 */
export function serverError(socket: TLSSocket, roots: Pool, host: string): Error | undefined {
  const problem = serverProblem(peerCertificates(socket), roots, host, Date.now())
  return problem === undefined ? undefined : new Error(`tls: failed to verify certificate: ${problem}`)
}

/**
 * Returns why the certificates that a server has sent are not to be trusted for the host; undefined when they are. `now` is in
 * milliseconds since 1970.
 */
export function serverProblem(presented: readonly Buffer[], roots: Pool, host: string, now: number): string | undefined {
  let links: Link[]
  try {
    links = presented.map(readLink)
  } catch {
    return 'x509: malformed certificate'
  }
  const [leaf, ...intermediates] = links
  if (!leaf) return 'tls: received empty certificates message'
  if (leaf.hasUnknownRule) return 'x509: unhandled critical extension'
  const problem = timeProblem(leaf, now) ?? hostProblem(leaf, host)
  if (problem !== undefined) return problem
  let hint = ''
  const paths = findPaths(leaf, new Pool(intermediates), roots, (candidate, why) => {
    hint ||= ` (possibly because of ${goQuote(why)} while trying to verify candidate authority certificate ${goQuote(shownName(candidate))})`
  })
  if (paths.length === 0) return `x509: certificate signed by unknown authority${hint}`
  const current = paths.filter(path => pathTimeProblem(path, now) === undefined)
  if (current.length === 0) return pathTimeProblem(paths[0]!, now)
  const fitting = current.filter(path => isFor(path, OID.serverAuth))
  if (fitting.length === 0) return 'x509: certificate specifies an incompatible key usage'
  return fitting.some(isConsistent) ? undefined : 'x509: no valid chains built'
}

const shownName = ({ subject, serial }: Certificate): string => {
  const valuesOf = (type: string) => subject.attributes.filter(attribute => attribute.type === type).map(({ value }) => value)
  return valuesOf(OID.commonName).at(-1) || valuesOf(OID.organization)[0] || `serial:${serial}`
}

function pathTimeProblem(path: Path, now: number): string | undefined {
  for (const link of path) {
    const problem = timeProblem(link, now)
    if (problem !== undefined) return problem
  }
  return undefined
}

function timeProblem({ notBefore, notAfter }: Certificate, now: number): string | undefined {
  if (notBefore <= now && now <= notAfter) return undefined
  const limit = now < notBefore ? `before ${shownTime(notBefore)}` : `after ${shownTime(notAfter)}`
  return `x509: certificate has expired or is not yet valid: current time ${shownTime(now)} is ${limit}`
}

const shownTime = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`
