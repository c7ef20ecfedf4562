/**
 * Values in the store that another server has written, or this one when another version was the storage version: in Protobuf,
 * as kube-apiserver stores built-in kinds, or as JSON of any order and version. What is written here is JSON always, which
 * kube-apiserver reads as well.
 */
import { decodeMessage } from '../../formats/protobuf/decode.js'
import { unwrap } from '../../formats/protobuf/envelope.js'
import { decode } from '../../schema/decode.js'
import type { StructType } from '../../schema/model.js'
import { parseExact } from '../../util/exact-json.js'
import type { Form } from './encode.js'

/** What has to be known of the resource of a value. */
export interface StoredResource {
  readonly form: Form
  readonly memoryVersion: { readonly name: string }
  readonly kind: {
    readonly kind: string
    readonly versions: readonly { readonly name: string }[]
    readonly storage?: { readonly storedForms?: Readonly<Record<string, (object: any) => any>> }
    readonly strategy?: { readonly default?: (object: any, context: { readonly now: number }) => void }
  }
  apiVersion(version: string): string
  type(version: string): StructType
  toStorage(object: any, version: string): any
}

const protobufMagic = Buffer.from('k8s\0')

/** The value as this server would have stored it at `now`: the same buffer, nearly always. */
export function ownForm(resource: StoredResource, value: Buffer, now: number): Buffer {
  if (resource.form.isOwn(value)) return value
  const object = storedObject(resource, value)
  // kube-apiserver leaves some of it to whoever reads
  resource.kind.strategy?.default?.(object, { now })
  return resource.form.encode(object)
}

/** The object in the storage version. Throws when the value is none of the resource's objects. */
function storedObject(resource: StoredResource, value: Buffer): any {
  const protobuf = value.subarray(0, protobufMagic.length).equals(protobufMagic)
  const stored: any = protobuf ? unwrap(value) : parseExact(value.toString())
  const { kind, apiVersion } = stored
  if (kind !== resource.kind.kind) throw new Error(`the stored object is a ${kind}, not a ${resource.kind.kind}`)
  const { name: own } = resource.memoryVersion
  const former = resource.kind.storage?.storedForms?.[apiVersion]
  if (former) return decode(resource.type(own), former(stored)).object
  // a version that is not served may still be in the store
  const version = resource.kind.versions.find(({ name }) => resource.apiVersion(name) === apiVersion)?.name
  if (version === undefined) throw new Error(`no kind ${kind} is registered for version ${apiVersion}`)
  const type = resource.type(version)
  const { object } = decode(type, protobuf ? { kind, apiVersion, ...decodeMessage(type, stored.message) } : stored)
  return resource.toStorage(object, version)
}
