import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { dropGatedFields } from '../../registry/gated-fields.js'
import { lease } from './lease.js'

const context: any = new RowClock(0)

describe('Lease', () => {
  it('must last for at least a second', () => {
    const errors = new FieldErrors()
    lease.strategy!.validate!({ metadata: {}, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } } as any, errors, context)
    assert.deepEqual(
      errors.list.map(e => `${e.field}: ${e.message}`),
      [
        'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
        'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0'
      ]
    )
  })

  it('has a strategy that Kubernetes knows, or one with a domain, and a preferred holder only with a strategy', () => {
    const problems = (spec: object) => {
      const errors = new FieldErrors()
      lease.strategy!.validate!({ metadata: {}, spec } as any, errors, context)
      return errors.list.map(e => `${e.field}: ${e.message}`)
    }
    assert.deepEqual(problems({ strategy: 'example.com/other', preferredHolder: 'a' }), [])
    assert.deepEqual(problems({ strategy: 'x' }), [
      'spec.strategy.strategy: Unsupported value: "x": supported values: "OldestEmulationVersion"'
    ])
    assert.match(problems({ strategy: 'a/b/c' })[0]!, /^spec.strategy.strategy: Invalid value: "a\/b\/c": a valid label key/)
    assert.deepEqual(problems({ preferredHolder: 'a' }), [
      'spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined'
    ])
  })

  it('drops the fields of coordinated leader election', () => {
    const object: any = { metadata: {}, spec: { holderIdentity: 'a', strategy: 'OldestEmulationVersion', preferredHolder: 'b' } }
    dropGatedFields(lease, new FeatureGates(), object)
    assert.deepEqual(object.spec, { holderIdentity: 'a' })
  })
})
