/** Writes Protobuf messages of any fields, and breaks some of them. */
import { pick, type Random } from './random.js'

/** A field of a message: its number, and an integer, bytes or fields. */
export type Field = readonly [number, number | bigint | string | Buffer | readonly Field[]]

function varint(given: number | bigint): Buffer {
  let value = BigInt.asUintN(64, BigInt(given))
  const bytes: number[] = []
  for (; value >= 0x80n; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(value)])
}

export const message = (fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number' || typeof value === 'bigint') return [varint(number << 3), varint(value)]
      const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.isBuffer(value) ? value : message(value)
      return [varint((number << 3) | 2), varint(bytes.length), bytes]
    })
  )

/** Returns the bytes of a message, which one time in three are cut, changed or followed by others. */
export function broken(next: Random, bytes: Buffer): Buffer {
  switch (next(8)) {
    case 0:
      return bytes.subarray(0, next(bytes.length + 1))
    case 1: {
      const other = Buffer.from(bytes)
      for (let i = 0; i < 1 + next(5) && other.length > 0; i++) other[next(other.length)] = next(256)
      return other
    }
    case 2:
      return Buffer.concat([
        bytes,
        pick(next, [Buffer.alloc(20, 0xff), Buffer.from([0x0b, 0x0b, 0x0b]), Buffer.from([0x07]), bytes])
      ])
    default:
      return bytes
  }
}
