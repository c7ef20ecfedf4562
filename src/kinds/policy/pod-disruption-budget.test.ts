import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { podDisruptionBudget as kind } from './pod-disruption-budget.js'

const context: any = new RowClock(0)

function problems(spec: any): string[] {
  const errors = new FieldErrors()
  kind.strategy!.validate!({ metadata: {}, spec } as any, errors, context)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

describe('PodDisruptionBudget', () => {
  it('has either a minimum of available or a maximum of unavailable Pods', () => {
    assert.deepEqual(problems({ minAvailable: '50%' }), [])
    assert.deepEqual(problems({ minAvailable: 1, maxUnavailable: 1 }), [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set'
    ])
    assert.deepEqual(problems({ minAvailable: '101%' }), [
      'spec.minAvailable: Invalid value: "101%": must not be greater than 100%'
    ])
  })

  it('requires valid conditions', () => {
    const errors = new FieldErrors()
    const condition = { type: 'A', status: 'True', reason: '9', message: '', lastTransitionTime: null }
    const status: any = kind.subresources?.status
    status.validateUpdate(
      { status: { conditions: [condition, { ...condition, reason: 'R', lastTransitionTime: '2024-01-02T03:04:05Z' }] } },
      {},
      errors,
      context
    )
    assert.deepEqual(
      errors.list.map(e => `${e.field} ${e.reason}`),
      [
        'status.conditions[0].lastTransitionTime FieldValueRequired',
        'status.conditions[0].reason FieldValueInvalid',
        'status.conditions[1] FieldValueDuplicate'
      ]
    )
  })
})
