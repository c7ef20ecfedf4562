/** How a program that embeds the server declares its reconcilers. */

import type { OwnKind } from '../../apiextensions/own-kind.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import type { KindRef, KubeClient } from '../../client/types.js'
import type { Logger } from '../../util/logger.js'

/**
 * Brings the objects of a kind to what they ask for: in the server, for the option `reconcilers`.
 *
 * @example
 * const rooms: Reconciler<Course> = {
 *   for: course,
 *   owns: [kindRef('v1', 'ConfigMap')],
 *   async reconcile(object, { client }) {
 *     await client.of('v1', 'ConfigMap').apply(roomOf(object))
 *   }
 * }
 */
export interface Reconciler<T extends KubeObject = any> {
  /** Names its queue in metrics and in the log; the kind in lower case. */
  readonly name?: string | undefined
  /** The kind that is reconciled: a change of an object makes its reconciler run. The kind need not be defined yet. */
  readonly for: OwnKind<T> | KindRef<T>
  /** Kinds whose changes make the reconciler run for the owner: the object in `ownerReferences` with `controller: true`. */
  readonly owns?: readonly (OwnKind | KindRef)[] | undefined
  /**
   * The user of the reconciler's client; `system:reconciler:NAME`, a member of system:masters. Give it groups of your own to try
   * its roles.
   */
  readonly user?: (Omit<UserInfo, 'groups'> & { readonly groups?: readonly string[] | undefined }) | undefined
  /** How many objects are reconciled at the same time; 1. No object is reconciled twice at the same time. */
  readonly workers?: number | undefined
  /**
   * Called with the present state of an object that exists. Runs again after the milliseconds that it returns as `requeueAfter`, by the
   * server's clock, or after a growing delay (50 ms to 30 s) when it rejects.
   */
  reconcile(object: T, context: ReconcileContext): Promise<ReconcileResult> | ReconcileResult
}

/**
 * When to reconcile an object again; only after its next change, when left out.
 *
 * @example
 * const inAMinute: ReconcileResult = { requeueAfter: 60_000 }
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most reconcilers return nothing
export type ReconcileResult = { readonly requeueAfter?: number | undefined } | undefined | void

/**
 * What a reconciler works with.
 *
 * @example
 * const report = ({ client, log }: ReconcileContext) => log.info('seen')
 */
export interface ReconcileContext {
  /** A client that acts as the reconciler's user. */
  readonly client: KubeClient
  /** Aborts when the server stops. The server waits for reconcilers that still run. */
  readonly signal: AbortSignal
  readonly log: Logger
}

/**
 * Declares a reconciler. Returns its argument: it exists for the type of the objects.
 *
 * @example
 * const scaler = defineReconciler({
 *   for: kindRef('apps/v1', 'Deployment'),
 *   async reconcile({ metadata, spec }, { client }) {
 *     if (spec.replicas === 0) await client.of('apps/v1', 'Deployment').delete({ metadata })
 *   }
 * })
 * const server = createServer({ reconcilers: [scaler] })
 */
export function defineReconciler<T extends KubeObject>(reconciler: Reconciler<T>): Reconciler<T> {
  return reconciler
}
