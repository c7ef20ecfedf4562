/** The URLs of servers and proxies that options and kubeconfigs name. */
import { UserError } from '../../util/user-error.js'

/** Throws a UserError that begins with `what`. */
export function serverUrl(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new UserError(`${what} must be a URL like https://127.0.0.1:6443, not ${JSON.stringify(text)}`)
  return url
}

/** Throws a UserError that begins with `what`. */
export function proxyUrl(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^(https?|socks5h?):$/.test(url.protocol))
    throw new UserError(`${what} must be a URL that begins with http://, https:// or socks5://, not ${JSON.stringify(text)}`)
  return url
}
