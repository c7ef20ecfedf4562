import { readElement, readElements, TAG } from '../../certificates/der.js'
import { OID, readRequestSubject } from '../../certificates/read.js'
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

/** The organizations that a request names: the groups of whoever gets its certificate. Of a valid request. */
export function requestedGroups(request: string): string[] {
  const [, , content = ''] = firstBlock(request)
  const { attributes } = readRequestSubject(Buffer.from(content, 'base64'))
  return attributes.filter(({ type }) => type === OID.organization).map(({ value }) => value)
}

/** The common name that a request asks for. */
export function requestedName(request: string): string {
  const [, type, content = ''] = firstBlock(request)
  if (type !== 'CERTIFICATE REQUEST') throw new Error('PEM block type must be CERTIFICATE REQUEST')
  const { attributes } = readRequestSubject(Buffer.from(content, 'base64'))
  return attributes.findLast(({ type }) => type === OID.commonName)?.value ?? ''
}

export function validateRequest(request: string | null | undefined, path: Path, errors: FieldErrors): void {
  const [, type, content = ''] = firstBlock(request)
  if (type !== 'CERTIFICATE REQUEST') {
    errors.invalid(path, request, 'PEM block type must be CERTIFICATE REQUEST')
    return
  }
  if (!isCertificateRequest(Buffer.from(content, 'base64')))
    errors.invalid(path, request, 'asn1: structure error: malformed certificate request')
}

/** RFC 2986: what is asked for, an algorithm, a signature. */
function isCertificateRequest(der: Buffer): boolean {
  try {
    const { tag, content, raw } = readElement(der)
    const tags = readElements(content).map(e => e.tag)
    return (
      tag === TAG.sequence &&
      raw.length === der.length &&
      tags.length === 3 &&
      tags[0] === TAG.sequence &&
      tags[1] === TAG.sequence &&
      tags[2] === TAG.bitString
    )
  } catch {
    return false
  }
}

export function validateCertificate(certificate: string | undefined, errors: FieldErrors): void {
  if (!certificate) return
  const path = Path.of('status', 'certificate')
  const [, type] = firstBlock(certificate)
  if (type === undefined) errors.invalid(path, '<certificate data>', 'must contain at least one CERTIFICATE PEM block')
  else if (type !== 'CERTIFICATE')
    errors.invalid(path, '<certificate data>', `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`)
}
