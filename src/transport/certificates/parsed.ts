import { X509Certificate } from 'node:crypto'
import { type Link, readLink } from './chain-link.js'

/**
 * How many certificates are kept: those of authorities and servers are few, and each server of a process reads the same ones at
 * its start.
 */
const maxKnown = 64
const known = new Map<string, X509Certificate>()

/**
 * Parses a certificate (PEM) once for all servers of the process, because that takes OpenSSL a millisecond. Throws what
 * X509Certificate throws.
 */
export function parsedCertificate(pem: string): X509Certificate {
  let certificate = known.get(pem)
  if (!certificate) {
    certificate = new X509Certificate(pem)
    if (known.size >= maxKnown) known.delete(known.keys().next().value!)
    known.set(pem, certificate)
  }
  return certificate
}

const links = new WeakMap<X509Certificate, Link>()

/**
 * Reads a certificate (PEM) for the verification of chains, once for all servers of the process. Throws what readLink and
 * X509Certificate throw.
 */
export function parsedLink(pem: string): Link {
  const certificate = parsedCertificate(pem)
  let link = links.get(certificate)
  if (!link) links.set(certificate, (link = readLink(certificate.raw)))
  return link
}
