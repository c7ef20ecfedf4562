import { ProtobufError } from '../../../util/protobuf/reader.js'
import { type BodyFormat, SyntaxFailure } from '../body-format.js'
import { unwrap } from './envelope.js'
import { encodeProtobuf } from './object.js'

/** A message is decoded when its type is known; its envelope says its kind and version. */
export const protobufBodies: BodyFormat = {
  mediaType: 'application/vnd.kubernetes.protobuf',
  parse(body) {
    try {
      const { kind, apiVersion, message } = unwrap(body)
      // a malformed apiVersion counts as none here
      const value = { kind, apiVersion: apiVersion.split('/').length > 2 ? '' : apiVersion }
      return { value, text: '', yamlDuplicates: [], hasDuplicates: false, message }
    } catch (error) {
      throw error instanceof ProtobufError ? new SyntaxFailure(error.message) : error
    }
  },
  encode: encodeProtobuf
}
