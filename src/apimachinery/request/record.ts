/**
 * Gathers what is known of one request while it is served. Metrics, audit, the log and the flight recorder read this one record. Everything in
 * it is a reference to what the request has made anyway, so that a record that nobody reads costs nothing.
 */
import type { RequestSteps } from './steps.js'
import type { UserInfo } from './user.js'

/**
 * The resource or path that a request turned out to be for. No part of it is what a client has made up, so it may label
 * metrics.
 */
export interface RequestRoute {
  readonly group: string
  readonly version: string
  readonly resource: string
  /** The name of the subresource; for a path outside the resources, the path. */
  readonly subresource: string
}

export interface AuthenticationDecision {
  readonly authenticated: boolean
  /** Why the credentials do not authenticate anybody; "" when they do. */
  readonly reason: string
}

export interface AuthorizationDecision {
  readonly allowed: boolean
  /** Why, for people; often empty. */
  readonly reason: string
  /** What went wrong while it was decided. A request that is not allowed has then failed with status 500. */
  readonly error?: string | undefined
}

/** The parts of a request whose times kube-apiserver reports in audit annotations (`apiserver.latency.k8s.io/…`). */
export type RequestPart =
  | 'authentication'
  | 'impersonation'
  | 'authorization'
  | 'apf-queue-wait'
  | 'mutating-webhook'
  | 'validating-webhook'
  | 'etcd'

/** How much of a request its audit event contains, in ascending order. `apiserver/audit/policy.ts` decides. */
export const AuditLevel = { None: 0, Metadata: 1, Request: 2, RequestResponse: 3 } as const
export type AuditLevel = (typeof AuditLevel)[keyof typeof AuditLevel]

/** What an audit event says about the object in a request's body. */
export interface RequestedObject {
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

export class RequestRecord {
  readonly auditId: string
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  /** Who sent the request. */
  requester: UserInfo | undefined
  /** The user that the sender impersonates. */
  impersonated: UserInfo | undefined
  /** The verb of the constrained permission that allowed to act as another user; "" for the verb `impersonate`. */
  impersonationConstraint = ''
  /** Undefined for requests that come from inside the process. */
  authentication: AuthenticationDecision | undefined
  authorization: AuthorizationDecision | undefined
  /** The route; set as soon as there is an endpoint for the request. */
  route: RequestRoute | undefined
  /** Whether the audit policy has been asked. */
  hasAuditDecision = false
  /** What is recorded for audit alone is recorded only from its level on. */
  auditLevel: AuditLevel = AuditLevel.None
  /** Whether audit leaves out the managed fields of objects. */
  omitsManagedFields = false
  /** The object that the body holds, as it was sent, before the server sets its own fields. At Metadata and above. */
  requestedObject: RequestedObject | undefined
  /** The object of the body as JSON in the version that was sent, with defaults; a patch as it was sent. At Request and above. */
  requestJson: string | undefined
  /** The answer as JSON, where its object is not at hand. At RequestResponse. */
  responseJson: string | undefined
  /** Why the event of this request cannot be written. */
  unwritable: string | undefined
  /** Set for a deprecated version: the release that will not have it, or "". */
  removedRelease: string | undefined
  /** Bytes of the body, when it has been read. */
  bodyBytes: number | undefined
  /** Whether the request was not answered in time. */
  timedOut = false
  /** Whether the proxy to extension API servers has answered an error itself, without asking one of them. */
  refusedByProxy = false
  /** Whether the server has cut off its answer. */
  aborted = false
  /** Takes what the recorder keeps besides; undefined where nothing is recorded. */
  steps: RequestSteps | undefined
  /** What was thrown because of a bug. */
  failure: unknown
  #annotations: Map<string, string> | undefined
  #milliseconds: Map<RequestPart, number> | undefined

  constructor(auditId: string, receivedAt: number) {
    this.auditId = auditId
    this.receivedAt = receivedAt
  }

  /** Annotations of the audit event, by key. */
  get annotations(): ReadonlyMap<string, string> {
    return this.#annotations ?? noAnnotations
  }

  /** Keeps the object of the body for audit, as far as the request's level asks for it. Encodes it only then. */
  request(metadata: Partial<RequestedObject> | undefined, json: () => string): void {
    if (this.auditLevel === AuditLevel.None) return
    if (metadata) {
      const { namespace, name, uid, resourceVersion } = metadata
      this.requestedObject = { namespace, name, uid, resourceVersion }
    }
    if (this.auditLevel >= AuditLevel.Request) this.requestJson = json()
  }

  /** Adds an annotation. The first value of a key stays, as in kube-apiserver. */
  annotate(key: string, value: string): void {
    this.#annotations ??= new Map()
    if (!this.#annotations.has(key)) this.#annotations.set(key, value)
  }

  /** Milliseconds that parts of the request have taken, where something was waited for. */
  get milliseconds(): ReadonlyMap<RequestPart, number> {
    return this.#milliseconds ?? noTimes
  }

  /** Adds the time from now until `work` is settled to a part. Returns `work`. */
  time<T>(part: RequestPart, work: Promise<T>): Promise<T> {
    const began = performance.now()
    const add = () => this.addTime(part, performance.now() - began)
    work.then(add, add)
    return work
  }

  addTime(part: RequestPart, milliseconds: number): void {
    this.#milliseconds ??= new Map()
    this.#milliseconds.set(part, (this.#milliseconds.get(part) ?? 0) + milliseconds)
  }
}

const noAnnotations: ReadonlyMap<string, string> = new Map()
const noTimes: ReadonlyMap<RequestPart, number> = new Map()
