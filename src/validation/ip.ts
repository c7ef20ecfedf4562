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

/** The same for CIDRs; one with bits behind its prefix may mean the network or the address. */
export function cidrWarnings(text: string, path: Path): string[] {
  const quoted = (value: string) => JSON.stringify(value)
  if (!isCIDR(text)) return []
  const [address = '', bits = ''] = text.split('/')
  const ip = canonicalIP(address)!
  const network = networkOf(ip, Number(bits))
  if (network !== ip) {
    const choice = `should be ${quoted(`${network}/${Number(bits)}`)} or ${quoted(`${ip}/${ip.includes(':') ? 128 : 32}`)}?`
    return [`${path}: CIDR value ${quoted(text)} is ambiguous in this context (${choice})`]
  }
  const canonical = `${ip}/${Number(bits)}`
  if (!ip.includes(':') || canonical === text) return []
  return [`${path}: IPv6 CIDR value ${quoted(text)} should be in RFC 5952 canonical format (${quoted(canonical)})`]
}

/** The first address of the network that an address is in. */
function networkOf(ip: string, bits: number): string {
  if (!ip.includes(':')) {
    const value = ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    const network = bits === 0 ? 0 : Math.floor(value / 2 ** (32 - bits)) * 2 ** (32 - bits)
    return [24, 16, 8, 0].map(shift => Math.floor(network / 2 ** shift) % 256).join('.')
  }
  const [head = '', tail] = ip.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const groups = [...left, ...Array<string>(tail === undefined ? 0 : 8 - left.length - right.length).fill('0'), ...right]
  const kept = groups.map((group, i) => {
    const own = Math.min(Math.max(bits - i * 16, 0), 16)
    return (Number.parseInt(group, 16) & (0xffff << (16 - own)) & 0xffff).toString(16)
  })
  return canonicalIP(kept.join(':'))!
}

/** The one way in which Kubernetes writes an address: IPv6 in lower case and shortened. Undefined for what is none. */
export function canonicalIP(text: string): string | undefined {
  if (!isIP(text)) return undefined
  return isIPv4(text) ? text : new URL(`http://[${text}]`).hostname.slice(1, -1)
}
