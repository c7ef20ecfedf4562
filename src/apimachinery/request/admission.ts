/**
 * Admission plugins as the program that embeds a server writes them. The server's own plugins see more than this
 * (`admission/admission.ts`); what stands here is published.
 */
import type { GroupResource } from '../status/status.js'
import type { UserInfo } from './user.js'

/**
 * What a request does to an object. `CONNECT` is exec, attach, port-forward and proxy.
 *
 * @example
 * const writes: AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE']
 */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/**
 * What admission plugins and the functions of a kind know of the request, and what they may add to its answer.
 *
 * @example
 * validate({ object, context: { user, warn } }) {
 *   if (!object.metadata.labels?.team) warn(`${user.name}: add the label team`)
 * }
 */
export interface OperationContext {
  /** When the request was received, in milliseconds since 1970. */
  readonly now: number
  /** The user whom the request counts for: with `kubectl --as`, the impersonated one. */
  readonly user: UserInfo
  /** "" for objects outside of namespaces. */
  readonly namespace: string
  /** The version that the client speaks: `v1`. */
  readonly version: string
  /** "" for the object itself. */
  readonly subresource: string
  /** True when nothing is stored (`?dryRun=All`). */
  readonly dryRun: boolean
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void
}

/**
 * A request as an admission plugin sees it.
 *
 * @example
 * admit({ operation, resource, object, oldObject, context }: AdmissionRequest) {
 *   if (operation === 'UPDATE' && oldObject.spec.owner !== object.spec.owner)
 *     throw forbidden(resource, object.metadata.name, `${context.user.name} cannot change the owner`)
 * }
 */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation
  /** Group and plural name: `{ group: 'apps', resource: 'deployments' }`; the core group is "". */
  readonly resource: GroupResource
  /** "" for the object itself. */
  readonly subresource: string
  /** "" for objects outside of namespaces; for a Namespace its own name. */
  readonly namespace: string
  /** "" while the name of a new object is still to be made from `generateName`. */
  readonly name: string
  /**
   * The object after the operation; undefined for a DELETE. A mutating plugin changes it in place. Objects come in the version in which
   * the server keeps them, whatever the client speaks: `object.apiVersion` names it. For a subresource with a kind of its own, such as
   * pods/binding or pods/eviction, it is an object of that kind. For `scale` it is the object that is scaled.
   */
  readonly object: any
  /** The object before the operation; undefined for a CREATE. */
  readonly oldObject: any
  readonly context: OperationContext
}

/**
 * An admission plugin: changes or refuses requests that passed authorization, before the object is stored. The fields
 * `operations`, `resources` and `subresources` say which requests it takes part in; the others cost nothing. What the server
 * and its controllers write by themselves passes through plugins, too: their users are system:apiserver and service accounts of
 * kube-system.
 *
 * @example
 * const teamLabel: AdmissionPlugin = {
 *   name: 'TeamLabel',
 *   operations: ['CREATE', 'UPDATE'],
 *   resources: ['pods', 'apps/deployments'],
 *   admit({ object }) {
 *     object.metadata.labels = { team: 'none', ...object.metadata.labels }
 *   },
 *   validate({ resource, name, object }) {
 *     if (object.metadata.labels.team === 'admin') throw forbidden(resource, name, 'the team admin has no workloads')
 *   }
 * }
 * const server = createServer({ admissionPlugins: [teamLabel] })
 */
export interface AdmissionPlugin {
  /** Identifies the plugin for people who read the list of plugins; nothing depends on it. */
  readonly name: string
  /** The operations that the plugin takes part in; all when left out. */
  readonly operations?: readonly AdmissionOperation[] | undefined
  /** The resources that it takes part in: `pods` in the core group, `apps/deployments` in others; all when left out. */
  readonly resources?: readonly string[] | undefined
  /**
   * The subresources that it takes part in, where "" is the object itself, or `*` for all of them and the object itself.
   * Only the object itself when left out, so a plugin for CONNECT has to name its subresources (`exec`, `proxy`).
   */
  readonly subresources?: readonly string[] | '*' | undefined
  /**
   * Changes `request.object`, or refuses the request by throwing a StatusError. Runs before the object is validated, and again
   * when an update lost a race or a webhook asks for reinvocation: changing an object twice must give the same object.
   */
  admit?(request: AdmissionRequest): void | Promise<void>
  /**
   * Refuses the request by throwing a StatusError. Changes nothing. Runs on the object as it would be stored, again after a
   * lost race.
   */
  validate?(request: AdmissionRequest): void | Promise<void>
}
