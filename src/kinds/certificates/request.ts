import { OID } from '../../certificates/object-identifiers.js'
import { readSigningRequest, requestProblem, type SigningRequest, valuesOf } from '../../certificates/signing-request.js'
import { type FieldErrors, Path } from '../../validation/field.js'

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
    if (seen.has(usage)) errors.duplicate(path.index(i), usage)
    seen.add(usage)
  })
}

/** One block of PEM: its type and its content in base64. */
const pemBlock = /^-----BEGIN ([A-Z0-9 ]+)-----[ \t]*\r?\n([A-Za-z0-9+/=\r\n]*?)-----END \1-----[ \t]*(?:\r?\n|$)/m

const firstBlock = (base64: string | null | undefined) =>
  pemBlock.exec(Buffer.from(base64 ?? '', 'base64').toString('latin1')) ?? []

/** Parses a PKCS #10 request. Throws when it cannot be read. */
export function parseRequest(request: string | null | undefined): SigningRequest {
  const [, type, content = ''] = firstBlock(request)
  if (type !== 'CERTIFICATE REQUEST') throw new Error('PEM block type must be CERTIFICATE REQUEST')
  try {
    return readSigningRequest(Buffer.from(content, 'base64'))
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
  if (!certificate) return
  const path = Path.of('status', 'certificate')
  const [, type] = firstBlock(certificate)
  if (type === undefined) errors.invalid(path, '<certificate data>', 'must contain at least one CERTIFICATE PEM block')
  else if (type !== 'CERTIFICATE')
    errors.invalid(path, '<certificate data>', `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`)
}
