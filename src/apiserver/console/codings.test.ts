import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Coding, chosenCoding } from './codings.js'

it('a file is sent compressed where it lies there and the browser takes it', () => {
  const both = new Set<Coding>(['br', 'gzip'])
  for (const [accepted, there, chosen] of [
    [undefined, both, undefined],
    ['', both, undefined],
    ['gzip, deflate, br, zstd', both, 'br'],
    ['gzip, deflate, br', new Set<Coding>(['gzip']), 'gzip'],
    ['gzip', both, 'gzip'],
    ['BR;Q=0.5', both, 'br'],
    ['br;q=0, gzip;q=0.1', both, 'gzip'],
    ['br;q=0', both, undefined],
    ['br;q=x', both, undefined],
    ['xbr, gzipped', both, undefined],
    ['br', new Set<Coding>(), undefined]
  ] as const)
    assert.equal(chosenCoding(accepted, there), chosen, `${accepted}`)
})
