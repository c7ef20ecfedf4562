/** Randomness that repeats: the same seed gives the same uids and names. For tests; nothing that must be hard to guess may come from it. */
import { createHash } from 'node:crypto'
import { type Randomness, suffixOf } from './randomness.js'

/** The state of the generator: four numbers of 32 bits. */
export type RandomState = readonly [number, number, number, number]

export class SeededRandomness implements Randomness {
  #state: RandomState
  readonly #beginning: RandomState
  readonly #apart = new Map<string, SeededRandomness>()

  constructor(seed: string | RandomState) {
    this.#state = this.#beginning = typeof seed === 'string' ? stateOf(seed) : seed
  }

  /** Returns another generator that continues from here. */
  copy(): SeededRandomness {
    return new SeededRandomness(this.#state)
  }

  /** Where the sequence is: `new SeededRandomness(state)` goes on from there. */
  get state(): RandomState {
    return this.#state
  }

  apart(purpose: string): SeededRandomness {
    const known = this.#apart.get(purpose)
    if (known) return known
    const made = new SeededRandomness(`${purpose} apart from ${this.#beginning}`)
    this.#apart.set(purpose, made)
    return made
  }

  uuid(): string {
    const bytes = Buffer.alloc(16)
    for (let at = 0; at < 16; at += 4) bytes.writeUInt32LE(this.#next(), at)
    // version 4, variant 1 (RFC 9562)
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }

  fraction(): number {
    return this.#next() / 2 ** 32
  }

  suffix(): string {
    return suffixOf(count => Math.floor(this.fraction() * count))
  }

  /** Draws the next number: sfc32 of Chris Doty-Humphrey's PractRand. */
  #next(): number {
    const [a, b, c, counter] = this.#state
    const result = (a + b + counter) >>> 0
    const rotated = (c << 21) | (c >>> 11)
    this.#state = [b ^ (b >>> 9), (c + (c << 3)) >>> 0, (rotated + result) >>> 0, (counter + 1) >>> 0]
    return result
  }
}

function stateOf(seed: string): RandomState {
  const hash = createHash('sha256').update(seed).digest()
  return [hash.readUInt32LE(0), hash.readUInt32LE(4), hash.readUInt32LE(8), 1]
}
