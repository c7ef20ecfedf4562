/** Reads and writes stored custom resources, which are JSON or CBOR in the definition's storage version, without a conversion webhook. */
import { MissingVersionError, type VersionView } from '../../apimachinery/fieldmanager/version-view.js'
import { parseStored } from '../../apimachinery/formats/cbor/stored.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { type StoredForm, UnreadableError } from '../../registry/form/stored-form.js'
import { isObject, type JsonObject } from '../../util/json.js'
import type { DefinedVersion } from '../defined-version.js'

/** The versions of one definition, served or not, by name. */
export type DefinedVersions = ReadonlyMap<string, DefinedVersion>

/**
 * With the conversion strategy None, versions differ only in their apiVersion. Reading or writing an object in a version drops
 * the fields that the version's schema does not have. The defaults are those of the version in which the object is stored.
 */
export function unconverted(group: string, own: DefinedVersion, storage: DefinedVersion, versions: DefinedVersions): StoredForm {
  /** Objects of which the store has more than this version. */
  const partial = new WeakSet<object>()
  return {
    verbatim: own === storage,
    read(value) {
      const { object, version } = readStored(group, versions, value)
      if (own === version) return object
      const { object: shown, isPartial } = own.type.coerced({ ...object, apiVersion: `${group}/${own.name}` })
      if (isPartial) partial.add(shown)
      return shown
    },
    isCurrent: (value, object) => storage.isStoredForm(value) && !(object && partial.has(object)),
    write: object => storage.stored(own === storage ? object : inVersion(object, group, storage))
  }
}

/**
 * Reads a stored value in the version in which it is stored. Throws an UnreadableError when the definition lacks that version, or
 * adds too much.
 */
export function readStored(
  group: string,
  versions: DefinedVersions,
  value: Buffer
): { object: JsonObject; version: DefinedVersion } {
  const document = parseStored(value)
  if (!isObject(document)) throw new UnreadableError('the stored value is no object')
  const version = storedVersion(group, versions, document)
  const object = version.type.fromStore(document)
  try {
    version.schema.default(object as any, { isStored: true })
  } catch (error) {
    // the definition has larger defaults by now
    throw error instanceof StatusError ? new UnreadableError(error.message) : error
  }
  return { object, version }
}

function inVersion(object: JsonObject, group: string, { name, type }: DefinedVersion): JsonObject {
  return type.coerce({ ...object, apiVersion: `${group}/${name}` })
}

function storedVersion(group: string, versions: DefinedVersions, { apiVersion }: JsonObject): DefinedVersion {
  const [itsGroup, name = ''] = String(apiVersion).split('/')
  const version = itsGroup === group ? versions.get(name) : undefined
  if (!version) throw new UnreadableError(`request to convert CR from an invalid group/version: ${apiVersion}`)
  return version
}

/**
 * Converts the objects of one version of a definition to the other versions and back. No field is dropped: one that the other
 * version lacks makes the conversion fail, as in kube-apiserver.
 */
export function unconvertedView(
  group: string,
  own: DefinedVersion,
  versions: DefinedVersions
): (apiVersion: string) => VersionView {
  return apiVersion => {
    const [itsGroup, name = ''] = apiVersion.split('/')
    const other = itsGroup === group ? versions.get(name) : undefined
    if (!other) throw new MissingVersionError(`request to convert CR to an invalid group/version: ${apiVersion}`)
    return {
      type: other.type,
      from: object => ({ ...object, apiVersion: `${group}/${other.name}` }),
      back: object => ({ ...object, apiVersion: `${group}/${own.name}` })
    }
  }
}
