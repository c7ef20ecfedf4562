/** Objects as bytes in the form that the client asked for. */
import { stringify } from 'yaml'
import type { MediaType } from './negotiate.js'
import { encodeProtobuf } from './protobuf/object.js'

/** JSON, or YAML as Kubernetes writes it: sorted keys, YAML 1.1's idea of what has to be quoted. */
export function encodeObject(object: unknown, mediaType: MediaType, pretty: boolean): Buffer {
  if (mediaType === 'application/vnd.kubernetes.protobuf') return encodeProtobuf(object)
  if (mediaType === 'application/yaml') {
    return Buffer.from(stringify(object, { version: '1.1', sortMapEntries: true, indentSeq: false, lineWidth: 0, aliasDuplicateObjects: false }))
  }
  return Buffer.from(pretty ? JSON.stringify(object, undefined, 2) : `${JSON.stringify(object)}\n`)
}
