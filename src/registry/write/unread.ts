/**
 * Custom resources that admission has changed. kube-apiserver keeps them as documents until it has stored them: only then it drops fields that the schema
 * does not have. What does not fit in their metadata is missing for all who read the object, until the validation refuses it.
 */
import { conversionProblems } from '../../apimachinery/patch/conversion.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import { forgetEmpties } from '../../apimachinery/schema/given.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import { sorted } from '../../apimachinery/structural/go-map.js'
import { equalJson, isObject, type JsonObject, setKey } from '../../util/json.js'
import type { AnyObject } from '../kind.js'

const metadataType = () => loadSchema().type('meta.v1.ObjectMeta')

/** What a document gives for fields of its metadata that read differently, and how they read; undefined for one that does not fit. */
type Given = ReadonlyMap<string, { readonly given: unknown; readonly read: unknown }>

/** Those of each object that is yet to be read as its kind. */
const unread = new WeakMap<object, Given>()

const nothing: Given = new Map()

/** Those that were given without metadata. */
const withoutMetadata = new WeakSet<object>()

/** Makes the object a document that is read as its kind when it is stored. Fields that metadata do not have stay in them until then. */
export function becomeDocument(object: AnyObject, { metadata, ...rest }: JsonObject): void {
  const type = metadataType()
  // the server cannot set the version in a value of another type: an update then lacks it
  const readable: JsonObject = metadata === undefined || isObject(metadata) ? {} : { resourceVersion: '' }
  const odd = new Map<string, { given: unknown; read: unknown }>()
  for (const [name, given] of Object.entries(isObject(metadata) ? metadata : {})) {
    const read = type.byName.has(name) ? readField(type, name, given) : given
    if (read !== undefined) setKey(readable, name, read)
    if (!equalJson(read, given)) odd.set(name, { given, read })
  }
  for (const key of Reflect.ownKeys(object)) delete (object as any)[key]
  for (const [key, value] of Object.entries({ ...rest, metadata: readable })) setKey(object as any, key, value)
  unread.set(object, odd)
  if (metadata === undefined) withoutMetadata.add(object)
  else withoutMetadata.delete(object)
}

function readField(type: StructType, name: string, given: unknown): unknown {
  try {
    const { object } = decode(type, { [name]: given })
    forgetEmpties(object)
    return object[name]
  } catch (error) {
    if (error instanceof DecodeError) return undefined
    throw error
  }
}

/** Returns the object as it was given, with what the server has set since. */
export function asDocument<T extends AnyObject>(object: T): T {
  if (withoutMetadata.has(object) && Object.keys(object.metadata).length === 0) {
    const { metadata: _, ...rest } = object
    return rest as T
  }
  const odd = unread.get(object)
  if (!odd || odd.size === 0) return object
  const metadata: JsonObject = { ...object.metadata }
  for (const [name, { given, read }] of odd) if (metadata[name] === read) metadata[name] = given
  return { ...object, metadata }
}

/** Forgets what was given for the metadata, because the write takes none of them. */
export function forgetMetadata(object: AnyObject): void {
  if (unread.has(object)) unread.set(object, nothing)
}

/** Returns the metadata of an object in which a field does not fit, and says why; undefined where all do. */
export function metadataProblem(object: AnyObject): { readonly metadata: unknown; readonly why: string } | undefined {
  if (!unread.get(object)?.size) return undefined
  const { metadata } = asDocument(object)
  const why = conversionProblems(metadataType(), metadata).error
  return why === undefined ? undefined : { metadata: sorted(metadata), why }
}

/** Whether admission has changed the object, and it is to be read as its kind when it is stored. */
export const isUnread = (object: object): boolean => unread.has(object)
