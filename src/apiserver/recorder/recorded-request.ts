/** What the recorder shows of a request. */
import type { ExpressionCost } from '../../apimachinery/cel/cost/node-costs.js'

/**
 * A step of admission that a request went through.
 *
 * @example
 * const changed = request.admission.filter(({ diff }: RecordedStep) => diff !== undefined)
 */
export interface RecordedStep {
  readonly kind: 'plugin' | 'policy' | 'webhook'
  readonly phase: 'admit' | 'validate'
  readonly name: string
  /** 0 for a plugin, 1 for the policies and webhooks that it asks. */
  readonly depth: number
  readonly milliseconds: number
  /** What the step changed in the object: a unified diff of JSON, without managedFields. */
  readonly diff?: string
  /** What a policy or webhook answered. */
  readonly answer?: string
  /** What the expressions of a policy cost, in CEL's units: 10,000,000 is the most. */
  readonly cost?: number
  /** What each expression of a policy cost, node by node: only in explanations (docs/explain.md). */
  readonly expressions?: readonly ExpressionCost[]
  /** Why the step refused the request, or failed. */
  readonly error?: string
}

/**
 * What a request wrote.
 *
 * @example
 * const text = ({ resource, name, diff }: RecordedWrite) => `${resource} ${name}\n${diff}`
 */
export interface RecordedWrite {
  /** The resource: `deployments.apps`. */
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly action: 'create' | 'update' | 'delete'
  readonly dryRun: boolean
  /** What the write changed: a unified diff of JSON, without managedFields. */
  readonly diff: string
}

/**
 * A request as the recorder keeps it. Tokens, credentials and the data of Secrets are not in it: a length stands in their place.
 *
 * @example
 * const slow = server.recorder?.requests().filter(({ milliseconds }: RecordedRequest) => milliseconds > 100)
 */
export interface RecordedRequest {
  /** The number of the request in this server, beginning with 1. */
  readonly number: number
  /** The Audit-Id of the answer, which audit events have, too. */
  readonly auditId: string
  /** When the request was received: RFC 3339, by the server's clock. */
  readonly time: string
  readonly method: string
  readonly url: string
  readonly verb: string
  /** The resource: `deployments.apps/status`; "" outside the resources. */
  readonly resource: string
  readonly namespace: string
  /** The name of the object; for a create, that of the written object. */
  readonly name: string
  /** Who sent the request; "" when nobody was authenticated. */
  readonly user: string
  readonly groups: readonly string[]
  /** The user that the sender impersonates. */
  readonly impersonated?: string
  readonly userAgent: string
  readonly authorization?: { readonly allowed: boolean; readonly reason: string; readonly error?: string }
  readonly admission: readonly RecordedStep[]
  readonly writes: readonly RecordedWrite[]
  readonly warnings: readonly string[]
  /** What rules of `server.faults` did to the request: `status 409`, `watch expire`, `storage timeout`, … */
  readonly faults: readonly string[]
  readonly status: number
  /** The message of the Status, if the answer was one. */
  readonly message?: string
  /** The time from the request to the end of its answer; for a watch that goes on, to its beginning. */
  readonly milliseconds: number
  /** Whether this is a watch or connection that has not ended yet. */
  readonly isOpen: boolean
  /** Milliseconds of each part in which the request waited for something: `authorization`, `mutating-webhook`, `etcd`, … */
  readonly parts: Readonly<Record<string, number>>
  /** The spans of the work, as a trace would have them. */
  readonly spans: readonly {
    readonly name: string
    readonly depth: number
    readonly milliseconds: number
    readonly error?: string
  }[]
}

/** A request in a list of many. */
export type RequestSummary = Pick<
  RecordedRequest,
  | 'number'
  | 'auditId'
  | 'time'
  | 'method'
  | 'url'
  | 'verb'
  | 'resource'
  | 'namespace'
  | 'name'
  | 'user'
  | 'impersonated'
  | 'userAgent'
  | 'status'
  | 'milliseconds'
  | 'isOpen'
>
