/** What requests consume of capacities with a policy. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CapacityRequestPolicy } from '../../../apimachinery/api/generated/resource-v1.js'
import { consumptionOf } from './consumable-capacity.js'

/** What is consumed of 10Gi of memory. */
const consumed = (requestPolicy: CapacityRequestPolicy | undefined, memory?: string) =>
  consumptionOf(
    { name: 'gpu0', capacity: { memory: { value: '10Gi', requestPolicy } } },
    memory === undefined ? undefined : { requests: { memory } }
  )?.memory

test('without a policy, a request consumes what it asks for, and otherwise all', () => {
  assert.equal(consumed(undefined, '3Gi'), '3Gi')
  assert.equal(consumed(undefined), '10Gi')
  assert.equal(consumptionOf({ name: 'gpu0' }, { requests: { memory: '1' } }), undefined)
  assert.deepEqual(consumptionOf({ name: 'gpu0' }, undefined), {})
})

test('without a request, the default of the policy is consumed', () => {
  assert.equal(consumed({ default: '2Gi', validValues: ['1Gi', '2Gi'] }), '2Gi')
})

test('a request is rounded up to the next valid value', () => {
  const policy = { default: '1Gi', validValues: ['1Gi', '2Gi', '4Gi'] }
  assert.equal(consumed(policy, '2Gi'), '2Gi')
  assert.equal(consumed(policy, '2049Mi'), '4Gi')
  assert.equal(consumed(policy, '5Gi'), undefined)
})

test('a request is rounded up to the minimum of a range, and from there to a step', () => {
  const policy = { default: '1Gi', validRange: { min: '1Gi', max: '4Gi', step: '512Mi' } }
  assert.equal(consumed(policy, '1'), '1Gi')
  assert.equal(consumed(policy, '1Gi'), '1Gi')
  assert.equal(consumed(policy, '1025Mi'), '1536Mi')
  assert.equal(consumed(policy, '4Gi'), '4Gi')
  assert.equal(consumed(policy, '4097Mi'), undefined)
  assert.equal(consumed({ default: '1Gi', validRange: { min: '1Gi' } }, '1025Mi'), '1025Mi')
  // in the notation of the step
  assert.equal(consumed({ default: '1k', validRange: { min: '0', step: '1k' } }, '1Ki'), '2k')
})

test('a number that cannot be rounded is told, also where another one is not allowed', () => {
  const device = {
    name: 'gpu0',
    capacity: {
      cores: { value: '8', requestPolicy: { default: '1', validValues: ['1'] } },
      memory: { value: '10Gi', requestPolicy: { default: '2', validRange: { min: '0', step: '2' } } }
    }
  }
  const asking = (memory: string) => () => consumptionOf(device, { requests: { cores: '2', memory } })
  assert.throws(asking('9223372036854775807'), /rounding request 9223372036854775807 up to the next step passes MaxInt64/)
  assert.throws(asking('9223372036854775808'), /request 9223372036854775808 exceeds MaxInt64/)
  const negative = { name: 'gpu0', capacity: { memory: { value: '-1' } } }
  assert.throws(() => consumptionOf(negative, undefined), { message: 'capacity "memory": capacity value is negative' })
})

test('steps may be thousandths where the cluster takes them', () => {
  const of = (min: string, step: string, cores: string, max?: string, hasFractions = true) => {
    const requestPolicy = { default: '1', validRange: { min, step, max } }
    const device = { name: 'gpu0', capacity: { cores: { value: '8', requestPolicy } } }
    return consumptionOf(device, { requests: { cores } }, hasFractions)?.cores
  }
  assert.equal(of('500m', '250m', '700m'), '750m')
  assert.equal(of('500m', '250m', '751m'), '1')
  assert.equal(of('500m', '250m', '2100m', '2'), undefined)
  assert.equal(of('0', '2', '3'), '4')
  // whole numbers otherwise, as without the gate
  assert.equal(of('500m', '250m', '700m', undefined, false), '1')
  assert.equal(of('0', '1500u', '700m'), '1')
  assert.throws(() => of('0', '500m', '1u'), /request 1u is not a representable milli value/)
  assert.throws(() => of('0', '500m', '9223372036854775807m'), /up to the next step passes the milli-value range/)
})
