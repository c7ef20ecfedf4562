/** Requests for certificates (PKCS #10, RFC 2986): their contents, and proof that the requester has the key. */
import type { KeyObject } from 'node:crypto'
import { type DerElement, readBits, readElement, TAG } from './der.js'
import {
  children,
  type DistinguishedName,
  type GeneralName,
  OID,
  readExtensions,
  readGeneralNames,
  readName,
  readOidElement
} from './read.js'
import { readPublicKey, type Signed, signatureProblem } from './signature.js'

export interface SigningRequest extends Signed {
  readonly subject: DistinguishedName
  /** The key with its algorithm, in DER. */
  readonly publicKey: Buffer
  /** The same; undefined for an algorithm that signs no requests. */
  readonly key: KeyObject | undefined
  readonly names: readonly GeneralName[]
}

/** Reads a request. Throws when it is malformed; does not verify the signature. */
export function readSigningRequest(der: Buffer): SigningRequest {
  const whole = readElement(der)
  const [body, algorithm, signature, ...rest] = children(whole)
  if (whole.raw.length !== der.length || rest.length > 0 || signature?.tag !== TAG.bitString) throw malformed()
  const [version, subject, publicKey, attributes] = children(body)
  const [type] = children(algorithm)
  if (version?.tag !== TAG.integer || publicKey?.tag !== TAG.sequence || type?.tag !== TAG.oid) throw malformed()
  return {
    subject: readName(subject),
    publicKey: publicKey.raw,
    key: readPublicKey(publicKey.raw),
    names: readNames(attributes),
    body: body!.raw,
    algorithm: algorithm!,
    signature: readBits(signature)
  }
}

/** Returns why the signature does not prove that the requester has the key, in Kubernetes' words; undefined when it does. */
export const requestProblem = (request: SigningRequest): string | undefined => signatureProblem(request, request.key, true)

/** Returns the values of one attribute of the subject. */
export const valuesOf = ({ subject }: SigningRequest, type: string): string[] =>
  subject.attributes.filter(attribute => attribute.type === type).map(attribute => attribute.value)

const malformed = () => new Error('malformed certificate request')

/** Reads the alternative names that are asked for; attributes of another form than the standard's are ignored, as in Go. */
function readNames(attributes: DerElement | undefined): GeneralName[] {
  if (attributes?.tag !== 0xa0) throw malformed()
  const lists = children(attributes).flatMap(attribute => {
    const value = extensionRequestOf(attribute)
    return value ? children(value) : []
  })
  return readGeneralNames(readExtensions(lists).get(OID.subjectAltName)?.value)
}

function extensionRequestOf(attribute: DerElement): DerElement | undefined {
  try {
    const [type, values] = children(attribute)
    return readOidElement(type) === OID.extensionRequest ? children(values)[0] : undefined
  } catch {
    return undefined
  }
}
