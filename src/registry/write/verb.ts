/** What a verb is to a write: the steps that it has. */
import type { Operation } from './operation.js'
import type { Admitted, Drafted, Encoded, Found, Identified, Missing, Outcome, Prepared, Start } from './steps/value.js'

/** The steps of a write between reading the present object and its end, in their order, which is kube-apiserver's. */
export interface Steps<S extends Start, Sent> {
  readonly draft: (write: S, sent: Sent) => Drafted<S> | Promise<Drafted<S>>
  /** Undefined for a change that is made in the version of the cache, of an object that has its defaults. */
  readonly convert: ((write: Drafted<S>) => Drafted<S>) | undefined
  readonly identify: (write: Drafted<S>) => Identified<S>
  /** Undefined where the draft has its managedFields already. */
  readonly track: ((write: Identified<S>) => Promise<void> | undefined) | undefined
  readonly admit: (write: Identified<S>) => Promise<Admitted<S>>
  readonly prepare: (write: Admitted<S>) => Promise<Prepared<S>>
  readonly validate: (write: Prepared<S>) => Promise<void>
  readonly admitAgain: (write: Prepared<S>) => Promise<void>
  readonly encode: (write: Prepared<S>) => Encoded<S>
  readonly commit: (write: Encoded<S>) => Promise<Outcome>
}

export interface Verb<Sent> {
  /** The steps for an object that is there. Undefined for a write that does not look for one. */
  readonly found: Steps<Found, Sent> | undefined
  /** The steps for an object that is not there. Undefined for a write that is refused then (404). */
  readonly missing: Steps<Missing, Sent> | undefined
  /** Whether this write of a missing object may create it. */
  readonly creates: (operation: Operation) => boolean
}
