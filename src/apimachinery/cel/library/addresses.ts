/** IP addresses and CIDRs. */
import { ForeignValue, goQuote } from '../../../util/go-format.js'
import {
  type Address,
  AddressError,
  formatAddress,
  isIPv4InIPv6,
  masked,
  type Prefix,
  parseAddress,
  parsePrefix,
  samePrefix
} from '../../../util/go-netip.js'
import { type CallCost, constant, traversal } from '../cost/call-cost.js'
import { add, fixed, scale, unknownSize } from '../cost/estimate-range.js'
import { perCharacter } from '../cost/rates.js'
import { actualSize } from '../cost/sizes.js'
import { type Implementation, type Library, overload } from '../declarations.js'
import { opaqueType } from '../types.js'
import { CelError, isError, noSuchOverload, ObjectValue, type Value } from '../values/value.js'

const ipType = opaqueType('net.IP')
const cidrType = opaqueType('net.CIDR')
const types = { IP: ipType, CIDR: cidrType }

class Ip extends ObjectValue {
  readonly type = ipType
  readonly address: Address
  constructor(address: Address) {
    super()
    this.address = address
  }

  override get size(): number {
    return this.address.bytes.length
  }

  override get foreign(): ForeignValue {
    const text = formatAddress(this.address)
    return new ForeignValue(text, text, 'netip.Addr')
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Ip && formatAddress(this.address) === formatAddress(other.address)
  }
}

class Cidr extends ObjectValue {
  readonly type = cidrType
  readonly prefix: Prefix
  constructor(prefix: Prefix) {
    super()
    this.prefix = prefix
  }

  override get size(): number {
    return Math.ceil(this.prefix.bits / 8)
  }

  override get foreign(): ForeignValue {
    const text = formatCidr(this)
    return new ForeignValue(text, text, 'netip.Prefix')
  }

  equals(other: ObjectValue): boolean {
    return other instanceof Cidr && formatCidr(this) === formatCidr(other)
  }
}

const formatCidr = ({ prefix }: Cidr) => `${formatAddress(prefix.address)}/${prefix.bits}`

function attempt<T extends Value>(run: () => T, context: string): T | CelError {
  try {
    return run()
  } catch (error) {
    if (error instanceof AddressError) return new CelError(context + error.message)
    throw error
  }
}

function ip(text: string): Ip | CelError {
  const parsed = attempt(
    () => new Ip(parseAddress(text)),
    `IP Address ${goQuote(text)} parse error during conversion from string: `
  )
  if (isError(parsed)) return parsed
  if (parsed.address.zone !== '') return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`)
  if (isIPv4InIPv6(parsed.address)) return new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
  return parsed
}

const conversion = 'network address parse error during conversion from string: '

function cidr(text: string): Cidr | CelError {
  const parsed = attempt(() => new Cidr(parsePrefix(text)), conversion + conversion)
  if (isError(parsed)) return parsed
  if (isIPv4InIPv6(parsed.prefix.address))
    return new CelError(`${conversion}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
  return parsed
}

function isCanonical(text: string): Value {
  const parsed = ip(text)
  return isError(parsed) ? parsed : formatAddress(parsed.address) === text
}

function containsIp({ prefix }: Cidr, other: Ip | string): Value {
  const parsed = typeof other === 'string' ? ip(other) : other
  // an invalid address counts as an argument of the wrong type; an invalid CIDR does not
  if (isError(parsed)) return noSuchOverload
  return samePrefix(prefix.address, parsed.address, prefix.bits)
}

function containsCidr({ prefix }: Cidr, other: Cidr | string): Value {
  const parsed = typeof other === 'string' ? cidr(other) : other
  if (isError(parsed)) return parsed
  return prefix.bits <= parsed.prefix.bits && samePrefix(prefix.address, parsed.prefix.address, prefix.bits)
}

const first16 = (bytes: readonly number[]) => (bytes[0]! << 8) | bytes[1]!

const is = {
  unspecified: ({ bytes }: Address) => bytes.every(b => b === 0),
  loopback: ({ bytes }: Address) => (bytes.length === 4 ? bytes[0] === 127 : bytes.every((b, i) => b === (i === 15 ? 1 : 0))),
  linkLocalMulticast: ({ bytes }: Address) =>
    bytes.length === 4 ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0 : (first16(bytes) & 0xff0f) === 0xff02,
  linkLocalUnicast: ({ bytes }: Address) =>
    bytes.length === 4 ? bytes[0] === 169 && bytes[1] === 254 : (first16(bytes) & 0xffc0) === 0xfe80,
  multicast: ({ bytes }: Address) => (bytes.length === 4 ? (bytes[0]! & 0xf0) === 0xe0 : bytes[0] === 255),
  globalUnicast: (address: Address) =>
    !(address.bytes.length === 4 && address.bytes.every(b => b === 255)) &&
    !is.unspecified(address) &&
    !is.loopback(address) &&
    !is.multicast(address) &&
    !is.linkLocalUnicast(address)
}

/** The cost of comparing the bytes of two addresses. A CIDR is masked first, and a text is also parsed. */
function containmentCost(isCidr: boolean, isText: boolean): CallCost {
  const address = { min: 4, max: 16 }
  return {
    estimate: ([, other]) => {
      let cost = scale(add(address, address), perCharacter)
      if (isCidr) cost = add(cost, scale(address, perCharacter), fixed(1))
      return { cost: isText ? add(cost, scale(other?.size ?? unknownSize, perCharacter)) : cost }
    },
    actual: ([range, other]) => {
      const size = actualSize(range!)
      let cost = Math.ceil(2 * size * perCharacter)
      if (isCidr) cost += Math.ceil(size * perCharacter) + 1
      return isText ? cost + Math.ceil(actualSize(other!) * perCharacter) : cost
    },
    byName: true
  }
}

const parses = { types, cost: traversal(0) }
const reads = { types, cost: constant(1) }
const test = (id: string, holds: (address: Address) => boolean) => [
  overload(id, 'IP.() -> bool', ((a: Ip) => holds(a.address)) as Implementation, reads)
]

export const addresses: Library = {
  types: [ipType, cidrType],
  functions: {
    ip: [
      overload('string_to_ip', 'string -> IP', ip, parses),
      overload('cidr_ip', 'CIDR.() -> IP', ({ prefix }: Cidr) => new Ip(prefix.address), reads)
    ],
    isIP: [overload('is_ip', 'string -> bool', (text: string) => !isError(ip(text)), parses)],
    'ip.isCanonical': [overload('ip_is_canonical', 'string -> bool', isCanonical, { types, cost: traversal(0, { times: 2 }) })],
    family: [overload('ip_family', 'IP.() -> int', ({ address }: Ip) => (address.bytes.length === 4 ? 4n : 6n), reads)],
    isUnspecified: test('ip_is_unspecified', is.unspecified),
    isLoopback: test('ip_is_loopback', is.loopback),
    isLinkLocalMulticast: test('ip_is_link_local_multicast', is.linkLocalMulticast),
    isLinkLocalUnicast: test('ip_is_link_local_unicast', is.linkLocalUnicast),
    isGlobalUnicast: test('ip_is_global_unicast', is.globalUnicast),
    cidr: [overload('string_to_cidr', 'string -> CIDR', cidr, parses)],
    isCIDR: [overload('is_cidr', 'string -> bool', (text: string) => !isError(cidr(text)), parses)],
    containsIP: [
      overload('cidr_contains_ip_string', 'CIDR.(string) -> bool', containsIp, { types, cost: containmentCost(false, true) }),
      overload('cidr_contains_ip_ip', 'CIDR.(IP) -> bool', containsIp, { types, cost: containmentCost(false, false) })
    ],
    containsCIDR: [
      overload('cidr_contains_cidr_string', 'CIDR.(string) -> bool', containsCidr, { types, cost: containmentCost(true, true) }),
      overload('cidr_contains_cidr', 'CIDR.(CIDR) -> bool', containsCidr, { types, cost: containmentCost(true, false) })
    ],
    prefixLength: [overload('cidr_prefix_length', 'CIDR.() -> int', ({ prefix }: Cidr) => BigInt(prefix.bits), reads)],
    masked: [
      overload(
        'cidr_masked',
        'CIDR.() -> CIDR',
        ({ prefix }: Cidr) => new Cidr({ address: masked(prefix), bits: prefix.bits }),
        reads
      )
    ],
    string: [
      overload('ip_to_string', 'IP -> string', ({ address }: Ip) => formatAddress(address), { types }),
      overload('cidr_to_string', 'CIDR -> string', formatCidr, { types })
    ]
  }
}
