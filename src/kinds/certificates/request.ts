import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { OID } from '../../transport/certificates/object-identifiers.js'
import { pemBlocks } from '../../transport/certificates/pem.js'
import { certificatesIn, certificateType, malformedCertificate } from '../../transport/certificates/pem-certificates.js'
import {
  readSigningRequest,
  requestProblem,
  type SigningRequest,
  valuesOf
} from '../../transport/certificates/signing-request.js'
import { goQuote } from '../../util/go-format.js'

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping'
]

export function validateUsages(given: readonly string[], path: Path, errors: FieldErrors): void {
  if (given.length === 0) errors.required(path)
  const seen = new Set<string>()
  given.forEach((usage, i) => {
    if (!usages.includes(usage)) errors.notSupported(path.index(i), usage, usages)
    if (seen.has(usage)) errors.duplicate(path.index(i), namedText(usage))
    seen.add(usage)
  })
}

const blocksOf = (base64: string | null | undefined) => pemBlocks(Buffer.from(base64 ?? '', 'base64').toString())

/** Parses a PKCS #10 request. Throws when it cannot be read. */
export function parseRequest(request: string | null | undefined): SigningRequest {
  const { value: block } = blocksOf(request).next()
  if (block?.type !== 'CERTIFICATE REQUEST') throw new Error('PEM block type must be CERTIFICATE REQUEST')
  try {
    return readSigningRequest(block.bytes)
  } catch {
    throw new Error('asn1: structure error: malformed certificate request')
  }
}

/** Returns the organizations of a request, which become the groups of the certificate's user. */
export const requestedGroups = (request: string): string[] => valuesOf(parseRequest(request), OID.organization)

/** Returns the common name of a request. */
export const requestedName = (request: string): string => valuesOf(parseRequest(request), OID.commonName).at(-1) ?? ''

export function validateRequest(request: string | null | undefined, path: Path, errors: FieldErrors): void {
  let problem: string | undefined
  try {
    problem = requestProblem(parseRequest(request))
  } catch (error) {
    problem = (error as Error).message
  }
  if (problem !== undefined) errors.invalid(path, request, problem)
}

export function validateCertificate(certificate: string | undefined, errors: FieldErrors): void {
  const problem = certificate ? certificateProblem(certificate) : undefined
  if (problem !== undefined) errors.invalid(Path.of('status', 'certificate'), '<certificate data>', problem)
}

/** Returns why issued certificates, PEM in base64, are none. */
function certificateProblem(certificate: string): string | undefined {
  let blocks = 0
  for (const block of blocksOf(certificate)) {
    if (block.type !== certificateType) return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(block.type)}`
    if (block.hasHeaders) return 'no PEM block headers are permitted'
    try {
      if (certificatesIn(block).length === 0) return 'found CERTIFICATE PEM block containing 0 certificates'
    } catch {
      return malformedCertificate
    }
    blocks++
  }
  return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined
}
