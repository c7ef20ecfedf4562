/** What the verification of a chain needs to know of one certificate. */
import type { KeyObject } from 'node:crypto'
import { type Certificate, readCertificate } from './certificate.js'
import { OID } from './object-identifiers.js'
import { verifyingKey } from './public-key.js'

export interface Link extends Certificate {
  /** Undefined for an algorithm that signs no certificates. */
  readonly key: KeyObject | undefined
  /** Whether an extension is critical that is not evaluated. */
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
  // Where lists of revoked certificates are: Kubernetes asks for none.
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
