/** Objects as bytes in the form that the client asked for. */

import { exactJson } from '../util/exact-json.js'
import type { MediaType } from './negotiate.js'
import { encodeProtobuf } from './protobuf/object.js'
import { emitYaml } from './yaml-emit.js'

export function encodeObject(object: unknown, mediaType: MediaType, pretty: boolean): Buffer {
  switch (mediaType) {
    case 'application/json':
      return Buffer.from(pretty ? exactJson(object, 2) : `${exactJson(object)}\n`)
    case 'application/yaml':
      return Buffer.from(emitYaml(object))
    case 'application/vnd.kubernetes.protobuf':
      return encodeProtobuf(object)
  }
}
