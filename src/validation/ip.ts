/** IP addresses and CIDRs in objects. */
import { isIPv4, isIPv6 } from 'node:net'
import type { FieldErrors, Path } from './field.js'

/** Kubernetes' lenient parser takes leading zeros in IPv4 and IPv4-mapped IPv6, but no zones. */
export const isIP = (text: string): boolean => isIPv4(withoutZeros(text)) || (isIPv6(text) && !text.includes('%'))

export const ipFamily = (text: string): 'IPv4' | 'IPv6' => (text.includes(':') && !/^::ffff:/i.test(text) ? 'IPv6' : 'IPv4')

const withoutZeros = (text: string) => (/^\d{1,15}(\.\d{1,15}){3}$/.test(text) ? text.split('.').map(Number).join('.') : text)

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
