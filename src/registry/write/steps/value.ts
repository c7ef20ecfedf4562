/**
 * The value that travels through the steps of a write. Each step adds what those after it need: it is the same object all the way, with a
 * type for each stage. (Copies by spreading take Node 20 some ten microseconds each.)
 */
import type { StatusError } from '../../../apimachinery/status/status.js'
import type { CachedObject } from '../../../storage/cached-object.js'
import type { AnyObject } from '../../kind.js'
import type { Operation, Written } from '../operation.js'

interface Begun {
  readonly operation: Operation
  /** The name in the path; "" where there is none. */
  readonly name: string
  /** Others have turns between the steps, because the body or the present object is large. */
  readonly isLarge: boolean
}

/** A write of an object that does not exist yet. */
export interface Missing extends Begun {
  readonly old: undefined
  /** Throws when the user may not create. Left out where the request itself is a create. */
  readonly permit: (() => Promise<void>) | undefined
}

/** A write of an object that exists. */
export interface Found extends Begun {
  readonly current: CachedObject
  /** The present object as answers show it, in the version of the cache. */
  readonly shown: AnyObject
  /** The present object as updates start from it: with what no answer shows. */
  readonly old: AnyObject
}

export type Start = Missing | Found

/** What the client wants the object to be. */
export interface Draft {
  readonly object: AnyObject
  /** The version in which the object is; undefined for that of the cache. */
  readonly version: string | undefined
  /** Whether the object is the present one, which has its defaults. */
  readonly isSame: boolean
  /** Returns what the client is told about an Unconvertible; left out for a whole object. */
  readonly unconverted?: ((why: string) => StatusError) | undefined
}

export type Drafted<S extends Start> = S & Draft

/** The client's preconditions are known, and what only the server may set is gone. */
export type Identified<S extends Start> = Drafted<S> & {
  /** The resource version that the client has given. */
  readonly given: string | undefined
  /** Whether an object without a resource version is no unconditional update. */
  readonly mayLackVersion: boolean
}

/** Admission has changed the object, and the user may write what it has become. */
export type Admitted<S extends Start> = Identified<S>

/** The object as it would be stored. */
export type Prepared<S extends Start> = Admitted<S> & {
  /** How many names the server tries before it gives up because all were taken; undefined where it generates none. */
  readonly names: { left: number } | undefined
}

export type Encoded<S extends Start> = Prepared<S> & {
  /** Undefined for a new object, which is encoded once, in the form in which it is stored. */
  readonly encoded: Buffer | undefined
  /** Whether the object is being deleted, and nothing holds it any more: it is removed. */
  readonly isFinished: boolean
}

/** A finished write, or the step to which another write has sent this one back. */
export type Outcome = Written | 'present' | 'prepare' | 'validate'
