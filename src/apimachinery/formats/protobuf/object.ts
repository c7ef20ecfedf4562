/** Encodes whole objects as enveloped messages. */
import { loadSchema } from '../../schema/load.js'
import type { StructType } from '../../schema/model.js'
import { notAcceptable } from '../../status/status.js'
import { groupDiscoveryListType } from './discovery-types.js'
import { encodeMessage } from './encode.js'
import { wrap } from './envelope.js'
import { listOf, messageType } from './message-type.js'

/** Encodes an object or list, enveloped with its kind. Throws 406 for a kind without a Protobuf message. */
export function encodeProtobuf(object: any): Buffer {
  const { kind = '', apiVersion = '' } = object
  const type = typeOfKind(object)
  if (!type)
    throw notAcceptable(
      `object ${kind} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`
    )
  return wrap(apiVersion, kind, encodeMessage(type, object))
}

let types: Map<string, StructType> | undefined

/** Finds the type of a built-in kind. The discovery documents of the core group have no apiVersion. */
export const typeOfKind = ({ apiVersion, kind }: any): StructType | undefined =>
  (types ??= allTypes()).get(`${apiVersion || 'v1'} ${kind}`)

function allTypes(): Map<string, StructType> {
  const schema = loadSchema()
  const all = new Map<string, StructType>()
  for (const name of schema.names()) {
    const type = schema.type(name)
    for (const { group, version, kind } of type.gvks) all.set(`${group === '' ? version : `${group}/${version}`} ${kind}`, type)
  }
  // no OpenAPI document describes the following types
  const partial = messageType('PartialObjectMetadata', { metadata: { number: 1, type: schema.type('meta.v1.ObjectMeta') } })
  const partialList = messageType('PartialObjectMetadataList', {
    metadata: { number: 1, type: schema.type('meta.v1.ListMeta') },
    items: { number: 2, type: listOf(partial) }
  })
  for (const version of ['v1', 'v1beta1']) {
    all.set(`meta.k8s.io/${version} PartialObjectMetadata`, partial)
    all.set(`meta.k8s.io/${version} PartialObjectMetadataList`, partialList)
  }
  all.set('apidiscovery.k8s.io/v2 APIGroupDiscoveryList', groupDiscoveryListType())
  return all
}
