/** Custom resources in the store: JSON in the version that the definition stores, converted to and from the other versions. */
import type { ObjectForm } from '../registry/encode.js'
import { type StoredForm, UnreadableError } from '../registry/stored-form.js'
import { isObject, type JsonObject } from '../util/json.js'
import type { CustomType } from './custom-type.js'

export interface StoredFormOptions {
  readonly group: string
  /** The version that the resource's cache is in. */
  readonly own: CustomVersion
  readonly storage: CustomVersion
  /** Versions that the definition still has, served or not. */
  readonly known: ReadonlySet<string>
}

export interface CustomVersion {
  readonly name: string
  readonly type: CustomType
  readonly form: ObjectForm
  readonly default: (object: any) => void
}

/**
 * Without a converter (strategy None) versions differ in nothing but their apiVersion. Whatever version an object is shown
 * in, and whatever version it is written in, it loses the fields which that version's schema does not have.
 */
export function unconverted({ group, own, storage, known }: StoredFormOptions): StoredForm {
  return {
    verbatim: own.name === storage.name,
    read(value) {
      const object: unknown = JSON.parse(value.toString())
      if (!isObject(object)) throw new UnreadableError('the stored value is no object')
      checkVersion(group, known, object)
      const shown = own.type.coerce({ ...object, apiVersion: `${group}/${own.name}` })
      own.default(shown)
      return shown
    },
    write(object) {
      if (own.name === storage.name) return storage.form.encode(object)
      return storage.form.encode(storage.type.coerce({ ...object, apiVersion: `${group}/${storage.name}` }))
    }
  }
}

function checkVersion(group: string, known: ReadonlySet<string>, { apiVersion }: JsonObject): void {
  const [itsGroup, version] = String(apiVersion).split('/')
  if (itsGroup !== group || version === undefined || !known.has(version))
    throw new UnreadableError(`request to convert CR from an invalid group/version: ${apiVersion}`)
}
