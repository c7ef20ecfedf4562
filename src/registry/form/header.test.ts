import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ObjectForm } from './encode.js'

const form = new ObjectForm('Pod', 'v1')
const uid = '11111111-2222-3333-4444-555555555555'
const managed = (manager: string) => [
  {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:a': {} } }
  }
]
const pod = (metadata: object, rest: object = {}) =>
  form.encode({ metadata: { name: 'a', uid, labels: { x: '1' }, ...metadata }, spec: { nodeName: 'n' }, ...rest })

describe('the header of a stored object', () => {
  test('has the metadata without managedFields', () => {
    const annotations = { note: ',"managedFields":[' }
    const value = pod({ annotations, managedFields: managed('kubectl') }, { status: { phase: 'Running' } })
    assert.deepEqual(form.headerOf(value), { metadata: { name: 'a', uid, labels: { x: '1' }, annotations } })
  })

  test('has all there is where there are no managedFields', () => {
    assert.deepEqual(form.headerOf(pod({})).spec, { nodeName: 'n' })
  })

  test('is not misled by the managedFields of a template', () => {
    const inner = { metadata: { labels: { x: '2' }, managedFields: managed('m') }, spec: { nodeName: 'other' } }
    for (const rest of [{ template: inner }, { metadata2: inner.metadata }, { spec: { template: inner } }])
      for (const managedFields of [undefined, managed('m')]) {
        const { metadata } = form.headerOf(pod({ managedFields }, rest))
        assert.deepEqual([metadata.name, metadata.labels, metadata.uid], ['a', { x: '1' }, uid])
      }
  })

  test('is not read from values of other forms', () => {
    const value = pod({})
    assert.equal(form.headerOf(value.subarray(0, -2)), undefined)
    assert.throws(() => form.headerOf(value.subarray(0, -1)), SyntaxError)
    assert.equal(form.headerOf(Buffer.from('k8s\0}')), undefined)
    assert.equal(form.headerOf(form.encode({ metadata: { name: 'a' } })), undefined)
    assert.equal(new ObjectForm('Pod', 'v2').headerOf(value), undefined)
    assert.throws(() => form.headerOf(Buffer.from(value.toString().replace('"labels"', 'labels'))), SyntaxError)
  })
})

describe('an object without its managedFields', () => {
  const whole = (value: Buffer) => JSON.parse(value.toString())

  test('has all other fields', () => {
    const value = pod({ managedFields: [...managed('kubectl'), ...managed('other')] }, { status: { phase: 'Running' } })
    const { managedFields: _, ...metadata } = whole(value).metadata
    assert.deepEqual(form.unmanaged(value), { ...whole(value), metadata })
  })

  test('is the object where it has none', () => {
    const value = pod({}, { status: { phase: 'Running' } })
    assert.deepEqual(form.unmanaged(value), whole(value))
  })

  test('keeps its digits', () => {
    const value = pod({ managedFields: managed('m') }, { status: { count: 9007199254740993n } })
    assert.equal(form.unmanaged(value).status.count, 9007199254740993n)
  })

  test('is not misled by strings that look like the end, nor by the managedFields of a template', () => {
    const end = 'x}]},'
    const entry = managed(end)[0]!
    const odd = [
      entry,
      { ...entry, manager: 'm', apiVersion: end },
      { ...entry, manager: 'm', subresource: end },
      { ...entry, manager: `${end}"spec":{"nodeName":"other"}` },
      { ...entry, manager: 'm', fieldsV1: { [`f:${end}`]: {} } },
      { ...entry, manager: 'm', fieldsV1: { [`f:${end}`]: { [`f::{}${end}`]: {} } } },
      { ...entry, manager: 'm', fieldsV1: { [`k:{"name":"${end}"}`]: {}, [end]: {} } }
    ]
    const template = { metadata: { labels: { x: '2' }, managedFields: managed('m') }, spec: { nodeName: 'other' } }
    for (const managedFields of [...odd.map(each => [each]), odd, [...odd].reverse(), undefined])
      for (const rest of [{}, { spec: { nodeName: 'n', template } }]) {
        const { metadata, spec } = form.unmanaged(pod({ managedFields }, rest))
        assert.deepEqual([metadata.name, metadata.uid, spec.nodeName], ['a', uid, 'n'])
      }
  })
})
