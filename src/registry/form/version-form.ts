/**
 * The stored form of a built-in kind whose storage version is not the version of its cache: an older release that shares the store does
 * not know the newer version yet (KEP-4330). Objects are encoded twice, so this is for the few kinds that have just become stable.
 */

import { parseExact } from '../../util/exact-json.js'
import { cloneJson } from '../../util/json.js'
import { ObjectForm } from './encode.js'
import type { StoredForm } from './stored-form.js'
import { ownForm, type StoredResource } from './stored-value.js'

/** `version` is one of the kind's versions. */
export function versionForm(resource: StoredResource, version: string, now: () => number): StoredForm {
  const { kind } = resource
  const stored = new ObjectForm(kind.kind, resource.apiVersion(version))
  const convert = kind.versions.find(({ name }) => name === version)?.fromStorage
  return {
    read: value => parseExact(ownForm(resource, value, now()).toString()),
    isCurrent: value => stored.isOwn(value),
    write: object => stored.encode(convert ? convert(cloneJson(object)) : object),
    verbatim: false
  }
}
