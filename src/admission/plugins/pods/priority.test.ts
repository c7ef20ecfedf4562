import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { priority } from './priority.js'

const priorityClass = (name: string, value: number, more: object = {}) => ({ metadata: { name }, value, ...more })
const stored = {
  'priorityclasses.scheduling.k8s.io': [
    priorityClass('high', 1000, { preemptionPolicy: 'Never' }),
    priorityClass('usual', 10, { globalDefault: true }),
    priorityClass('lowest', 5, { globalDefault: true })
  ]
}
const create = (spec: object, classes: object = stored) =>
  attempt(priority, { resource: 'pods', object: { metadata: { name: 'p' }, spec }, stored: classes as typeof stored })

test('a Pod gets the priority and preemption policy of its class, or of the lowest default class', async () => {
  assert.deepEqual((await create({ priorityClassName: 'high' })).object.spec, {
    priorityClassName: 'high',
    priority: 1000,
    preemptionPolicy: 'Never'
  })
  const usual = { priorityClassName: 'lowest', priority: 5, preemptionPolicy: 'PreemptLowerPriority' }
  assert.deepEqual((await create({})).object.spec, usual)
  assert.deepEqual((await create({}, {})).object.spec, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' })
  const system = await create({ priorityClassName: 'system-node-critical' })
  assert.equal(system.object.spec.priority, 2_000_001_000)
})

test('a Pod cannot have another priority than its class, nor a class that does not exist', async () => {
  assert.equal((await create({ priorityClassName: 'missing' })).refused, 'no PriorityClass with name missing was found')
  assert.match(
    (await create({ priorityClassName: 'high', priority: 1 })).refused!,
    /^the integer value of priority \(1\) must not be provided in pod spec; priority admission controller computed 1000/
  )
  assert.match(
    (await create({ priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' })).refused!,
    /^the string value of PreemptionPolicy \(PreemptLowerPriority\) must not be provided .* computed Never/
  )
  assert.equal((await create({ priorityClassName: 'high', priority: 1000 })).refused, undefined)
})

test('an update that omits priority and preemption policy keeps them', async () => {
  const oldObject = { metadata: { name: 'p' }, spec: { priority: 7, preemptionPolicy: 'Never' } }
  const what = { operation: 'UPDATE', resource: 'pods', object: { metadata: { name: 'p' }, spec: {} }, oldObject } as const
  assert.deepEqual((await attempt(priority, what)).object.spec, { priority: 7, preemptionPolicy: 'Never' })
  // what it changes is for the validation to refuse
  const changed = { priority: 5, preemptionPolicy: 'PreemptLowerPriority' }
  const other = { ...what, object: { metadata: { name: 'p' }, spec: changed } }
  assert.deepEqual((await attempt(priority, other)).object.spec, changed)
  const none = { ...what, oldObject: { metadata: { name: 'p' }, spec: {} } }
  assert.deepEqual(Object.keys((await attempt(priority, none)).object.spec), [])
})

test('only one class can be the default', async () => {
  const resource = 'priorityclasses.scheduling.k8s.io'
  const refusal = async (operation: 'CREATE' | 'UPDATE', name: string, globalDefault = true) => {
    const object = priorityClass(name, 1, { globalDefault })
    return (await attempt(priority, { operation, resource, object, oldObject: object, stored })).refused
  }
  const denied = 'PriorityClass lowest is already marked as default. Only one default can exist'
  assert.equal(await refusal('CREATE', 'new'), denied)
  assert.equal(await refusal('CREATE', 'new', false), undefined)
  assert.equal(await refusal('UPDATE', 'lowest'), undefined)
  assert.equal(await refusal('UPDATE', 'high'), denied)
})
