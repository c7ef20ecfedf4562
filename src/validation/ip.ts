/** IP addresses and CIDRs in objects. */
import { isIPv4, isIPv6 } from 'node:net'
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
