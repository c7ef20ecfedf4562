import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SortedForm } from './sorted-form.js'

const form = new SortedForm('Thing', 'example.com/v1')
const spliced = (object: unknown, revision = 7) => form.splice(form.encode(object), revision).toString()

test('the version comes before the uid of the metadata, not before another uid', () => {
  const text = spliced({
    data: { metadata: { uid: 'x' } },
    spec: { uid: 'y' },
    metadata: {
      uid: 'u',
      name: 'n',
      resourceVersion: '3',
      annotations: { uid: '"uid":"z"', a: '\\' },
      ownerReferences: [{ uid: 'o' }]
    }
  })
  assert.equal(
    text,
    '{"apiVersion":"example.com/v1","data":{"metadata":{"uid":"x"}},"kind":"Thing","metadata":{"annotations":{"a":"\\\\","uid":"\\"uid\\":\\"z\\""},"name":"n","ownerReferences":[{"uid":"o"}],"resourceVersion":"7","uid":"u"},"spec":{"uid":"y"}}\n'
  )
})

test('an object without a uid gets its version as well', () => {
  assert.equal(
    spliced({ metadata: { name: 'n' }, zzz: 1 }),
    '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"n","resourceVersion":"7"},"zzz":1}\n'
  )
})

test('a value whose fields are not sorted is not in the form', () => {
  const value = Buffer.from('{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"uid":"u","name":"n"}}')
  assert.equal(form.isOwn(value), false)
})

test('root fields may sort before the apiVersion', () => {
  const object = { 'a"': { apiVersion: 'x' }, Z: [1], metadata: { uid: 'u' } }
  const encoded = form.encode(object)
  assert.equal(form.isOwn(encoded), true)
  assert.equal(
    spliced(object),
    '{"Z":[1],"a\\"":{"apiVersion":"x"},"apiVersion":"example.com/v1","kind":"Thing","metadata":{"resourceVersion":"7","uid":"u"}}\n'
  )
  const other = new SortedForm('Thing', 'example.com/v2')
  assert.equal(other.isOwn(encoded), false)
  assert.equal(form.isOwn(Buffer.from('{"Z":1}')), false)
})

test('lengthAt is the length of the spliced form', () => {
  const encoded = form.encode({ metadata: { uid: 'u' } })
  assert.equal(form.lengthAt(encoded, 1234), form.splice(encoded, 1234).length)
})
