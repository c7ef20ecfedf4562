/** What the verification of a chain needs to know of one certificate. */
import type { KeyObject } from 'node:crypto'
import { readBits, readElement, TAG } from './der.js'
import { type NameConstraints, readNameConstraints } from './name-constraints.js'
import { type PolicyFields, readPolicyFields } from './policies.js'
import {
  type CertificateFields,
  children,
  extensionValue,
  type GeneralName,
  maySignCertificates,
  OID,
  readBasicConstraints,
  readCertificate,
  readExtendedKeyUsage,
  readGeneralNames
} from './read.js'
import { readPublicKey } from './signature.js'

export interface Link {
  readonly raw: Buffer
  readonly fields: CertificateFields
  /** Undefined for an algorithm that signs no certificates. */
  readonly key: KeyObject | undefined
  readonly basicConstraints: { readonly ca: boolean; readonly pathLength: number } | undefined
  readonly maySign: boolean
  /** None when the certificate is for every purpose. */
  readonly purposes: readonly string[]
  readonly names: readonly GeneralName[]
  readonly nameConstraints: NameConstraints | undefined
  readonly policies: PolicyFields
  /** Whether an extension is critical that is not evaluated. */
  readonly hasUnknownRule: boolean
}

/** Reads a certificate in DER with all extensions that count. Throws when something is malformed. */
export function readLink(raw: Buffer): Link {
  const fields = readCertificate(raw)
  const names = readGeneralNames(extensionValue(fields, OID.subjectAltName))
  const constraints = extensionValue(fields, OID.nameConstraints)
  const nameConstraints = constraints && readNameConstraints(constraints)
  checkOthers(fields)
  const isEvaluated = (type: string): boolean =>
    type === OID.nameConstraints
      ? !nameConstraints?.hasOthers
      : type === OID.subjectAltName
        ? names.length > 0
        : evaluated.has(type)
  return {
    raw,
    fields,
    key: readPublicKey(fields.publicKey),
    basicConstraints: readBasicConstraints(fields),
    maySign: maySignCertificates(fields),
    purposes: readExtendedKeyUsage(fields),
    names,
    nameConstraints,
    policies: readPolicyFields(fields),
    hasUnknownRule: [...fields.extensions].some(([type, { critical }]) => critical && !isEvaluated(type))
  }
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

/** RFC 5280 says that these are never critical. */
const neverCritical = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier, OID.authorityInfoAccess]

/** Refuses what is malformed in extensions that nothing else reads. */
function checkOthers(fields: CertificateFields): void {
  const lists = [OID.authorityKeyIdentifier, OID.authorityInfoAccess, OID.crlDistributionPoints]
  for (const type of lists) {
    const value = extensionValue(fields, type)
    if (value) children(readElement(value))
  }
  const keyId = extensionValue(fields, OID.subjectKeyIdentifier)
  if (keyId && readElement(keyId).tag !== TAG.octetString) throw malformed()
  const keyUsage = extensionValue(fields, OID.keyUsage)
  if (keyUsage) readBits(readElement(keyUsage))
  if (neverCritical.some(type => fields.extensions.get(type)?.critical)) throw malformed()
}

const malformed = () => new Error('malformed certificate')
