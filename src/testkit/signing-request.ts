/** Creates requests for certificates (PKCS #10), for tests. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { bitString, element, integer, oid, sequence, TAG } from '../transport/certificates/der.js'
import { attributeOf, extension, toPem } from '../transport/certificates/issue.js'
import { OID } from '../transport/certificates/object-identifiers.js'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** The key of the requests. */
export const requestKey = privateKey

/** Creates a request in the form of a CertificateSigningRequest. If it is signed with a foreign key, the signature is wrong. */
export function signingRequest(organization: string, commonName: string, dns?: string, key: KeyObject = privateKey): string {
  const names = dns === undefined ? [] : [extension(OID.subjectAltName, false, sequence(element(0x82, Buffer.from(dns))))]
  const wanted = names.length === 0 ? [] : [sequence(oid(OID.extensionRequest), element(TAG.set, sequence(...names)))]
  const subject = [attributeOf(OID.organization, organization), attributeOf(OID.commonName, commonName)]
  const body = sequence(
    integer(Buffer.of(0)),
    sequence(...subject.map(attribute => element(TAG.set, attribute))),
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa0, ...wanted)
  )
  const der = sequence(body, sequence(oid('1.2.840.10045.4.3.2')), bitString(sign('sha256', body, key)))
  return Buffer.from(toPem(der, 'CERTIFICATE REQUEST')).toString('base64')
}
