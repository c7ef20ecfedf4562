/** The parts of a certificate that the verification of a chain needs. */
import type { KeyObject } from 'node:crypto'
import { type Certificate, readCertificate } from './certificate.js'
import { OID } from './object-identifiers.js'
import { verifyingKey } from './public-key.js'

export interface Link extends Certificate {
  /** The public key; undefined for an algorithm with which no certificates are signed. */
  readonly key: KeyObject | undefined
  /** Whether a critical extension is not evaluated here. */
  readonly hasUnknownRule: boolean
}

/** Reads a certificate in DER. Throws when something is malformed, or the key too large. */
export function readLink(raw: Buffer): Link {
  const certificate = readCertificate(raw)
  return { ...certificate, key: verifyingKey(certificate.publicKey), hasUnknownRule: hasUnknownRule(certificate) }
}

const evaluated = new Set<string>([
  OID.basicConstraints,
  OID.keyUsage,
  OID.extendedKeyUsage,
  OID.certificatePolicies,
  OID.policyMappings,
  OID.policyConstraints,
  OID.inhibitAnyPolicy,
  // the locations of revocation lists, which Kubernetes does not use
  OID.crlDistributionPoints
])

function hasUnknownRule({ extensions, names, nameConstraints }: Certificate): boolean {
  const isEvaluated = (type: string): boolean =>
    type === OID.nameConstraints
      ? !nameConstraints?.hasOthers
      : type === OID.subjectAltName
        ? names.length > 0
        : evaluated.has(type)
  return [...extensions].some(([type, { critical }]) => critical && !isEvaluated(type))
}
