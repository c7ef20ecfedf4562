/** Validates IP addresses and CIDRs in objects. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { formatAddress, isIPv4InIPv6, masked, type Prefix, parseAddress, parsePrefix } from '../util/go-netip.js'
import type { FieldErrors, Path } from './field.js'

/** Refuses leading zeros, which some readers take for octal, and zones. */
export const isIP = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'))

export const ipFamily = (text: string): 'IPv4' | 'IPv6' => (text.includes(':') ? 'IPv6' : 'IPv4')

/** Longer than any address, and short enough for a regular expression that looks ahead from each position. */
const longest = 1000

/** Removes leading zeros from the numbers of an IPv4 address, including one at the end of an IPv6 address. */
const withoutLeadingZeros = (text: string) =>
  text.length > longest ? text : text.replace(/(^|[.:])0+(?=\d+(?:\.|$))/g, text.includes('.') ? '$1' : '$&')

const isMapped = (text: string) => isIPv4InIPv6(parseAddress(text))

const ipErrors = (text: string): string | undefined => {
  if (isIP(text)) return isMapped(text) ? 'must not be an IPv4-mapped IPv6 address' : undefined
  if (isIP(withoutLeadingZeros(text))) return 'must not have leading 0s'
  return 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
}

const none: ReadonlySet<string> = new Set()

/** Validates an address. Values that the old object has (`known`) are accepted. */
export function validateIP(text: string, path: Path, errors: FieldErrors, known: ReadonlySet<string> = none): void {
  const wrong = known.has(text) ? undefined : ipErrors(text)
  if (wrong) errors.invalid(path, text, wrong)
}

/** Returns the errors of an address. */
export function isUsableIP(text: string): string[] {
  const wrong = ipErrors(text)
  return wrong ? [wrong] : []
}

/** Returns the errors of an address that must be canonical. */
export function isCanonicalIP(text: string): string[] {
  const wrong = ipErrors(text)
  if (wrong) return [wrong]
  const canonical = formatAddress(parseAddress(text))
  return canonical === text ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`]
}

/** Warns about an accepted address that should be written differently. */
export function ipWarnings(text: string, path: Path): string[] {
  const plain = withoutLeadingZeros(text)
  if (!isIP(plain)) return []
  const address = parseAddress(plain)
  if (!isIP(text) || isIPv4InIPv6(address)) {
    const preferred = isIPv4InIPv6(address) ? address.bytes.slice(12).join('.') : formatAddress(address)
    return [`${path}: non-standard IP address ${JSON.stringify(text)} is invalid: use ${JSON.stringify(preferred)}`]
  }
  const canonical = formatAddress(address)
  if (canonical === text) return []
  return [`${path}: IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`]
}

export function isCIDR(text: string): boolean {
  const slash = text.lastIndexOf('/')
  if (slash < 0) return false
  const address = text.slice(0, slash)
  const bits = text.slice(slash + 1)
  return isIP(address) && /^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32)
}

/** Parses a CIDR whose numbers may have leading zeros. */
function looseCIDR(text: string): string | undefined {
  const [address = '', bits = '', ...more] = text.split('/')
  const plain = `${withoutLeadingZeros(address)}/${bits.replace(/^0+(?=\d)/, '')}`
  return more.length === 0 && isCIDR(plain) ? plain : undefined
}

const startOf = (prefix: Prefix) => formatAddress(masked(prefix))

const cidrErrors = (text: string): string | undefined => {
  const plain = looseCIDR(text)
  if (plain === undefined) return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
  if (plain !== text) return 'must not have leading 0s in IP or prefix length'
  const prefix = parsePrefix(text)
  if (isIPv4InIPv6(prefix.address)) return 'must not have an IPv4-mapped IPv6 address'
  return startOf(prefix) === formatAddress(prefix.address) ? undefined : 'must not have bits set beyond the prefix length'
}

/** Validates a CIDR. Values that the old object has (`known`) are accepted. */
export function validateCIDR(text: string, path: Path, errors: FieldErrors, known: ReadonlySet<string> = none): void {
  const wrong = known.has(text) ? undefined : cidrErrors(text)
  if (wrong) errors.invalid(path, text, wrong)
}

/** Validates a CIDR that must be canonical. */
export function validateCanonicalCIDR(text: string, path: Path, errors: FieldErrors): void {
  const wrong = cidrErrors(text)
  if (wrong) {
    errors.invalid(path, text, wrong)
    return
  }
  const prefix = parsePrefix(text)
  const canonical = `${startOf(prefix)}/${prefix.bits}`
  if (canonical !== text) errors.invalid(path, text, `must be in canonical form (${JSON.stringify(canonical)})`)
}

/** Validates an address with the prefix length of its network: "192.168.1.5/24". */
export function validateInterfaceAddress(text: string, path: Path, errors: FieldErrors): void {
  const plain = looseCIDR(text)
  if (plain === undefined) {
    errors.invalid(path, text, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')
    return
  }
  const { address, bits } = parsePrefix(plain)
  const mapped = isIPv4InIPv6(address)
  const canonical = `${mapped ? address.bytes.slice(12).join('.') : formatAddress(address)}/${mapped ? Math.max(bits - 96, 0) : bits}`
  if (canonical !== text) errors.invalid(path, text, `must be in canonical form (${JSON.stringify(canonical)})`)
}

/** Warns about an accepted CIDR that should be written differently. */
export function cidrWarnings(text: string, path: Path): string[] {
  const plain = looseCIDR(text)
  if (plain === undefined) return []
  const prefix = parsePrefix(plain)
  const subnet = `${startOf(prefix)}/${prefix.bits}`
  const warnings: string[] = []
  if (startOf(prefix) !== formatAddress(prefix.address)) {
    const single = `${formatAddress(prefix.address)}/${prefix.address.bytes.length * 8}`
    warnings.push(
      `${path}: CIDR value ${JSON.stringify(text)} is ambiguous in this context (should be ${JSON.stringify(subnet)} or ${JSON.stringify(single)}?)`
    )
  }
  if (plain !== text)
    warnings.push(`${path}: non-standard CIDR value ${JSON.stringify(text)} is invalid: use ${JSON.stringify(subnet)}`)
  else if (warnings.length === 0 && subnet !== text)
    warnings.push(
      `${path}: IPv6 CIDR value ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(subnet)})`
    )
  return warnings
}

/** Whether a valid CIDR contains another one that is smaller. */
export function containsCIDR(outer: string, inner: string): boolean {
  const [address, bits] = outer.split('/') as [string, string]
  const [innerAddress, innerBits] = inner.split('/') as [string, string]
  if (ipFamily(address) !== ipFamily(innerAddress) || Number(innerBits) <= Number(bits)) return false
  const family = ipFamily(address) === 'IPv6' ? 'ipv6' : 'ipv4'
  const range = new BlockList()
  range.addSubnet(address, Number(bits), family)
  return range.check(innerAddress, family)
}
