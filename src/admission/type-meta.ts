/** Reads apiVersion and kind as Go does it before it decodes a document. */
import { describeJson } from '../apimachinery/schema/scalars.js'
import { isObject, type JsonObject } from '../util/json.js'

/** What a document says it is; "" where it says nothing. */
export interface TypeMeta {
  readonly apiVersion: string
  readonly kind: string
}

/** The document says nothing that Go could read. */
export class TypeMetaError extends Error {}

/** Throws a TypeMetaError. */
export function readTypeMeta(document: unknown): TypeMeta {
  const { apiVersion, kind } = fieldsOf(document)
  if (apiVersion.split('/').length > 2) throw new TypeMetaError(`unexpected GroupVersion string: ${apiVersion}`)
  return { apiVersion, kind }
}

function fieldsOf(document: unknown): TypeMeta {
  if (!isObject(document))
    throw unreadable(
      `${describeJson(document)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`
    )
  return { apiVersion: text(document, 'apiVersion'), kind: text(document, 'kind') }
}

function text(document: JsonObject, field: keyof TypeMeta): string {
  const value = document[field] ?? ''
  if (typeof value === 'string') return value
  throw unreadable(`${describeJson(value)} into Go struct field .${field} of type string`)
}

const unreadable = (why: string) =>
  new TypeMetaError(`couldn't get version/kind; json parse error: json: cannot unmarshal ${why}`)
