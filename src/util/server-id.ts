/** The name that an API server gives itself on its machine, as kube-apiserver does. */
import { createHash } from 'node:crypto'

export const component = 'kube-apiserver'

/** A hash of the machine's name and the program's, each after its length in two bytes. */
export function serverId(hostName: string): string {
  const hash = createHash('sha256')
  for (const text of [hostName, component]) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(Buffer.byteLength(text))
    hash.update(length).update(text)
  }
  return `apiserver-${base32(hash.digest().subarray(0, 16))}`
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.match(/.{1,5}/g)!.reduce((text, five) => text + letters[Number.parseInt(five.padEnd(5, '0'), 2)], '')
}
