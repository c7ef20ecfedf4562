/**
 * Reads stored values that another server has written, or this server when another version was the storage version. They are
 * Protobuf, as kube-apiserver stores built-in kinds, or JSON of any order and version. This server always writes JSON, which
 * kube-apiserver can read.
 */
import { parseStored } from '../../apimachinery/formats/cbor/stored.js'
import { decodeMessage } from '../../apimachinery/formats/protobuf/decode.js'
import { unwrap } from '../../apimachinery/formats/protobuf/envelope.js'
import { decode } from '../../apimachinery/schema/decode.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import type { Form } from './encode.js'

/** The parts of a resource that are needed to read its values. */
export interface StoredResource {
  readonly form: Form
  readonly memoryVersion: { readonly name: string }
  readonly kind: {
    readonly kind: string
    readonly versions: readonly { readonly name: string; readonly fromStorage?: (object: any) => any }[]
    readonly storage?: { readonly storedForms?: Readonly<Record<string, (object: any) => any>> }
    readonly strategy?: { readonly default?: (object: any, context: { readonly now: number }) => void }
  }
  apiVersion(version: string): string
  type(version: string): StructType
  toStorage(object: any, version: string): any
}

const protobufMagic = Buffer.from('k8s\0')

/** Returns the value as this server would have stored it at `now`. Nearly always, that is the same buffer. */
export function ownForm(resource: StoredResource, value: Buffer, now: number): Buffer {
  if (resource.form.isOwn(value)) return value
  const object = storedObject(resource, value)
  // kube-apiserver sets some defaults only when it reads
  resource.kind.strategy?.default?.(object, { now })
  return resource.form.encode(object)
}

/** Reads the object in the storage version. Throws when the value is not an object of the resource. */
function storedObject(resource: StoredResource, value: Buffer): any {
  const protobuf = value.subarray(0, protobufMagic.length).equals(protobufMagic)
  const stored: any = protobuf ? unwrap(value) : parseStored(value)
  const { kind, apiVersion } = stored
  if (kind !== resource.kind.kind) throw new Error(`the stored object is a ${kind}, not a ${resource.kind.kind}`)
  const { name: own } = resource.memoryVersion
  const former = resource.kind.storage?.storedForms?.[apiVersion]
  if (former) return decode(resource.type(own), former(stored)).object
  // a version that is not served may still be stored
  const version = resource.kind.versions.find(({ name }) => resource.apiVersion(name) === apiVersion)?.name
  if (version === undefined) throw new Error(`no kind ${kind} is registered for version ${apiVersion}`)
  const type = resource.type(version)
  const { object } = decode(type, protobuf ? { kind, apiVersion, ...decodeMessage(type, stored.message) } : stored)
  return resource.toStorage(object, version)
}
