/** The bearer token of an Authorization header, or a warning to the client when the token is ignored. */
export interface BearerToken {
  readonly token?: string | undefined
  readonly warning?: string | undefined
}

/**
 * Reads an Authorization header as kube-apiserver does: other schemes and a missing token count as no credentials; words after
 * the token are ignored; a token after two spaces is ignored with a warning.
 */
export const parseBearerToken = (authorization: string | undefined): BearerToken => {
  if (authorization === undefined) return {}
  const [scheme, token] = authorization.trim().split(' ', 2)
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined) return {}
  if (token !== '') return { token }
  return { warning: 'the provided Authorization header contains extra space before the bearer token, and is ignored' }
}
