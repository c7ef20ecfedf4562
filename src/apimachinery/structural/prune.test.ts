import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UnknownFields } from '../schema/unknown-fields.js'
import { embeddedCoercer, embeddedDropper } from './embedded.js'
import { pruner } from './prune.js'
import { structuralSchema } from './structural.js'

const text = { type: 'string' }

function prune(properties: any, object: any): [object: any, unknown: string[]] {
  const schema = structuralSchema({ type: 'object', properties })
  const unknown = new UnknownFields()
  pruner(schema)(object, unknown)
  embeddedCoercer(schema)(object, unknown)
  return [object, unknown.paths]
}

describe('pruning', () => {
  it('drops unknown fields, and returns their paths', () => {
    const spec = {
      type: 'object',
      properties: { a: text, list: { type: 'array', items: { type: 'object', properties: { b: text } } } }
    }
    const object = { kind: 'K', metadata: { x: 1 }, z: 1, spec: { a: 'x', c: {}, list: [{ b: '' }, { b: '', d: 1 }] } }
    assert.deepEqual(prune({ spec }, object), [
      { kind: 'K', metadata: { x: 1 }, spec: { a: 'x', list: [{ b: '' }, { b: '' }] } },
      ['spec.c', 'spec.list[1].d', 'z']
    ])
  })

  it('keeps unknown fields where they are preserved, but not inside declared fields', () => {
    const spec = {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'object', properties: { b: text } } }
    }
    assert.deepEqual(prune({ spec }, { spec: { x: { y: 1 }, a: { b: '', c: 1 } } }), [
      { spec: { x: { y: 1 }, a: { b: '' } } },
      ['spec.a.c']
    ])
  })

  it('keeps all keys of a map', () => {
    const map = { type: 'object', additionalProperties: { type: 'object', properties: { b: text } } }
    assert.deepEqual(prune({ map }, { map: { x: { b: '' }, y: { c: 1 } } }), [{ map: { x: { b: '' }, y: {} } }, ['map.y.c']])
  })

  it('treats __proto__ as an ordinary key', () => {
    const object = JSON.parse('{"spec":{"__proto__":{"a":1}}}')
    assert.deepEqual(prune({ spec: { type: 'object' } }, object), [{ spec: {} }, ['spec.__proto__']])
  })

  it('keeps the metadata of an embedded object, coerced to ObjectMeta', () => {
    const pod = { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } }
    const object = { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', foo: 1 }, status: {} } }
    assert.deepEqual(prune({ pod }, object), [
      { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } } },
      ['pod.status', 'pod.metadata.foo']
    ])
  })

  it('reports malformed metadata', () => {
    const pod = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
    const coerce = embeddedCoercer(structuralSchema({ type: 'object', properties: { pod } }))
    assert.deepEqual(coerce({ pod: { metadata: { labels: 1 } } }), {
      reason: 'FieldValueInvalid',
      field: 'pod.metadata',
      message:
        'Invalid value: {"labels":1}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string'
    })
  })

  it('drops unreadable metadata from a stored object', () => {
    const pod = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
    const drop = embeddedDropper(structuralSchema({ type: 'object', properties: { pod, other: pod } }))
    const object = {
      pod: { apiVersion: 1, kind: 'Pod', metadata: { name: 'a', labels: 1, unknown: 2 }, spec: {} },
      other: { kind: {}, metadata: 'x' }
    }
    drop(object)
    assert.deepEqual(object, { pod: { kind: 'Pod', metadata: { name: 'a' }, spec: {} }, other: { metadata: 'x' } })
  })
})
