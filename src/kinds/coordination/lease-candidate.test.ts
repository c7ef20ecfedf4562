import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { leaseCandidate } from './lease-candidate.js'

const context: any = {}
const good = { leaseName: 'l', binaryVersion: '1.36.0', emulationVersion: '1.35.0', strategy: 'OldestEmulationVersion' }

const problems = (spec: object, old?: object) => {
  const errors = new FieldErrors()
  const object: any = { metadata: {}, spec: { ...good, ...spec } }
  leaseCandidate.strategy!.validate!(object, errors, context)
  if (old) leaseCandidate.strategy!.validateUpdate!(object, { metadata: {}, spec: { ...good, ...old } } as any, errors, context)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

it('a LeaseCandidate names a Lease, versions and a strategy', () => {
  assert.deepEqual(problems({}), [])
  assert.deepEqual(problems({ leaseName: '', binaryVersion: '', strategy: '' }), [
    'spec.leaseName: Required value',
    'spec.binaryVersion: Required value',
    'spec.strategy: Required value'
  ])
  assert.deepEqual(problems({ emulationVersion: '1.37.0' }), [
    'spec.binaryVersion: Invalid value: "1.36.0": must be greater than or equal to `emulationVersion`'
  ])
  assert.deepEqual(problems({ emulationVersion: '1.35' }), [
    'spec.emulationVersion: Invalid value: "1.35": must be a valid semantic version',
    "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'"
  ])
  assert.deepEqual(problems({ emulationVersion: undefined, strategy: 'example.com/other' }), [])
  assert.deepEqual(problems({ strategy: 'other' }), [
    'spec.strategy.strategy: Unsupported value: "other": supported values: "OldestEmulationVersion"'
  ])
})

it('a LeaseCandidate stays with its Lease, and has the name of a key', () => {
  assert.deepEqual(problems({}, { leaseName: 'other' }), ['spec.leaseName: Invalid value: "l": field is immutable'])
  assert.deepEqual(leaseCandidate.validateName!('A_b.C', false, {} as never, {} as never), [])
  assert.equal(leaseCandidate.validateName!('a/b', false, {} as never, {} as never).length, 1)
})
