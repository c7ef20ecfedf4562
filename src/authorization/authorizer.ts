/** May they? An authorizer allows, or has no opinion; the first that allows decides, and without one it is no. */
import type { UserInfo } from '../authentication/user.js'

export interface Attributes {
  readonly user: UserInfo
  readonly verb: string
  /** Set for resources; for other paths only `path` counts. */
  readonly isResourceRequest: boolean
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
}

export interface Decision {
  readonly allowed: boolean
  /** Why, for people; often empty. */
  readonly reason: string
}

export interface Authorizer {
  authorize(attributes: Attributes): Decision | undefined | Promise<Decision | undefined>
}

const denied: Decision = { allowed: false, reason: '' }

export function unionAuthorizer(authorizers: readonly Authorizer[]): { authorize(attributes: Attributes): Promise<Decision> | Decision } {
  return {
    authorize(attributes) {
      for (let i = 0; i < authorizers.length; i++) {
        const decision = authorizers[i]!.authorize(attributes)
        if (decision instanceof Promise) return decision.then(async d => (d?.allowed ? d : ((await unionAuthorizer(authorizers.slice(i + 1)).authorize(attributes)) ?? denied)))
        if (decision) return decision
      }
      return denied
    }
  }
}
