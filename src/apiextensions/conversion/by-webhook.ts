/** Reads, writes and compares the objects of a version whose definition has a conversion webhook. */
import { awaited, MissingVersionError, type VersionViews } from '../../apimachinery/fieldmanager/version-view.js'
import { type StoredForm, UnreadableError } from '../../registry/form/stored-form.js'
import { exactJson, parseExact } from '../../util/exact-json.js'
import { cloneJson, type JsonObject } from '../../util/json.js'
import { takingTurns } from '../../util/turns.js'
import type { DefinedVersion } from '../defined-version.js'
import type { ValueConverter } from './converted-store.js'
import { type DefinedVersions, readStored } from './none.js'
import type { Convert } from './webhook.js'

export interface WebhookVersions {
  readonly group: string
  readonly versions: DefinedVersions
  readonly convert: Convert
}

/** Converts values between the storage version and one version. A value of a version that was removed stays unchanged. */
export function valueConverter(
  { group, versions, convert }: WebhookVersions,
  own: DefinedVersion,
  storage: DefinedVersion
): ValueConverter {
  return {
    isCurrent: value => storage.isStoredForm(value),
    async read(values) {
      const out = [...values]
      const turn = takingTurns()
      const readable: { at: number; object: JsonObject }[] = []
      for (const [at, value] of values.entries()) {
        await turn()
        try {
          readable.push({ at, object: readStored(group, versions, value).object })
        } catch (error) {
          if (!(error instanceof UnreadableError)) throw error
        }
      }
      const shown = await convert(
        readable.map(({ object }) => object),
        `${group}/${own.name}`
      )
      for (const [i, { at }] of readable.entries()) {
        await turn()
        out[at] = own.form.encode(own.type.coerce(shown[i]!))
      }
      return out
    },
    async write(values) {
      const objects = values.map(value => parseExact(value.toString()) as JsonObject)
      const stored = await convert(objects, `${group}/${storage.name}`)
      return stored.map(object => storage.stored(storage.type.coerce(object)))
    }
  }
}

/**
 * Reads the values of a ConvertedStore. The webhook may make something else of an object than it made for the cache, unless the object is stored in
 * this version.
 */
export function converted(group: string, own: DefinedVersion, storage: DefinedVersion): StoredForm {
  return {
    verbatim: true,
    read(value) {
      const object = parseExact(value.toString()) as JsonObject
      if (object.apiVersion !== `${group}/${own.name}`)
        throw new UnreadableError(`request to convert CR from an invalid group/version: ${object.apiVersion}`)
      return object
    },
    // the store below knows, and will say so
    isCurrent: () => true,
    mayChange: own === storage ? object => object?.stale === true : () => true,
    write: object => own.form.encode(object)
  }
}

export function convertedViews({ group, versions, convert }: WebhookVersions, own: DefinedVersion): VersionViews {
  const inVersion = (object: JsonObject, target: DefinedVersion): JsonObject => {
    const apiVersion = `${group}/${target.name}`
    return cloneJson(awaited(`${apiVersion} ${exactJson(object)}`, async () => (await convert([object], apiVersion))[0]!))
  }
  return apiVersion => {
    const [itsGroup, name = ''] = apiVersion.split('/')
    const other = itsGroup === group ? versions.get(name) : undefined
    if (!other) throw new MissingVersionError(`request to convert CR to an invalid group/version: ${apiVersion}`)
    return { type: other.type, from: object => inVersion(object, other), back: object => inVersion(object, own) }
  }
}
