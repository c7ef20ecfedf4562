import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PersistentVolume, PersistentVolumeClaim } from '../../apimachinery/api/generated/core-v1.js'
import { mismatchOf, volumeFor } from './matching.js'

const volume = (name: string, storage: string, spec: object = {}, labels: Record<string, string> = {}) =>
  ({
    metadata: { name, labels },
    spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], storageClassName: 'disk', ...spec },
    status: { phase: 'Available' }
  }) as unknown as PersistentVolume
const claim = (storage: string, spec: object = {}) =>
  ({
    metadata: { name: 'data', namespace: 'team', uid: 'u1' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'disk', resources: { requests: { storage } }, ...spec }
  }) as unknown as PersistentVolumeClaim

const chosen = (wanted: PersistentVolumeClaim, volumes: PersistentVolume[], waits = false) =>
  volumeFor(wanted, volumes, waits)?.metadata.name

describe('the volume of a claim', () => {
  const large = volume('large', '10Gi')
  const middle = volume('middle', '5Gi', {}, { tier: 'fast' })
  const small = volume('small', '1Gi')
  const many = volume('many', '2Gi', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] })

  test('is the smallest that suffices, of those with the fewest access modes', () => {
    assert.equal(chosen(claim('2Gi'), [large, many, small, middle]), 'middle')
    assert.equal(chosen(claim('2Gi', { accessModes: ['ReadOnlyMany'] }), [large, many, middle]), 'many')
    assert.equal(chosen(claim('11Gi'), [large, many, middle]), undefined)
  })

  test('has the class, the labels and the mode that the claim wants', () => {
    assert.equal(chosen(claim('1Gi', { storageClassName: '' }), [large]), undefined)
    assert.equal(chosen(claim('1Gi', { selector: { matchLabels: { tier: 'fast' } } }), [small, middle]), 'middle')
    assert.equal(chosen(claim('1Gi', { volumeMode: 'Block' }), [small, volume('raw', '1Gi', { volumeMode: 'Block' })]), 'raw')
  })

  test('is the one that is reserved for the claim, also where the scheduler chooses', () => {
    const reserved = volume('reserved', '20Gi', { claimRef: { namespace: 'team', name: 'data' } })
    const others = volume('others', '1Gi', { claimRef: { namespace: 'team', name: 'data', uid: 'u2' } })
    assert.equal(chosen(claim('1Gi'), [small, reserved, others], true), 'reserved')
    assert.equal(chosen(claim('1Gi'), [small, others], true), undefined)
    assert.equal(chosen(claim('1Gi'), [others]), undefined)
  })

  test('does not match for a reason', () => {
    assert.equal(mismatchOf(small, claim('1Gi')), undefined)
    assert.equal(mismatchOf(small, claim('2Gi')), 'requested PV is too small')
    assert.equal(mismatchOf(small, claim('1Gi', { storageClassName: '' })), 'storageClassName does not match')
    assert.equal(mismatchOf(small, claim('1Gi', { volumeMode: 'Block' })), 'incompatible volumeMode')
    assert.equal(mismatchOf(small, claim('1Gi', { accessModes: ['ReadWriteMany'] })), 'incompatible accessMode')
  })
})
