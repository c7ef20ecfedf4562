/** Decides about the text of alternative names. */
import { isIP } from 'node:net'
import { parseUrl } from '../../util/go-url.js'

/** Whether a text has the form of a domain name: non-empty labels of visible ASCII characters. So does the empty text. */
export const isDomain = (text: string): boolean => text === '' || /^[\x21-\x2d\x2f-\x7e]+(\.[\x21-\x2d\x2f-\x7e]+)*$/.test(text)

const unquoted = /^((?:[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.]|\\[\s\S])+)@/
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 2821 allows them between quotes
const quoted = /^"((?:[\x01-\x08\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7f]|\\[\x01-\x09\x0b\x0c\x0e-\x7f])*)"@/

/** The two parts of a mailbox (RFC 2821), the first without quotes; undefined when it is none. */
export function emailParts(text: string): { local: string; domain: string } | undefined {
  const isQuoted = text.startsWith('"')
  const match = (isQuoted ? quoted : unquoted).exec(text)
  if (!match) return undefined
  const local = match[1]!.replace(/\\([\s\S])/g, '$1')
  const domain = text.slice(match[0].length)
  if (!isDomain(domain) || (!isQuoted && /^\.|\.$|\.\./.test(local))) return undefined
  return { local, domain }
}

/**
 * Returns the host of a URI unchanged; empty when it has none, and undefined when the text is no URI or the host is malformed.
 */
export function uriHost(text: string): string | undefined {
  try {
    const { host } = parseUrl(text)
    return isDomain(host) ? host : undefined
  } catch {
    return undefined
  }
}

/** Returns the domain in a URI, in lower case; undefined when there is none, or when it is an address. */
export function uriDomain(text: string): string | undefined {
  const host = uriHost(text)?.toLowerCase().replace(/:\d*$/, '')
  return !host || isIP(host) || /[[\]:]/.test(host) ? undefined : host
}
