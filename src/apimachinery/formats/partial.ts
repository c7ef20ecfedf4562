/** Reduces objects to their metadata (PartialObjectMetadata). */
import type { ObjectMeta } from '../api/generated/meta-v1.js'
import { inFieldOrder } from '../schema/field-order.js'
import { loadSchema } from '../schema/load.js'
import { metadataInOrder } from '../schema/metadata-order.js'
import { notAcceptable } from '../status/status.js'

/** The properties of a kind that PartialObjectMetadata depends on. */
export interface PartialKind {
  /** Set when a CustomResourceDefinition declares the kind. */
  readonly custom?: object
  readonly storage?: { readonly fieldAnnotations?: readonly string[] }
}

const plainKind: PartialKind = {}

export function partialObject(object: any, version = 'v1', { storage, custom }: PartialKind = plainKind): unknown {
  const fieldAnnotations = storage?.fieldAnnotations
  const kept = fieldAnnotations ? without(object.metadata, fieldAnnotations) : object.metadata
  // custom resources have sorted keys, but PartialObjectMetadata is a Go struct
  const metadata = custom ? inFieldOrder(loadSchema().type('meta.v1.ObjectMeta'), kept) : metadataInOrder(kept)
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata }
}

function without(metadata: ObjectMeta, names: readonly string[]): ObjectMeta {
  const { annotations = {} } = metadata
  const left = Object.entries(annotations).filter(([name]) => !names.includes(name))
  if (left.length === Object.keys(annotations).length) return metadata
  // undefined is left out of JSON; the fields keep their order
  return { ...metadata, annotations: left.length > 0 ? Object.fromEntries(left) : undefined } as ObjectMeta
}

/** Unlike an ordinary list, an empty one has null items. */
export function partialList(objects: readonly any[], metadata: object, version: string, kind: PartialKind) {
  const items = objects.length > 0 ? objects.map(object => partialObject(object, version, kind)) : null
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata, items }
}

/** The error for a transformation of an object when the answer is a list. `type` is its internal Go type. */
export const isAList = (type: string) =>
  notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (*${type})`)

export const isNoList = (type: string) =>
  notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (*${type})`)
