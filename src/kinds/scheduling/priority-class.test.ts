import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RowClock } from '../../apimachinery/formats/table.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { priorityClass as kind } from './priority-class.js'

const context: any = new RowClock(0)
const named = (name: string, value: number): any => ({ metadata: { name }, value, preemptionPolicy: 'Never' })

function problems(object: any, old?: any): string[] {
  const errors = new FieldErrors()
  if (old) kind.strategy!.validateUpdate!(object, old, errors, context)
  else kind.strategy!.validateCreate!(object, errors, context)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

describe('PriorityClass', () => {
  it('cannot have a value reserved for the system', () => {
    assert.deepEqual(problems(named('a', 1_000_000_000)), [])
    assert.deepEqual(problems(named('a', 1_000_000_001)), [
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000'
    ])
    assert.deepEqual(problems(named('system-node-critical', 2_000_001_000)), [])
    assert.match(
      problems(named('system-node-critical', 5))[0]!,
      /error: value of system-node-critical PriorityClass must be 2000001000$/
    )
    assert.match(problems(named('system-mine', 5))[0]!, /error: system-mine is not a known system priority class$/)
  })

  it('cannot change its value', () => {
    assert.deepEqual(problems(named('a', 1), named('a', 2)), ['value: Forbidden: may not be changed in an update.'])
  })

  it('cannot change whether it preempts, which the error shows as JSON', () => {
    const changed = { ...named('a', 1), preemptionPolicy: '<' }
    assert.deepEqual(problems(changed, named('a', 1)), ['preemptionPolicy: Invalid value: "\\u003c": field is immutable'])
  })

  it('cannot be deleted if it belongs to the system', () => {
    assert.equal(
      kind.deletion!.whyUndeletable!(named('system-cluster-critical', 2_000_000_000)),
      'this is a system priority class and cannot be deleted'
    )
    assert.equal(kind.deletion!.whyUndeletable!(named('a', 1)), undefined)
  })
})
