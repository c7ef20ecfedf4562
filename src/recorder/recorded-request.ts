/** What the recorder shows of a request. */

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
  /** What the step changed of the object: a unified diff of JSON, without managedFields. */
  readonly diff?: string
  /** What a policy or webhook answered. */
  readonly answer?: string
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
  /** `deployments.apps` */
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly action: 'create' | 'update' | 'delete'
  readonly dryRun: boolean
  /** From the object before to the object after: a unified diff of JSON, without managedFields. */
  readonly diff: string
}

/**
 * A request as the recorder keeps it. Tokens, credentials and the data of Secrets are not in it: a length stands in their place.
 *
 * @example
 * const slow = server.recorder?.requests().filter(({ milliseconds }: RecordedRequest) => milliseconds > 100)
 */
export interface RecordedRequest {
  /** Counts the requests of the server, from 1 on. */
  readonly number: number
  /** RFC 3339, by the server's clock. */
  readonly time: string
  readonly method: string
  readonly url: string
  readonly verb: string
  /** `deployments.apps/status`; "" outside the resources. */
  readonly resource: string
  readonly namespace: string
  /** Of a create, the name of the object that was written. */
  readonly name: string
  /** Who sent the request; "" when nobody was authenticated. */
  readonly user: string
  readonly groups: readonly string[]
  /** Whom the request acts as, by impersonation. */
  readonly impersonated?: string
  readonly userAgent: string
  readonly authorization?: { readonly allowed: boolean; readonly reason: string; readonly error?: string }
  readonly admission: readonly RecordedStep[]
  readonly writes: readonly RecordedWrite[]
  readonly warnings: readonly string[]
  /** What rules of `server.faults` did to it: `status 409`, `watch expire`, `storage timeout`, … */
  readonly faults: readonly string[]
  readonly status: number
  /** Of a Status. */
  readonly message?: string
  /** From the request to the end of its answer; of a watch that goes on, to its beginning. */
  readonly milliseconds: number
  /** A watch or connection that has not ended yet. */
  readonly isOpen: boolean
  /** Milliseconds of the parts that something was waited for: `authorization`, `mutating-webhook`, `etcd`, … */
  readonly parts: Readonly<Record<string, number>>
  /** The spans of the work, as a trace would have them. */
  readonly spans: readonly {
    readonly name: string
    readonly depth: number
    readonly milliseconds: number
    readonly error?: string
  }[]
}
