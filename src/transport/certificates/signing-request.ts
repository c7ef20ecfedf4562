/** Reads requests for certificates (PKCS #10, RFC 2986), which prove that the requester has the key. */
import type { KeyObject } from 'node:crypto'
import { extensionValue, readExtensions } from './certificate-extensions.js'
import { TAG } from './der.js'
import { DerCursor, DerError } from './der-cursor.js'
import { type DistinguishedName, readName } from './distinguished-name.js'
import { type GeneralName, readGeneralNames } from './general-names.js'
import { OID } from './object-identifiers.js'
import { type PublicKey, readPublicKey, verifyingKey } from './public-key.js'
import { readAlgorithm, type Signed, signatureProblem } from './signature.js'

export interface SigningRequest extends Signed {
  readonly subject: DistinguishedName
  readonly publicKey: PublicKey
  /** The same; undefined for an algorithm that signs no requests. */
  readonly key: KeyObject | undefined
  readonly names: readonly GeneralName[]
}

/** Reads a request. Throws when it is malformed; does not verify the signature. */
export function readSigningRequest(der: Buffer): SigningRequest {
  const outer = new DerCursor(der)
  const whole = outer.in(TAG.sequence)
  const body = whole.whole(TAG.sequence)
  const algorithm = readAlgorithm(whole)
  const signature = whole.bitString()
  if (!whole.isEmpty || !outer.isEmpty) throw new DerError('trailing data')
  const fields = new DerCursor(body.content)
  fields.integer()
  const subject = readName(fields)
  const publicKey = readPublicKey(fields.whole(TAG.sequence).raw)
  const names = readRequestedNames(fields.in(0xa0))
  return { subject, publicKey, key: verifyingKey(publicKey), names, body: body.raw, algorithm, signature }
}

/** Returns why the signature does not prove that the requester has the key, in Kubernetes' words; undefined when it does. */
export const requestProblem = (request: SigningRequest): string | undefined => signatureProblem(request, request.key, true)

/** Returns the values of one attribute of the subject. */
export const valuesOf = ({ subject }: SigningRequest, type: string): string[] =>
  subject.attributes.filter(attribute => attribute.type === type).map(attribute => attribute.value)

/** Reads the alternative names that are asked for; attributes of another form than the standard's are ignored, as in Go. */
function readRequestedNames(attributes: DerCursor): GeneralName[] {
  const lists: Buffer[] = []
  while (!attributes.isEmpty) {
    const wanted = extensionRequest(attributes.any().raw)
    if (wanted) lists.push(new DerCursor(wanted).take(TAG.sequence))
  }
  return readGeneralNames(extensionValue(readExtensions(new DerCursor(Buffer.concat(lists))), OID.subjectAltName))
}

/** Returns the first value of an attribute that asks for extensions. */
function extensionRequest(raw: Buffer): Buffer | undefined {
  try {
    const attribute = new DerCursor(raw).in(TAG.sequence)
    if (attribute.oid() !== OID.extensionRequest) return undefined
    const values: Buffer[] = []
    for (const set = attribute.in(TAG.set); !set.isEmpty; ) values.push(set.any().raw)
    return values[0]
  } catch {
    return undefined
  }
}
