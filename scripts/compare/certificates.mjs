/** Keys, signing requests and certificates for the area `trust`, good and broken. Needs build/ (npm run build). */
import { generateKeyPairSync, sign } from 'node:crypto'
import { bitString, element, integer, octetString, oid, sequence, TAG } from '../../build/transport/certificates/der.js'
import { attributeOf, extension, signCertificate, toPem } from '../../build/transport/certificates/issue.js'

const ec = namedCurve => generateKeyPairSync('ec', { namedCurve })
const rsa = modulusLength => generateKeyPairSync('rsa', { modulusLength })

/** Those that requests may have come first. */
export const keys = [
  ['ec', ec('P-256')],
  ['ec', ec('P-384')],
  ['ec', ec('P-521')],
  ['ed25519', generateKeyPairSync('ed25519')],
  ['rsa', rsa(3072)],
  ['rsa', rsa(2048)],
  ['ec', ec('secp224r1')],
  ['ec', ec('secp256k1')],
  ['x25519', generateKeyPairSync('x25519')]
].map(([type, { publicKey, privateKey }]) => ({ type, privateKey, spki: publicKey.export({ type: 'spki', format: 'der' }) }))
export const goodKeys = keys.slice(0, 5)

const algorithms = {
  ec: sequence(oid('1.2.840.10045.4.3.2')),
  rsa: sequence(oid('1.2.840.113549.1.1.11'), element(5)),
  ed25519: sequence(oid('1.3.101.112')),
  x25519: sequence(oid('1.3.101.112'))
}

const signed = (bytes, { type, privateKey }) =>
  type === 'x25519' ? Buffer.alloc(64) : sign(type === 'ed25519' ? null : 'sha256', bytes, privateKey)

/** A PKCS #10 request without a subject, signed by `signer`. */
export function stubRequest(key, signer = key) {
  const body = sequence(integer(Buffer.of(0)), sequence(), key.spki, element(0xa0))
  return sequence(body, algorithms[key.type], bitString(signed(body, signer)))
}

export const proof = (key, text) => signed(Buffer.from(text), key)

const authorityKey = keys[0]

/** A certificate for a key, by an authority that nobody knows. `names`: pairs of a tag of GeneralName and a text. */
export function certificate({ key = authorityKey, names = [], notBefore, notAfter, isCA }) {
  const constraints =
    isCA === undefined ? [] : [extension('2.5.29.19', true, sequence(...(isCA ? [element(TAG.boolean, Buffer.of(0xff))] : [])))]
  const alternative = names.map(([tag, text]) => element(tag, Buffer.from(text)))
  const content = {
    subject: sequence(element(TAG.set, attributeOf('2.5.4.3', 'x'))),
    publicKey: key.spki,
    notBefore,
    notAfter,
    extensions: [
      ...constraints,
      extension('2.5.29.14', false, octetString(Buffer.alloc(20, 1))),
      ...(names.length > 0 ? [extension('2.5.29.17', false, sequence(...alternative))] : [])
    ]
  }
  return signCertificate(content, { key: authorityKey.privateKey })
}

export const pem = toPem
