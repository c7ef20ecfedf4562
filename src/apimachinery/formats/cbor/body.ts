import { type BodyFormat, type ParsedBody, SyntaxFailure } from '../body-format.js'
import { typeOfKind } from '../protobuf/object.js'
import { CborError } from './cursor.js'
import { readCborMap } from './read.js'
import { readIdentity } from './read-typed.js'
import { checkWellFormed } from './well-formed.js'
import { encodeCbor } from './write.js'

export const cborBodies: BodyFormat = {
  mediaType: 'application/cbor',
  parse: (body, { typed }) => (typed ? parseTypedCbor(body) : parseCbor(body)),
  encode: (object, _, sorted) => encodeCbor(object, sorted ? undefined : typeOfKind(object))
}

const none: readonly string[] = []

/** Reads the kind of a document in CBOR, whose type says how to decode it. */
function parseTypedCbor(body: Buffer): ParsedBody {
  return { value: cborIdentity(body), text: '', yamlDuplicates: none, hasDuplicates: false, cbor: body }
}

/** Parses CBOR without a type. Repeated keys are errors. */
function parseCbor(body: Buffer): ParsedBody {
  const rest = { text: '', yamlDuplicates: none, hasDuplicates: false, cbor: body }
  try {
    return { ...rest, value: readCborMap(body) }
  } catch (error) {
    if (!(error instanceof CborError)) throw error
    return { ...rest, value: cborIdentity(body), problem: error.message }
  }
}

function cborIdentity(body: Buffer): unknown {
  try {
    checkWellFormed(body)
    return readIdentity(body)
  } catch (error) {
    throw error instanceof CborError ? new SyntaxFailure(`unable to determine group/version/kind: ${error.message}`) : error
  }
}
