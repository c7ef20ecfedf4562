/**
 * Gathers what is known of one request while it is served. Audit, metrics, tracing and the log read this one record. Everything in
 * it is a reference to what the request has made anyway, so that a record that nobody reads costs nothing.
 */
import type { UserInfo } from './user.js'

/**
 * The resource or path that a request turned out to be for. No part of it is what a client has made up, so it may label
 * metrics.
 */
export interface RequestRoute {
  readonly group: string
  readonly version: string
  readonly resource: string
  /** A subresource's name; of a path outside the resources the path. */
  readonly subresource: string
}

export interface AuthenticationDecision {
  readonly authenticated: boolean
  /** The reasons why the credentials show nobody; "" when they show somebody. */
  readonly reason: string
}

export interface AuthorizationDecision {
  readonly allowed: boolean
  /** Why, for people; often empty. */
  readonly reason: string
  /** What went wrong while it was decided. A request that is not allowed has then failed with status 500. */
  readonly error?: string | undefined
}

/** The parts of a request whose time kube-apiserver tells apart in audit annotations (`apiserver.latency.k8s.io/…`). */
export type RequestPart =
  | 'authentication'
  | 'impersonation'
  | 'authorization'
  | 'apf-queue-wait'
  | 'mutating-webhook'
  | 'validating-webhook'
  | 'etcd'

/** The objects of a write, in the storage version. */
export interface RequestObjects {
  /** The object as it was stored before the request; undefined for a creation. */
  readonly before: unknown
  /** The object as it is stored now, or would be; undefined for a deletion. */
  readonly after: unknown
}

export class RequestRecord {
  readonly auditId: string
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  /** Who sent the request. */
  requester: UserInfo | undefined
  /** Whom the sender acts as, with the permission to impersonate. */
  impersonated: UserInfo | undefined
  /** undefined for requests that come from inside the process. */
  authentication: AuthenticationDecision | undefined
  authorization: AuthorizationDecision | undefined
  /** Set as soon as there is an endpoint for the request. */
  route: RequestRoute | undefined
  /** The body as it was sent, of requests that have one; a PATCH's body is the patch. */
  body: Buffer | undefined
  objects: RequestObjects | undefined
  /** What was thrown that is no answer: a bug, or a store that fails. */
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
    const add = () => {
      this.#milliseconds ??= new Map()
      this.#milliseconds.set(part, (this.#milliseconds.get(part) ?? 0) + performance.now() - began)
    }
    work.then(add, add)
    return work
  }
}

const noAnnotations: ReadonlyMap<string, string> = new Map()
const noTimes: ReadonlyMap<RequestPart, number> = new Map()
