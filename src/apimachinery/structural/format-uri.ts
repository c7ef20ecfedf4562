/** Whether Go's url.ParseRequestURI accepts a text: an absolute URI, or an absolute path. */
import { isIPv6 } from 'node:net'

export function isUri(text: string): boolean {
  if (text === '' || /[^ -~\u0080-\u{10ffff}]/u.test(text)) return false
  if (text === '*') return true
  const scheme = schemeOf(text)
  if (scheme === undefined) return false
  const rest = text.slice(scheme === '' ? 0 : scheme.length + 1).split('?')[0]!
  // "mailto:a@b" is opaque: its rest is not checked
  if (!rest.startsWith('/')) return scheme !== ''
  if (scheme === '' || !rest.startsWith('//')) return isEscaped(rest)
  const slash = rest.indexOf('/', 2)
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash)
  return isAuthority(authority, scheme) && (slash < 0 || isEscaped(rest.slice(slash)))
}

/** Returns the scheme; empty if there is none, undefined if the text begins with a colon. */
function schemeOf(text: string): string | undefined {
  if (text.startsWith(':')) return undefined
  return /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? ''
}

/** Whether every % begins an escape. */
function isEscaped(text: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(text)
}

function isAuthority(authority: string, scheme: string): boolean {
  const at = authority.lastIndexOf('@')
  const user = authority.slice(0, Math.max(at, 0))
  return /^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/.test(user) && isEscaped(user) && isHost(authority.slice(at + 1), scheme)
}

function isHost(host: string, scheme: string): boolean {
  const bracket = host.lastIndexOf('[')
  if (bracket > 0) return false
  if (bracket === 0) {
    const close = host.lastIndexOf(']')
    return close > 0 && isPort(host.slice(close + 1)) && isIpLiteral(host.slice(1, close))
  }
  // other schemes may have a list of hosts
  const colon = /^https?$/i.test(scheme) ? host.indexOf(':') : host.lastIndexOf(':')
  return (colon < 0 || isPort(host.slice(colon))) && isHostText(host)
}

const isPort = (text: string) => /^(?::[0-9]*)?$/.test(text)

/** Only characters beyond ASCII and the percent sign may be escaped. */
function isHostText(host: string): boolean {
  return /^(?:[-A-Za-z0-9_.~!$&'()*+,;=:[\]<>"]|[^ -~]|%25|%[89a-fA-F][0-9a-fA-F])*$/.test(host)
}

/** Whether the text is an IPv6 address, in which a zone may follow "%25". */
function isIpLiteral(text: string): boolean {
  const zone = text.indexOf('%25')
  if (zone < 0) return isHostText(text) && isIPv6(text)
  const name = text.slice(zone + 3)
  // escapes are allowed for the characters of a host, and for spaces
  const plain = name.replace(/%([2-7][0-9a-fA-F])/g, (code, hex) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16))
    return code === '%25' || char === ' ' || isHostText(char) ? '' : code
  })
  return isIPv6(text.slice(0, zone)) && name !== '' && !plain.includes('%') && isHostText(plain)
}
