/** What an Authorization header says: a bearer token, nothing, or nothing but with a hint to the client. */
export interface BearerToken {
  readonly token?: string | undefined
  readonly warning?: string | undefined
}

/**
 * Reads an Authorization header as kube-apiserver does: other schemes and a missing token count as no credentials; what
 * follows the first word of the token is ignored; a second space before it hides it.
 */
export const parseBearerToken = (authorization: string | undefined): BearerToken => {
  if (authorization === undefined) return {}
  const [scheme, token, rest] = authorization.trim().split(' ', 3)
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined) return {}
  if (token !== '') return { token }
  return rest === undefined
    ? {}
    : { warning: 'the provided Authorization header contains extra space before the bearer token, and is ignored' }
}
