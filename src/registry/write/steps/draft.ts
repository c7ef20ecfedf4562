/** Makes the object that the client wants: the sent one, the present one with its changes, or with an applied configuration. */

import { emptyObject } from '../../../apimachinery/fieldmanager/empty-object.js'
import { ViewError, withViews } from '../../../apimachinery/fieldmanager/version-view.js'
import { cloneDecoded } from '../../../apimachinery/schema/decode.js'
import { plainError } from '../../../apimachinery/status/status.js'
import { cloneJson, type JsonObject } from '../../../util/json.js'
import type { AnyObject } from '../../kind.js'
import { appliedTo, objectText } from '../apply.js'
import type { Operation } from '../operation.js'
import type { Draft, Drafted, Found, Missing, Start } from './value.js'

/** The whole object, decoded in the version of the operation. */
export interface SentObject {
  readonly object: AnyObject
}

/** Changes of the present object in the version of the operation. */
export interface SentPatch<T = any> {
  /** Called again after a lost race. Must not change its argument. */
  patch(live: T): Patched | Promise<Patched>
}

export interface Patched {
  readonly object: AnyObject
  /** A patch may have made an object of another version of its kind. */
  readonly version: string
  readonly unconverted?: Draft['unconverted']
}

/** A configuration for server-side apply. */
export interface SentConfiguration {
  readonly config: JsonObject
  readonly force: boolean
  /** Refuses what the configuration has made of the object, in the version of the operation. */
  check?(object: AnyObject, isNew: boolean): void
}

/** A change that is made in the version of the cache. */
export interface SentChange<T = any> {
  /** Called again after a lost race. Must not change its argument. */
  change(old: T): T
}

export const sentNew = (start: Missing, { object }: SentObject): Drafted<Missing> => drafted(start, object)

/** Every attempt changes the object, so each gets a copy. */
export const sent = (start: Found, { object }: SentObject): Drafted<Found> => drafted(start, cloneDecoded(object))

function drafted<S extends Start>(start: S, object: AnyObject): Drafted<S> {
  return Object.assign(start, { object, version: start.operation.version, isSame: false })
}

export function patched(start: Found, { patch }: SentPatch): Drafted<Found> | Promise<Drafted<Found>> {
  const made = patch(live(start))
  const finish = (draft: Patched): Drafted<Found> => Object.assign(start, draft, { isSame: false })
  return made instanceof Promise ? made.then(finish) : finish(made)
}

export const changed = (start: Found, { change }: SentChange): Drafted<Found> =>
  Object.assign(start, { object: change(start.old), version: undefined, isSame: false })

/** Returns the present object in the version of the operation. */
function live({ operation: { resource, version }, old }: Found): AnyObject {
  return version === resource.memoryVersion.name ? old : resource.inVersion(cloneJson(old), version)
}

export async function applied(start: Found, sent: SentConfiguration): Promise<Drafted<Found>> {
  return Object.assign(start, await application(start, sent, live(start), start.old))
}

export async function appliedNew(start: Missing, sent: SentConfiguration): Promise<Drafted<Missing>> {
  return Object.assign(start, await application(start, sent, nothing(start.operation)))
}

/** An object of the kind with nothing in it. */
function nothing({ resource, version }: Operation): AnyObject {
  return { kind: resource.kind.kind, apiVersion: resource.apiVersion(version), ...emptyObject(resource.type(version)) }
}

async function application(
  { operation, isLarge }: Start,
  { config, force, check }: SentConfiguration,
  from: AnyObject,
  stored?: AnyObject
): Promise<Draft> {
  const isNew = stored === undefined
  const unconverted = (why: string) => plainError(`failed to convert to unversioned (${objectText(config)}): ${why}`)
  try {
    const draft = await withViews(
      () => appliedTo(operation, from, config, force, object => check?.(object, isNew), stored),
      isLarge
    )
    return { ...draft, unconverted }
  } catch (error) {
    throw error instanceof ViewError ? plainError(error.message) : error
  }
}
