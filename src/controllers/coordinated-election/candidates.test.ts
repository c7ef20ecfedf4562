import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import type { LeaseCandidate } from '../../apimachinery/api/generated/coordination-v1beta1.js'
import {
  bestCandidate,
  candidateValidMs,
  electionStrategy,
  isCandidateExpired,
  isLeaseExpired,
  owesAnswer
} from './candidates.js'

const now = Date.UTC(2026, 0, 1)
const at = (milliseconds: number) => new Date(now + milliseconds).toISOString()

const candidate = (
  name: string,
  [emulationVersion, binaryVersion = '1.36.0']: [(string | undefined)?, string?],
  { created = 0, strategy = 'OldestEmulationVersion' } = {}
) =>
  ({
    metadata: { name, creationTimestamp: at(created) },
    spec: { leaseName: 'l', emulationVersion, binaryVersion, strategy }
  }) as LeaseCandidate

const best = (...candidates: LeaseCandidate[]) => bestCandidate(candidates)?.metadata.name

describe('the best candidate', () => {
  it('has the oldest emulation version, then the oldest binary version, then the oldest object', () => {
    assert.equal(best(candidate('a', ['1.10.0']), candidate('b', ['1.9.0'])), 'b')
    assert.equal(best(candidate('a', ['1.9.0', '1.36.0']), candidate('b', ['1.9.0', '1.35.0'])), 'b')
    assert.equal(best(candidate('a', ['1.9.0'], { created: 1000 }), candidate('b', ['1.9.0'])), 'b')
    assert.equal(best(candidate('a', ['1.9.0']), candidate('b', ['1.9.0'])), 'a')
  })

  it('has versions', () => {
    assert.equal(best(candidate('a', [undefined]), candidate('b', ['1.99.0'])), 'b')
    assert.equal(best(candidate('a', ['1.0.0', 'x'])), undefined)
  })
})

describe('the strategy', () => {
  const other = { strategy: 'example.com/other' }

  it('is that of the candidate with the newest binary version', () => {
    assert.equal(electionStrategy([candidate('a', ['1.0.0', '1.35.0']), candidate('b', ['1.0.0'], other)]), 'example.com/other')
    assert.equal(electionStrategy([candidate('a', ['1.0.0'], other), candidate('b', ['1.0.0', '1.35.0'])]), 'example.com/other')
  })

  it('must be the same for candidates of one binary version', () => {
    assert.throws(() => electionStrategy([candidate('a', ['1.0.0']), candidate('b', ['1.0.0'], other)]), {
      message:
        'candidates "a", "b" at same binary version but received differing strategies OldestEmulationVersion, example.com/other'
    })
  })
})

it('a candidate expires half an hour after its renewal, a Lease after its duration', () => {
  const renewed = (renewTime: string | undefined) => ({ metadata: {}, spec: { renewTime } }) as LeaseCandidate
  assert.equal(isCandidateExpired(renewed(at(-candidateValidMs)), now), false)
  assert.equal(isCandidateExpired(renewed(at(-candidateValidMs - 1)), now), true)
  assert.equal(isCandidateExpired(renewed(undefined), now), true)
  const lease = (spec: object) => isLeaseExpired({ metadata: {}, spec } as Lease, now)
  assert.equal(lease({ renewTime: at(-5000), leaseDurationSeconds: 5 }), false)
  assert.equal(lease({ renewTime: at(-5001), leaseDurationSeconds: 5 }), true)
  assert.equal(lease({ leaseDurationSeconds: 5 }), true)
  assert.equal(lease({ renewTime: at(0) }), true)
})

it('a candidate owes an answer until its renewal is not before the request', () => {
  const asked = (pingTime: string | undefined, renewTime: string) =>
    owesAnswer({ metadata: {}, spec: { pingTime, renewTime } } as LeaseCandidate)
  assert.equal(asked(at(1), at(0)), true)
  assert.equal(asked(at(1), at(1)), false)
  assert.equal(asked(undefined, at(0)), false)
})
