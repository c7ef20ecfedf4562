import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editDistance, suggest } from './suggest.js'

describe('did you mean', () => {
  for (const [a, b, distance] of [
    ['', '', 0],
    ['', 'abc', 3],
    ['port', 'port', 0],
    ['port', 'prot', 1],
    ['port', 'ports', 1],
    ['port', 'part', 1],
    ['kitten', 'sitting', 3]
  ] as const) {
    it(`finds a distance of ${distance} between "${a}" and "${b}"`, () => {
      assert.equal(editDistance(a, b), distance)
      assert.equal(editDistance(b, a), distance)
    })
  }

  it('finds the nearest candidate, and none when all are too far', () => {
    const flags = ['secure-port', 'bind-address', 'token-auth-file']
    assert.equal(suggest('secure-prot', flags), 'secure-port')
    assert.equal(suggest('token-file', flags), undefined)
    assert.equal(suggest('bindaddress', flags), 'bind-address')
    assert.equal(suggest('x', flags), undefined)
  })
})
