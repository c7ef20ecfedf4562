import { AddressError, parseAddress } from '../../util/go-netip.js'

/** Returns the 4 or 16 bytes of an IP address; undefined for other text. Zones (`fe80::1%eth0`) are not accepted. */
export function ipAddressBytes(text: string): Buffer | undefined {
  // most names are recognised here, without making an error for each
  if (!/^[0-9a-fA-F:.]+$/.test(text)) return undefined
  try {
    const { bytes, zone } = parseAddress(text)
    return zone === '' ? Buffer.from(bytes) : undefined
  } catch (error) {
    if (error instanceof AddressError) return undefined
    throw error
  }
}

/** Formats the bytes of an address; IPv6 without shortening. */
const ipAddressText = (bytes: Buffer): string =>
  bytes.length === 4 ? bytes.join('.') : Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16)).join(':')

/**
 * Returns the first usable address of a CIDR (`10.0.0.0/24` → `10.0.0.1`), which the Service `kubernetes` gets. Undefined when
 * the text is not a CIDR, or the CIDR is too small.
 */
export const firstAddress = (cidr: string): string | undefined => {
  const [address, prefix, ...rest] = cidr.split('/')
  const bytes = ipAddressBytes(address!)
  if (!bytes || !prefix || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return undefined
  const bits = Number(prefix)
  if (bits > bytes.length * 8 - 1) return undefined
  for (const i of bytes.keys()) bytes[i]! &= 0xff00 >> Math.max(0, Math.min(8, bits - i * 8))
  bytes[bytes.length - 1]! |= 1
  return ipAddressText(bytes)
}
