import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AdmissionOperation, AdmissionPlugin } from '../apimachinery/request/admission.js'
import { noOrigin } from '../apimachinery/request/origin.js'
import { type AdmissionAttributes, AdmissionChain } from './admission.js'
import { Reinvocation } from './reinvocation.js'

type Scope = Pick<AdmissionPlugin, 'operations' | 'resources' | 'subresources'>
const pods = { group: '', resource: 'pods' }
const deployments = { group: 'apps', resource: 'deployments' }

const attributes = (resource: object, subresource = '', operation: AdmissionOperation = 'CREATE') =>
  ({ resource, subresource, operation, context: { origin: noOrigin } }) as unknown as AdmissionAttributes

async function takesPart(scope: Scope, resource: object, subresource = '', operation: AdmissionOperation = 'CREATE') {
  const calls: string[] = []
  const plugin = { ...scope, name: 'P', admit: () => void calls.push('admit'), validate: () => void calls.push('validate') }
  const chain = new AdmissionChain([plugin])
  await chain.admit(attributes(resource, subresource, operation))
  await chain.validate(attributes(resource, subresource, operation))
  assert.ok(calls.length === 0 || calls.join() === 'admit,validate')
  return calls.length > 0
}

describe('a plugin takes part in', () => {
  it('all operations on all objects, unless it says otherwise', async () => {
    assert.equal(await takesPart({}, pods), true)
    assert.equal(await takesPart({}, deployments, '', 'DELETE'), true)
    assert.equal(await takesPart({}, pods, 'status', 'UPDATE'), false)
  })

  it('the operations that it names', async () => {
    assert.equal(await takesPart({ operations: ['UPDATE'] }, pods, '', 'UPDATE'), true)
    assert.equal(await takesPart({ operations: ['UPDATE'] }, pods, '', 'CREATE'), false)
  })

  it('the resources that it names, in their group only', async () => {
    assert.equal(await takesPart({ resources: ['pods', 'apps/deployments'] }, deployments), true)
    assert.equal(await takesPart({ resources: ['pods', 'apps/deployments'] }, pods), true)
    assert.equal(await takesPart({ resources: ['pods'] }, { group: 'example.com', resource: 'pods' }), false)
    assert.equal(await takesPart({ resources: ['deployments'] }, deployments), false)
  })

  it('the subresources that it names', async () => {
    assert.equal(await takesPart({ subresources: ['exec'] }, pods, 'exec', 'CONNECT'), true)
    assert.equal(await takesPart({ subresources: ['exec'] }, pods), false)
    assert.equal(await takesPart({ subresources: ['', 'resize'] }, pods), true)
    assert.equal(await takesPart({ subresources: '*' }, pods), true)
    assert.equal(await takesPart({ subresources: '*' }, pods, 'status', 'UPDATE'), true)
  })
})

describe('the chain', () => {
  it('reads what a plugin takes part in once for each operation on a resource, not with every write', async () => {
    let reads = 0
    const plugin: AdmissionPlugin = {
      name: 'P',
      get operations() {
        reads++
        return undefined
      },
      admit() {}
    }
    const chain = new AdmissionChain([plugin])
    for (const operation of ['CREATE', 'UPDATE', 'CREATE', 'UPDATE', 'CREATE'] as const) {
      await chain.admit(attributes(pods, '', operation))
      await chain.validate(attributes(pods, '', operation))
    }
    assert.equal(reads, 2)
  })

  it('calls plugins in their order, waits for each, and asks all of them again where one wants it', async () => {
    const calls: string[] = []
    const slow = (name: string): AdmissionPlugin => ({
      name,
      async admit() {
        await undefined
        calls.push(name)
      }
    })
    const chain = new AdmissionChain([slow('a'), { name: 'none' }, slow('b')])
    const again = attributes(pods)
    again.reinvocation = new Reinvocation()
    again.reinvocation.shouldReinvoke = true
    await chain.admit(attributes(pods))
    assert.deepEqual(calls, ['a', 'b'])
    await chain.admit(again)
    assert.deepEqual(calls, ['a', 'b', 'a', 'b', 'a', 'b'])
  })

  it('restores managed fields that a plugin has left invalid, and warns', async () => {
    const entry = (operation: string) => [{ manager: 'm', operation, apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }]
    const through = async (before: unknown, after: unknown) => {
      const warnings: string[] = []
      const object: any = { metadata: { managedFields: before } }
      const what = {
        ...attributes(pods),
        object,
        context: { origin: noOrigin, warn: (text: string) => void warnings.push(text) }
      } as never
      const chain = new AdmissionChain([{ name: 'P', admit: () => void (object.metadata.managedFields = after) }])
      await chain.admit(what)
      return { ...object.metadata, warnings: warnings.length }
    }
    const [valid, other, broken] = [entry('Update'), entry('Apply'), entry('Nope')]
    assert.deepEqual(await through(valid, other), { managedFields: other, warnings: 0 })
    assert.deepEqual(await through(valid, broken), { managedFields: valid, warnings: 1 })
    assert.deepEqual(await through(undefined, broken), { warnings: 1 })
    // nobody checks the managed fields of a request here
    assert.deepEqual(await through(broken, broken), { managedFields: broken, warnings: 0 })
  })
})
