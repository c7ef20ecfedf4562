import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ObjectForm } from './encode.js'

const form = new ObjectForm('Pod', 'v1')
const uid = '11111111-2222-3333-4444-555555555555'
const managed = (manager: string) => [
  { manager, operation: 'Update', apiVersion: 'v1', time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:a': {} } } }
]
const pod = (metadata: object, rest: object = {}) =>
  form.encode({ metadata: { name: 'a', uid, labels: { x: '1' }, ...metadata }, spec: { nodeName: 'n' }, ...rest })

describe('the header of a stored object', () => {
  test('has the metadata without managedFields, and the other fields when they are asked for', () => {
    const value = pod({ annotations: { note: ',"managedFields":[' }, managedFields: managed('kubectl') }, { status: { phase: 'Running' } })
    const metadata = { name: 'a', uid, labels: { x: '1' }, annotations: { note: ',"managedFields":[' } }
    assert.deepEqual(form.headerOf(value, false), { metadata })
    assert.deepEqual(form.headerOf(value, true), { metadata, spec: { nodeName: 'n' }, status: { phase: 'Running' } })
  })

  test('has all there is where there are no managedFields', () => {
    assert.deepEqual(form.headerOf(pod({}), false).spec, { nodeName: 'n' })
  })

  test('is not misled by the managedFields of a template, nor by a manager whose name looks like JSON', () => {
    const template = { metadata: { labels: { x: '2' }, managedFields: managed('m') }, spec: { nodeName: 'other' } }
    for (const manager of ['m', '}]},"', '}]}', '"}]},"spec":{"nodeName":"forged"},"x":[{"y":"'])
      for (const managedFields of [undefined, managed(manager)])
        for (const whole of [true, false]) {
          const header = form.headerOf(pod({ managedFields }, { template }), whole)
          assert.deepEqual([header.metadata.name, header.metadata.labels], ['a', { x: '1' }])
          if (whole) assert.deepEqual([header.spec, header.template.spec], [{ nodeName: 'n' }, { nodeName: 'other' }])
        }
  })

  test('is not read from values of other forms', () => {
    const value = pod({})
    assert.equal(form.headerOf(value.subarray(0, -2), true), undefined)
    assert.throws(() => form.headerOf(value.subarray(0, -1), true), SyntaxError)
    assert.equal(form.headerOf(Buffer.from('k8s\0}'), true), undefined)
    assert.equal(form.headerOf(form.encode({ metadata: { name: 'a' } }), true), undefined)
    assert.equal(new ObjectForm('Pod', 'v2').headerOf(value, true), undefined)
    assert.throws(() => form.headerOf(Buffer.from(value.toString().replace('"labels"', 'labels')), false), SyntaxError)
  })
})
