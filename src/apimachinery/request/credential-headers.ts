/**
 * Headers that say who the client is. They were meant for this server, and no other server gets them from a client: an extension API server
 * or a peer believes the front proxy's headers, because they come over a connection that shows the front proxy's certificate.
 */

/** The names of an authenticating proxy's headers, in any case (the flags --requestheader-*). */
export interface IdentityHeaders {
  readonly usernameHeaders: readonly string[]
  readonly uidHeaders: readonly string[]
  readonly groupHeaders: readonly string[]
  /** The beginnings of headers whose rest is the key of an extra value. */
  readonly extraHeaderPrefixes: readonly string[]
}

/** Says of a name in lower case whether its header is a credential. */
export type IsCredential = (name: string) => boolean

/** CGI, WSGI and their like read a header with underscores as the one with hyphens. */
const asRead = (name: string): string => name.trim().toLowerCase().replaceAll('_', '-')

/** Also withholds the headers by which this server itself knows the users of its authenticating proxy: other servers are told their names. */
export function credentialHeaders(...given: readonly IdentityHeaders[]): IsCredential {
  const all = [standard, ...given]
  const names = new Set(
    ['authorization', ...all.flatMap(one => [...one.usernameHeaders, ...one.uidHeaders, ...one.groupHeaders])].map(asRead)
  )
  const prefixes = ['impersonate-', ...all.flatMap(one => one.extraHeaderPrefixes)].map(asRead).filter(prefix => prefix !== '')
  return given => {
    const name = asRead(given)
    return names.has(name) || prefixes.some(prefix => name.startsWith(prefix))
  }
}

const standard: IdentityHeaders = {
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-']
}

/** Those of a server without an authenticating proxy. */
export const isCredential: IsCredential = credentialHeaders()
