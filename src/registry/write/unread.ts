/**
 * Custom resources that admission has changed. kube-apiserver keeps them as documents until it has stored them: only then it drops fields that the schema
 * does not have. What does not fit in their metadata is missing for all who read the object, until the validation refuses it.
 */
import { conversionProblems } from '../../apimachinery/patch/conversion.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import { forgetEmpties } from '../../apimachinery/schema/given.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { sorted } from '../../apimachinery/structural/go-map.js'
import { type JsonObject, setKey } from '../../util/json.js'
import type { AnyObject } from '../kind.js'

const metadataType = () => loadSchema().type('meta.v1.ObjectMeta')

/** The fields of the metadata that do not fit, of each object that is yet to be read as its kind. */
const unread = new WeakMap<object, JsonObject>()

export interface Metadata {
  readonly readable: JsonObject
  readonly misfits: JsonObject
}

/** Separates the fields of metadata that fit their types from those that do not. Fields that metadata do not have are among those that fit. */
export function readMetadata(given: JsonObject): Metadata {
  const type = metadataType()
  const readable: JsonObject = {}
  const misfits: JsonObject = {}
  for (const [name, value] of Object.entries(given)) {
    if (!type.byName.has(name)) setKey(readable, name, value)
    else {
      try {
        const { object } = decode(type, { [name]: value })
        forgetEmpties(object)
        Object.assign(readable, object)
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error
        misfits[name] = value
      }
    }
  }
  return { readable, misfits }
}

/** Notes that the object is a document that is to be read as its kind when it is stored. */
export function noteUnread(object: AnyObject, misfits: JsonObject): void {
  unread.set(object, misfits)
}

/** Forgets fields of the metadata that do not fit, because the write takes none of the metadata. */
export function forgetMisfits(object: AnyObject): void {
  if (unread.has(object)) unread.set(object, {})
}

/** Returns the metadata of an object in which a field does not fit, and says why; undefined where all do. */
export function metadataProblem(object: AnyObject): { readonly metadata: JsonObject; readonly why: string } | undefined {
  const misfits = unread.get(object)
  if (!misfits) return undefined
  // a field that the server has set since is right
  const metadata = sorted({ ...misfits, ...object.metadata }) as JsonObject
  const why = conversionProblems(metadataType(), metadata).error
  return why === undefined ? undefined : { metadata, why }
}

/** Whether admission has changed the object, and it is to be read as its kind when it is stored. */
export const isUnread = (object: object): boolean => unread.has(object)
