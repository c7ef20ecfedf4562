/**
 * The user that a request comes from.
 *
 * @example
 * const user: UserInfo = { name: 'alice', groups: ['developers'], extra: { tenant: ['acme'] } }
 */
export interface UserInfo {
  readonly name: string
  readonly uid?: string | undefined
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

export const ANONYMOUS = 'system:anonymous'
export const AUTHENTICATED_GROUP = 'system:authenticated'
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated'
