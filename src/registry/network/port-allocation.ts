/**
 * The allocated node ports in kube-apiserver's form: one bitmap in the store, at /registry/ranges/servicenodeports. All servers
 * that share the store use it, kube-apiserver included.
 */
import { decodeMessage } from '../../apimachinery/formats/protobuf/decode.js'
import { encodeMessage } from '../../apimachinery/formats/protobuf/encode.js'
import { unwrap, wrap } from '../../apimachinery/formats/protobuf/envelope.js'
import { messageType, scalarType } from '../../apimachinery/formats/protobuf/message-type.js'
import { loadSchema } from '../../apimachinery/schema/load.js'

/** v1.RangeAllocation, which is not served. The range is "30000-32767"; the last bit of the data is the range's first port. */
const rangeAllocation = messageType('RangeAllocation', {
  metadata: { number: 1, type: loadSchema().type('meta.v1.ObjectMeta') },
  range: { number: 2, type: scalarType('string') },
  data: { number: 3, type: scalarType('bytes') }
})

interface Allocation {
  readonly metadata: object
  readonly range: string
  readonly bits: bigint
}

const known = new WeakMap<Buffer, Allocation>()

function read(value: Buffer): Allocation {
  let allocation = known.get(value)
  if (!allocation) known.set(value, (allocation = parse(value)))
  return allocation
}

function parse(value: Buffer): Allocation {
  const { metadata = {}, range = '', data = '' } = decodeMessage(rangeAllocation, unwrap(value).message) as Record<string, any>
  const hex = Buffer.from(data, 'base64').toString('hex')
  return { metadata, range, bits: hex === '' ? 0n : BigInt(`0x${hex}`) }
}

const bitOf = (range: string, port: number): bigint | undefined => {
  const offset = port - Number(range.split('-')[0])
  return offset >= 0 ? 1n << BigInt(offset) : undefined
}

export function isAllocated(value: Buffer, port: number): boolean {
  const { range, bits } = read(value)
  const bit = bitOf(range, port)
  return bit !== undefined && (bits & bit) !== 0n
}

/** Returns all allocated ports. */
export function allocatedPorts(value: Buffer): number[] {
  const { range, bits } = read(value)
  const [from, to] = range.split('-').map(Number) as [number, number]
  const ports: number[] = []
  for (let port = from; port <= to; port++) if ((bits >> BigInt(port - from)) & 1n) ports.push(port)
  return ports
}

/** Returns the allocation with ports added and removed. */
export function reallocated(value: Buffer, gained: readonly number[], lost: readonly number[]): Buffer {
  const { metadata, range, bits } = read(value)
  return write({ metadata, range, bits: (bits | mask(range, gained)) & ~mask(range, lost) })
}

/** Makes the first allocation of a range such as "30000-32767". */
export const newAllocation = (range: string, ports: readonly number[]): Buffer =>
  write({ metadata: {}, range, bits: mask(range, ports) })

const mask = (range: string, ports: readonly number[]) => ports.reduce((sum, port) => sum | (bitOf(range, port) ?? 0n), 0n)

function write({ metadata, range, bits }: Allocation): Buffer {
  const hex = bits.toString(16)
  const data = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64')
  return wrap('v1', 'RangeAllocation', encodeMessage(rangeAllocation, { metadata, range, data }))
}
