/** IP addresses and CIDRs in objects. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { FieldErrors, Path } from './field.js'

/** Leading zeros, which some read as octal, and zones are not taken. */
export const isIP = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'))

export const ipFamily = (text: string): 'IPv4' | 'IPv6' => (text.includes(':') ? 'IPv6' : 'IPv4')

export function validateIP(text: string, path: Path, errors: FieldErrors): void {
  if (!isIP(text)) errors.invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')
}

export function isCIDR(text: string): boolean {
  const slash = text.lastIndexOf('/')
  if (slash < 0) return false
  const address = text.slice(0, slash)
  const bits = text.slice(slash + 1)
  return isIP(address) && /^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32)
}

export function validateCIDR(text: string, path: Path, errors: FieldErrors): void {
  if (!isCIDR(text)) errors.invalid(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')
}

/** Whether one valid CIDR holds another that is smaller. */
export function containsCIDR(outer: string, inner: string): boolean {
  const [address, bits] = outer.split('/') as [string, string]
  const [innerAddress, innerBits] = inner.split('/') as [string, string]
  if (ipFamily(address) !== ipFamily(innerAddress) || Number(innerBits) <= Number(bits)) return false
  const family = ipFamily(address) === 'IPv6' ? 'ipv6' : 'ipv4'
  const range = new BlockList()
  range.addSubnet(address, Number(bits), family)
  return range.check(innerAddress, family)
}

/** Valid, but not written as everyone writes it. */
export function ipWarnings(text: string, path: Path): string[] {
  const canonical = canonicalIP(text)
  if (canonical === undefined || canonical === text) return []
  return [`${path}: IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`]
}

/** The one way in which Kubernetes writes an address: IPv6 in lower case and shortened. Undefined for what is none. */
export function canonicalIP(text: string): string | undefined {
  if (!isIP(text)) return undefined
  return isIPv4(text) ? text : new URL(`http://[${text}]`).hostname.slice(1, -1)
}
