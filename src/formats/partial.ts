/** Objects with nothing but their metadata (PartialObjectMetadata). */
import { notAcceptable } from '../server/status.js'

export function partialObject(object: any, version = 'v1'): unknown {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata }
}

/** Unlike an ordinary list, one without items has null in their place. */
export function partialList(objects: readonly any[], metadata: object, version: string): unknown {
  const items = objects.length > 0 ? objects.map(object => partialObject(object, version)) : null
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata, items }
}

/** An object's form was asked for, but the answer is a list. `type` is its internal Go type. */
export const isAList = (type: string) =>
  notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (*${type})`)

export const isNoList = (type: string) =>
  notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (*${type})`)
