import { ConnectionError, errorCode } from './errors.js'
import { decodeHuffman } from './huffman.js'
import { staticTable } from './static-table.js'

/** Bytes that the dynamic table may have: the default, which this side never changes. */
const tableBytes = 4096

/** What an entry counts beside its characters (RFC 7541, section 4.1). */
const entryOverhead = 32

/** No length and no index of a sound client needs more. */
const greatestInteger = 2 ** 28

/**
 * Decodes the header blocks of one connection (HPACK, RFC 7541). Each block must be decoded, also that of a request which is refused:
 * it may change the dynamic table, on which later blocks depend. Characters stand for bytes.
 */
export class HeaderDecoder {
  /** Names and values of the dynamic table in turn, the oldest entry first. */
  #table: string[] = []
  #size = 0
  #limit = tableBytes
  #block: Buffer = Buffer.alloc(0)
  #at = 0

  /** Calls `field` for each field, in their order. Throws ConnectionError COMPRESSION_ERROR. */
  decode(block: Buffer, field: (name: string, value: string) => void): void {
    this.#block = block
    this.#at = 0
    let mayResize = true
    while (this.#at < block.length) {
      const byte = block[this.#at]!
      if (byte >= 0x80) {
        const index = this.#integer(0x7f)
        field(this.#name(index), this.#value(index))
      } else if (byte >= 0x40) {
        const name = this.#literalName(0x3f)
        const value = this.#string()
        this.#add(name, value)
        field(name, value)
      } else if (byte >= 0x20) {
        if (!mayResize) throw malformed('a size update after a field')
        this.#resize(this.#integer(0x1f))
        continue
      } else {
        const name = this.#literalName(0x0f)
        field(name, this.#string())
      }
      mayResize = false
    }
  }

  #literalName(mask: number): string {
    const index = this.#integer(mask)
    return index === 0 ? this.#string() : this.#name(index)
  }

  #name(index: number): string {
    return index <= staticTable.length ? this.#static(index)[0] : this.#table[this.#place(index)]!
  }

  #value(index: number): string {
    return index <= staticTable.length ? this.#static(index)[1] : this.#table[this.#place(index) + 1]!
  }

  #static(index: number) {
    if (index === 0) throw malformed('the index 0')
    return staticTable[index - 1]!
  }

  /** Where the name is in the dynamic table, whose newest entry has the lowest index. */
  #place(index: number): number {
    const place = this.#table.length - 2 * (index - staticTable.length)
    if (place < 0) throw malformed(`the index ${index}`)
    return place
  }

  #add(name: string, value: string): void {
    const size = name.length + value.length + entryOverhead
    this.#evict(this.#limit - size)
    // an entry that is larger than the table only empties it
    if (size > this.#limit) return
    this.#table.push(name, value)
    this.#size += size
  }

  #resize(limit: number): void {
    if (limit > tableBytes) throw malformed(`a table of ${limit} bytes`)
    this.#limit = limit
    this.#evict(limit)
  }

  /** Removes the oldest entries until the rest has at most `size` bytes. */
  #evict(size: number): void {
    let removed = 0
    for (; this.#size > size && removed < this.#table.length; removed += 2)
      this.#size -= this.#table[removed]!.length + this.#table[removed + 1]!.length + entryOverhead
    if (removed > 0) this.#table = this.#table.slice(removed)
  }

  /** An integer whose first byte has it in the bits of `mask` (RFC 7541, section 5.1). */
  #integer(mask: number): number {
    let value = this.#block[this.#at++]! & mask
    if (value < mask) return value
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#block[this.#at++]
      if (byte === undefined) throw malformed('an incomplete integer')
      value += (byte & 0x7f) * factor
      if (value > greatestInteger) throw malformed('a too large integer')
      if (byte < 0x80) return value
      if (factor > greatestInteger) throw malformed('a too long integer')
    }
  }

  #string(): string {
    const first = this.#block[this.#at]
    if (first === undefined) throw malformed('a missing string')
    const length = this.#integer(0x7f)
    const begin = this.#at
    const end = begin + length
    if (end > this.#block.length) throw malformed('an incomplete string')
    this.#at = end
    if (first < 0x80) return this.#block.toString('latin1', begin, end)
    const text = decodeHuffman(this.#block, begin, end)
    if (text === undefined) throw malformed('a malformed Huffman code')
    return text
  }
}

const malformed = (what: string) => new ConnectionError(errorCode.compression, `a header block has ${what}`)
