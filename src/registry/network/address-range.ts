/** A CIDR of addresses for Services. */
import { ipAddressBytes } from '../../transport/certificates/ip-address.js'
import type { IPFamily } from './service-network.js'

/**
 * Returns the size of the lower part of a range, which is kept for Services that ask for a certain value, as long as the rest has
 * room.
 */
export function staticBand(size: number, divisor: number, most: number): number {
  return size < 32 ? 0 : Math.min(most, Math.max(16, Math.floor(size / divisor)))
}

export class AddressRange {
  readonly family: IPFamily
  /** The network's own address: 10.0.0.0 of 10.0.0.7/24. */
  readonly network: string
  /** The range with the network's own address: 10.0.0.7/24 is 10.0.0.0/24. */
  readonly cidr: string
  readonly hostBits: number
  readonly #bytes: number
  readonly #base: bigint
  readonly #size: bigint
  #next: bigint

  private constructor(base: Buffer, hostBits: number) {
    this.hostBits = hostBits
    this.family = base.length === 4 ? 'IPv4' : 'IPv6'
    this.#bytes = base.length
    const bits = BigInt(hostBits)
    this.#base = (BigInt(`0x${base.toString('hex')}`) >> bits) << bits
    this.#size = 1n << bits
    this.network = this.address(0n)
    this.cidr = `${this.network}/${base.length * 8 - hostBits}`
    const usable = Number(this.#size < 4096n ? this.#size : 4096n)
    this.#next = BigInt(1 + staticBand(usable, 16, 256))
  }

  /** Returns undefined for text that is not a CIDR, and for a CIDR of one address. */
  static parse(cidr: string): AddressRange | undefined {
    const [address = '', prefix = ''] = cidr.split('/')
    const bytes = ipAddressBytes(address)
    const hostBits = bytes && /^\d{1,3}$/.test(prefix) ? bytes.length * 8 - Number(prefix) : -1
    return bytes && hostBits >= 1 ? new AddressRange(bytes, hostBits) : undefined
  }

  address(offset: bigint): string {
    return formatAddress(this.#base + offset, this.#bytes)
  }

  /** The last offset in use: the network address and, in IPv4, the broadcast address are never allocated. */
  get #last(): bigint {
    return this.family === 'IPv4' ? this.#size - 2n : this.#size - 1n
  }

  /** The number of addresses that may be allocated. */
  get usable(): number {
    return Number(this.#last)
  }

  contains(address: string): boolean {
    const bytes = ipAddressBytes(address)
    if (!bytes || bytes.length !== this.#bytes) return false
    const offset = BigInt(`0x${bytes.toString('hex')}`) - this.#base
    return offset >= 1n && offset <= this.#last
  }

  nextFree(isFree: (address: string) => boolean): string | undefined {
    for (let tries = 0n; tries < this.#last; tries++) {
      const candidate = this.address(this.#next)
      this.#next = this.#next >= this.#last ? 1n : this.#next + 1n
      if (isFree(candidate)) return candidate
    }
    return undefined
  }
}

function formatAddress(value: bigint, bytes: number): string {
  const hex = value.toString(16).padStart(bytes * 2, '0')
  if (bytes === 4)
    return hex
      .match(/../g)!
      .map(b => parseInt(b, 16))
      .join('.')
  // URL hosts are written in the canonical form of RFC 5952
  return new URL(`http://[${hex.match(/..../g)!.join(':')}]/`).hostname.slice(1, -1)
}
