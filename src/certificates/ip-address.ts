import { isIPv4, isIPv6 } from 'node:net'

/** Returns the 4 or 16 bytes of an IP address; undefined for other text. Zones (`fe80::1%eth0`) are not accepted. */
export const ipAddressBytes = (text: string): Buffer | undefined => {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number))
  if (!isIPv6(text) || text.includes('%')) return undefined
  // The last 32 bits may be in IPv4 notation.
  const hex = text.replace(/\d+\.\d+\.\d+\.\d+$/, v4 =>
    Buffer.from(v4.split('.').map(Number))
      .toString('hex')
      .replace(/^(....)/, '$1:')
  )
  const [head, tail] = hex.split('::').map(half =>
    half
      .split(':')
      .filter(Boolean)
      .map(group => parseInt(group, 16))
  )
  const missing = tail ? 8 - head!.length - tail.length : 0
  const bytes = Buffer.alloc(16)
  const groups = [...head!, ...new Array<number>(missing).fill(0), ...(tail ?? [])]
  groups.forEach((group, i) => {
    bytes.writeUInt16BE(group, i * 2)
  })
  return bytes
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
