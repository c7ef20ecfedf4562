/** Encodes objects in the form that the client asked for. */

import { exactJson } from '../../util/exact-json.js'
import { sortedJson } from '../../util/sorted-json.js'
import { encodeCbor } from './cbor/write.js'
import type { MediaType } from './negotiate.js'
import { encodeProtobuf, typeOfKind } from './protobuf/object.js'
import { emitYaml } from './yaml-emit.js'

/** `sorted`: JSON with sorted keys, as for custom resources. */
export function encodeObject(object: unknown, mediaType: MediaType, pretty: boolean, sorted = false): Buffer {
  switch (mediaType) {
    case 'application/json':
      if (sorted) return Buffer.from(pretty ? sortedJson(object, true) : `${sortedJson(object)}\n`)
      return Buffer.from(pretty ? exactJson(object, 2) : `${exactJson(object)}\n`)
    case 'application/yaml':
      return Buffer.from(emitYaml(object))
    case 'application/vnd.kubernetes.protobuf':
      return encodeProtobuf(object)
    case 'application/cbor':
      return encodeCbor(object, sorted ? undefined : typeOfKind(object))
  }
}
