import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSchema } from '../schema/load.js'
import { conversionProblems, converted } from './conversion.js'

const type = loadSchema().type('apps.v1.StatefulSet')

const refused: [object, string][] = [
  [{ spec: { replicas: 'three' } }, 'unrecognized type: int32'],
  [{ spec: { replicas: 2.5 } }, 'cannot convert float64 to int32'],
  [{ spec: { serviceName: 7 } }, 'cannot convert int64 to string'],
  [{ spec: { serviceName: true } }, 'unrecognized type: string'],
  [{ spec: { podManagementPolicy: 7 } }, 'cannot convert int64 to v1.PodManagementPolicyType'],
  [{ metadata: { labels: [] } }, 'cannot restore map from slice'],
  [{ spec: { template: { spec: { containers: {} } } } }, 'cannot restore slice from map'],
  [{ spec: { template: 'x' } }, 'cannot restore struct from: string'],
  [{ spec: { template: { spec: { hostNetwork: 'yes' } } } }, 'unrecognized type: bool']
]

for (const [object, message] of refused) {
  test(`refuses ${JSON.stringify(object)} as the original does`, () => {
    assert.deepEqual(conversionProblems(type, object), { error: message, unknown: [] })
  })
}

test('lists unknown fields in the order of their text', () => {
  const object = {
    a: 1,
    spec: { b: 1, template: { spec: { containers: [{ c: 1 }, { name: 'x', d: 1 }] } } },
    metadata: { e: null }
  }
  assert.deepEqual(conversionProblems(type, object), {
    error: undefined,
    unknown: [
      'unknown field "a"',
      'unknown field "metadata.e"',
      'unknown field "spec.b"',
      'unknown field "spec.template.spec.containers[0].c"',
      'unknown field "spec.template.spec.containers[1].d"'
    ]
  })
})

test('truncates integers that are too large', () => {
  assert.equal(converted(type, { spec: { replicas: 4294967298 } }).object.spec.replicas, 2)
})

test('sorts the keys of a RawExtension', () => {
  const data = { z: { b: 1, a: 2 }, a: [{ y: 1, x: 9007199254740993n }] }
  const { object } = converted(loadSchema().type('apps.v1.ControllerRevision'), { metadata: {}, data })
  assert.deepEqual(Object.keys(object.data), ['a', 'z'])
  assert.deepEqual(Object.keys(object.data.z), ['a', 'b'])
  assert.deepEqual(Object.entries(object.data.a[0]), [
    ['x', 9007199254740993n],
    ['y', 1]
  ])
})
