/** Validates IP addresses and CIDRs in objects. */

import { isIPv4, isIPv6 } from 'node:net'
import { goQuote } from '../../util/go-format.js'
import {
  type Address,
  formatAddress,
  isIPv4InIPv6,
  masked,
  type Prefix,
  parseAddress,
  parsePrefix,
  samePrefix
} from '../../util/go-netip.js'
import type { FieldErrors, Path } from './field.js'

/** Refuses leading zeros, which some readers take for octal, and zones. */
const isStrictIP = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'))

/** Longer than any address, and short enough for a regular expression that looks ahead from each position. */
const longest = 1000

/** Removes leading zeros from the numbers of an IPv4 address, including one at the end of an IPv6 address, and from the groups of the latter. */
function withoutLeadingZeros(text: string): string {
  if (text.length > longest) return text
  const decimal = text.includes('.') ? text.replace(/(^|[.:])0+(?=\d+(?:\.|$))/g, '$1') : text
  return decimal.includes(':') ? decimal.replace(/(^|:)0+(?=[\da-fA-F]+(?::|$))/g, '$1') : decimal
}

const isMapped = (text: string) => isIPv4InIPv6(parseAddress(text))

/** Accepts the addresses that Kubernetes has always accepted: numbers may have leading zeros. */
export const isIP = (text: string): boolean => isStrictIP(text) || isStrictIP(withoutLeadingZeros(text))

/** Parses what `isIP` accepts. An IPv4 address that is mapped into IPv6 is an IPv4 address, as for Go's net.IP. */
function sloppyIP(text: string): Address {
  const address = parseAddress(isStrictIP(text) ? text : withoutLeadingZeros(text))
  return isIPv4InIPv6(address) ? { bytes: address.bytes.slice(12), zone: '' } : address
}

/** Returns the canonical text of an address: 2001:DB8:0::1 becomes 2001:db8::1. Other texts stay as they are. */
export const canonicalIP = (text: string): string => (isIP(text) ? formatAddress(sloppyIP(text)) : text)

/** The family of a valid address or CIDR. */
export function ipFamily(text: string): 'IPv4' | 'IPv6' {
  if (!text.includes(':')) return 'IPv4'
  const address = text.split('/')[0]!
  return /ffff/i.test(address) && isIP(address) && sloppyIP(address).bytes.length === 4 ? 'IPv4' : 'IPv6'
}

const ipErrors = (text: string, strict: boolean): string | undefined => {
  if (isStrictIP(text)) return strict && isMapped(text) ? 'must not be an IPv4-mapped IPv6 address' : undefined
  if (isStrictIP(withoutLeadingZeros(text))) return strict ? 'must not have leading 0s' : undefined
  return 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
}

const none: ReadonlySet<string> = new Set()
const isStrict = (errors: FieldErrors) => errors.enabled('StrictIPCIDRValidation')

/** Validates an address, and returns whether it is valid. Values that the old object has (`known`) are accepted. */
export function validateIP(text: string, path: Path, errors: FieldErrors, known: ReadonlySet<string> = none): boolean {
  const wrong = known.has(text) ? undefined : ipErrors(text, isStrict(errors))
  if (wrong) errors.invalid(path, text, wrong)
  return wrong === undefined
}

/** Returns the errors of an address that must be canonical. */
export function isCanonicalIP(text: string): string[] {
  const wrong = ipErrors(text, true)
  if (wrong) return [wrong]
  const canonical = formatAddress(parseAddress(text))
  return canonical === text ? [] : [`must be in canonical form (${goQuote(canonical)})`]
}

/** Warns about an accepted address that should be written differently. */
export function ipWarnings(text: string, path: Path): string[] {
  const plain = withoutLeadingZeros(text)
  if (!isStrictIP(plain)) return []
  const address = parseAddress(plain)
  if (!isStrictIP(text) || isIPv4InIPv6(address)) {
    const preferred = isIPv4InIPv6(address) ? address.bytes.slice(12).join('.') : formatAddress(address)
    return [`${path}: non-standard IP address ${goQuote(text)} is invalid: use ${goQuote(preferred)}`]
  }
  const canonical = formatAddress(address)
  if (canonical === text) return []
  return [`${path}: IPv6 address ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(canonical)})`]
}

function isStrictCIDR(text: string): boolean {
  const slash = text.lastIndexOf('/')
  if (slash < 0) return false
  const address = text.slice(0, slash)
  const bits = text.slice(slash + 1)
  return isStrictIP(address) && /^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32)
}

/** Parses a CIDR whose numbers may have leading zeros. */
function looseCIDR(text: string): string | undefined {
  // a list may have a hundred thousand
  if (isStrictCIDR(text) && !/\/0./.test(text)) return text
  const [address = '', bits = '', ...more] = text.split('/')
  const plain = `${withoutLeadingZeros(address)}/${bits.replace(/^0+(?=\d)/, '')}`
  return more.length === 0 && isStrictCIDR(plain) ? plain : undefined
}

/** Accepts the CIDRs that Kubernetes has always accepted: numbers may have leading zeros. */
export const isCIDR = (text: string): boolean => looseCIDR(text) !== undefined

const startOf = (prefix: Prefix) => formatAddress(masked(prefix))

const cidrErrors = (text: string, strict: boolean): string | undefined => {
  const plain = looseCIDR(text)
  if (plain === undefined) return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
  if (!strict) return undefined
  if (plain !== text) return 'must not have leading 0s in IP or prefix length'
  const prefix = parsePrefix(text)
  if (isIPv4InIPv6(prefix.address)) return 'must not have an IPv4-mapped IPv6 address'
  return startOf(prefix) === formatAddress(prefix.address) ? undefined : 'must not have bits set beyond the prefix length'
}

/** Validates a CIDR. Values that the old object has (`known`) are accepted. */
export function validateCIDR(text: string, path: Path, errors: FieldErrors, known: ReadonlySet<string> = none): void {
  const wrong = known.has(text) ? undefined : cidrErrors(text, isStrict(errors))
  if (wrong) errors.invalid(path, text, wrong)
}

/** Validates a CIDR that must be canonical. */
export function validateCanonicalCIDR(text: string, path: Path, errors: FieldErrors): void {
  const wrong = cidrErrors(text, true)
  if (wrong) {
    errors.invalid(path, text, wrong)
    return
  }
  const prefix = parsePrefix(text)
  const canonical = `${startOf(prefix)}/${prefix.bits}`
  if (canonical !== text) errors.invalid(path, text, `must be in canonical form (${goQuote(canonical)})`)
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
  const canonical = `${mapped ? address.bytes.slice(12).join('.') : formatAddress(address)}/${mapped && bits > 32 ? bits - 96 : bits}`
  if (canonical !== text) errors.invalid(path, text, `must be in canonical form (${goQuote(canonical)})`)
}

/** Warns about an accepted CIDR that should be written differently. */
export function cidrWarnings(text: string, path: Path): string[] {
  const plain = looseCIDR(text)
  if (plain === undefined) return []
  const prefix = parsePrefix(plain)
  const network = unmapped({ address: masked(prefix), bits: prefix.bits })
  const subnet = `${formatAddress(network.address)}/${network.bits}`
  const warnings: string[] = []
  if (startOf(prefix) !== formatAddress(prefix.address)) {
    const single = `${canonicalIP(formatAddress(prefix.address))}/${prefix.address.bytes.length * 8}`
    warnings.push(
      `${path}: CIDR value ${goQuote(text)} is ambiguous in this context (should be ${goQuote(subnet)} or ${goQuote(single)}?)`
    )
  }
  if (plain !== text || isIPv4InIPv6(prefix.address))
    warnings.push(`${path}: non-standard CIDR value ${goQuote(text)} is invalid: use ${goQuote(subnet)}`)
  else if (warnings.length === 0 && subnet !== text)
    warnings.push(`${path}: IPv6 CIDR value ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(subnet)})`)
  return warnings
}

/** Returns an IPv4 prefix that is mapped into IPv6 as one of IPv4, as Go's net.IPNet counts it. */
function unmapped({ address, bits }: Prefix): Prefix {
  if (!isIPv4InIPv6(address)) return { address, bits }
  return { address: { bytes: address.bytes.slice(12), zone: '' }, bits: bits - 96 }
}

/** Returns whether the CIDR `outer` contains another one that is smaller. Both are CIDRs for `isCIDR`. */
export function containedIn(outer: string): (inner: string) => boolean {
  const wide = parsePrefix(looseCIDR(outer)!)
  const network = unmapped({ address: masked(wide), bits: wide.bits })
  return inner => {
    const narrow = parsePrefix(looseCIDR(inner)!)
    // the lengths are compared as they are written, the addresses as IPv4 where they are mapped
    if (wide.bits >= narrow.bits) return false
    return samePrefix(network.address, unmapped({ address: masked(narrow), bits: narrow.bits }).address, network.bits)
  }
}

/** Refuses addresses of the host itself, link-local addresses and link-local multicast. `ip` is an address for `isIP`. */
export function validateEndpointIP(ip: string, path: Path, errors: FieldErrors): void {
  const { bytes } = sloppyIP(ip)
  const [first = 0, second = 0, third = 0] = bytes
  const is4 = bytes.length === 4
  if (bytes.every(byte => byte === 0)) errors.invalid(path, ip, `may not be unspecified (${ip})`)
  if (is4 ? first === 127 : bytes[15] === 1 && bytes.slice(0, 15).every(byte => byte === 0))
    errors.invalid(path, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)')
  if (is4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80)
    errors.invalid(path, ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)')
  if (is4 ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 2)
    errors.invalid(path, ip, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')
}
