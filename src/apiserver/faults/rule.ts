/** The fields of a rule: which requests it concerns, and what goes wrong with them. */
import type { Status, StatusError } from '../../apimachinery/status/status.js'

/**
 * How a watch goes wrong once it has sent `afterEvents` events (bookmarks are not counted; 0 when left out). `expire`: an ERROR event with code 410,
 * then the end. `close`: the end. `stall`: nothing more comes, and the connection stays. `halfFrame`: half of the next event, then the connection is reset.
 *
 * @example
 * const fault: WatchFault = { afterEvents: 3, do: 'expire' }
 */
export interface WatchFault {
  readonly afterEvents?: number | undefined
  readonly do: 'expire' | 'close' | 'stall' | 'halfFrame'
}

/**
 * A rule of `server.faults`. The first fields say which requests it concerns: a field that is left out does not matter. The rest says what goes wrong
 * with them: one of `status`, `reset`, `cutAfter`, `watch`, `storage` and `webhook`, or a `delay`, which may also come with one of these but `watch`.
 *
 * @example
 * const rule: FaultRule = { verb: ['create', 'update', 'patch'], resource: 'pods', times: 1, status: 409 }
 */
export interface FaultRule {
  /** Kubernetes' verbs (`get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`); `*` for all. */
  readonly verb?: string | readonly string[] | undefined
  /**
   * `pods` (of any group), `deployments.apps` (of that group), `events.` (of the core group), `pods/status` (a subresource), `pods/*` (all of its
   * subresources); `*` for all of them. When left out, the rule concerns all resources, and no paths outside of them.
   */
  readonly resource?: string | readonly string[] | undefined
  /** A path outside the resources: `/readyz`; with a `*` at its end all that begin like that. */
  readonly path?: string | undefined
  /** The name of the object; for a create, the name in its body. */
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  /** The name of the user that the request acts as. Writes of the server's own controllers are concerned only by rules with their user. */
  readonly user?: string | undefined
  /** A part of the User-Agent header. */
  readonly userAgent?: string | undefined
  /** How many of the first matches the rule lets pass; 0. */
  readonly after?: number | undefined
  /** How many requests the rule concerns before it is used up; any number when left out. */
  readonly times?: number | undefined
  /** From 0 to 1: how likely the rule concerns a request that matches; 1. */
  readonly probability?: number | undefined
  /** Chooses the sequence of chances, which is the same in every run; 1. */
  readonly seed?: number | undefined
  /** Returns numbers from 0 to below 1 in place of the sequence of `seed`. */
  readonly random?: (() => number) | undefined

  /** Milliseconds by the server's clock to wait before anything else happens. */
  readonly delay?: number | undefined
  /** The request fails: with a code, for which the message is kube-apiserver's, or with a Status of your own. */
  readonly status?: number | Status | StatusError | undefined
  /** The connection is reset before the answer. */
  readonly reset?: true | undefined
  /** The connection is reset when the client has been sent so many bytes of the body. Bodies that are not longer pass. */
  readonly cutAfter?: number | undefined
  readonly watch?: WatchFault | undefined
  /**
   * The store fails a write of an object, or a read that asks for its present state, with the answer that kube-apiserver gives then, but at once.
   * `timeout`: etcd is gone or does not answer, and nothing is written. `lostAnswer`: the same for a write that etcd has done all the same.
   * `noQuorum`: etcd answers that it could not do it in time.
   */
  readonly storage?: 'timeout' | 'lostAnswer' | 'noQuorum' | undefined
  /**
   * A webhook is not there. The name of an admission webhook, of the CustomResourceDefinition that a webhook converts, of an authorizer
   * (of `--authorization-config`; `default` without one), or `authentication`, `audit` or `image-policy`; `*` for all.
   */
  readonly webhook?: string | undefined
  /** For `webhook`: nothing listens, no answer comes until the call's timeout, or the answer has this status code. */
  readonly error?: 'refused' | 'timeout' | number | undefined
}

/**
 * What a fault did to one request.
 *
 * @example
 * const text = ({ user, verb, resource, action }: FaultHit) => `${user} ${verb} ${resource}: ${action}`
 */
export interface FaultHit {
  /** Milliseconds since 1970, by the server's clock. */
  readonly time: number
  readonly user: string
  readonly verb: string
  /** `deployments.apps/status`, or the path of a request outside the resources; "" where the call of a webhook is for no request. */
  readonly resource: string
  readonly namespace: string
  readonly name: string
  /** `status 409`, `delay 100 ms`, `watch expire`, `webhook hooks.example.com refused`, … */
  readonly action: string
}

/**
 * A rule at work.
 *
 * @example
 * const fault = server.faults.add({ resource: 'pods', verb: 'create', times: 1, status: 409 })
 * await fault.done
 * console.log(fault.hits[0]?.user)
 */
export interface Fault {
  /** What the rule has done, the oldest first; the last 1,000 times. */
  readonly hits: readonly FaultHit[]
  /** How often it has done something. */
  readonly count: number
  /** Resolves when the rule has acted as many `times` as it says. */
  readonly done: Promise<void>
  /** Ends the rule. Requests that it has already chosen go wrong nevertheless. */
  remove(): void
}
