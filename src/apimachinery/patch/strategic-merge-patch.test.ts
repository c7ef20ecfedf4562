import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { goValue } from '../../util/go-format.js'
import type { JsonObject } from '../../util/json.js'
import { loadSchema } from '../schema/load.js'
import { applyStrategicMergePatch } from './strategic-merge-patch.js'

const schema = loadSchema()
const pod = schema.type('core.v1.Pod')

function merge(document: JsonObject, patch: JsonObject, type = pod): any {
  return applyStrategicMergePatch(document, patch, type).object
}

/** Merges pod specs. */
function mergeSpec(spec: JsonObject, patch: JsonObject): any {
  return merge({ spec }, { spec: patch }).spec
}

function names(list: { name: string }[]): string {
  return list.map(item => item.name).join(' ')
}

const named = (text: string) => text.split(' ').map(name => ({ name }))

const fails = (spec: JsonObject, patch: JsonObject, code: number, message: string) =>
  assert.throws(() => mergeSpec(spec, patch), { name: 'PatchError', code, message })

describe('objects', () => {
  test('merge, and null removes', () => {
    const spec = { nodeSelector: { a: '1', b: '2' }, hostname: 'h' }
    assert.deepEqual(mergeSpec(spec, { nodeSelector: { a: null, c: '3' }, hostname: null, subdomain: 's', none: null }), {
      nodeSelector: { b: '2', c: '3' },
      subdomain: 's'
    })
  })

  test('$patch replaces or deletes', () => {
    const spec = { nodeSelector: { a: '1' } }
    assert.deepEqual(mergeSpec(spec, { nodeSelector: { $patch: 'replace', b: '2' } }), { nodeSelector: { b: '2' } })
    assert.deepEqual(mergeSpec(spec, { nodeSelector: { $patch: 'delete', b: '2' } }), { nodeSelector: {} })
    assert.deepEqual(merge({ spec }, { $patch: 'replace', kind: 'Pod' }), { kind: 'Pod' })
  })

  test('unknown directives are refused where values are merged', () => {
    const spec = { nodeSelector: { a: '1' } }
    fails(spec, { nodeSelector: { $patch: 'zap', z: '1' } }, 500, 'unknown patch type: zap in map: map[$patch:zap z:1]')
    fails(spec, { nodeSelector: { $patch: 3 } }, 500, 'unknown patch type: %!s(int64=3) in map: map[$patch:3]')
    assert.deepEqual(mergeSpec({}, { nodeSelector: { $patch: 'zap' } }), {})
  })

  test('new values lose nulls and directives', () => {
    assert.deepEqual(
      mergeSpec({}, { affinity: { a: null, b: { $patch: 'delete' }, c: [null, { d: null }, { $patch: 'replace' }] } }),
      {
        affinity: { c: [null, {}] }
      }
    )
  })

  test('$retainKeys removes the keys that it does not name', () => {
    const spec = { volumes: [{ name: 'v', emptyDir: {} }] }
    const patch = { volumes: [{ $retainKeys: ['name', 'secret'], name: 'v', secret: { secretName: 's' } }] }
    assert.deepEqual(mergeSpec(spec, patch), { volumes: [{ name: 'v', secret: { secretName: 's' } }] })
    fails({ dnsConfig: {} }, { dnsConfig: { $retainKeys: ['a'], b: 1 } }, 400, 'invalid patch format of retainKeys')
    fails({ dnsConfig: {} }, { dnsConfig: { $retainKeys: 'a' } }, 400, 'invalid patch format of retainKeys')
  })

  test('a field can ask to be replaced', () => {
    const budget = schema.type('policy.v1.PodDisruptionBudget')
    const patched = merge(
      { spec: { selector: { matchLabels: { a: '1' } } } },
      { spec: { selector: { matchLabels: { b: '2' } } } },
      budget
    )
    assert.deepEqual(patched, { spec: { selector: { matchLabels: { b: '2' } } } })
  })

  test('a value without declared fields cannot be merged below its first level', () => {
    const revision = schema.type('apps.v1.ControllerRevision')
    assert.deepEqual(merge({ data: { a: 1, b: 2 } }, { data: { a: 3 } }, revision), { data: { a: 3, b: 2 } })
    assert.throws(() => merge({ data: { spec: { a: 1 } } }, { data: { spec: { a: 2 } } }, revision), {
      code: 500,
      message: 'unable to find api field in struct RawExtension for the json field "spec"'
    })
    assert.throws(
      () =>
        merge(
          { spec: { extra: { k: ['a'] } } },
          { spec: { extra: { k: ['b'] } } },
          schema.type('certificates.v1.CertificateSigningRequest')
        ),
      {
        code: 500,
        message: 'merging an object in json but data type is not struct, instead is: map'
      }
    )
  })
})

describe('lists of objects', () => {
  test('merge by key: new elements first, others in place', () => {
    const spec = {
      containers: [
        { name: 'a', image: 'i:1' },
        { name: 'b', image: 'i:1' }
      ]
    }
    assert.deepEqual(mergeSpec(spec, { containers: [{ name: 'b', image: 'i:2' }, { name: 'c' }] }), {
      containers: [{ name: 'a', image: 'i:1' }, { name: 'b', image: 'i:2' }, { name: 'c' }]
    })
    assert.equal(names(mergeSpec({ containers: named('a b c') }, { containers: named('x c') }).containers), 'x a b c')
    assert.equal(names(mergeSpec({ containers: named('a b c') }, { containers: named('c a') }).containers), 'b c a')
  })

  test('without a merge key are replaced', () => {
    assert.deepEqual(mergeSpec({ tolerations: [{ key: 'a' }] }, { tolerations: [{ key: 'b' }] }), { tolerations: [{ key: 'b' }] })
  })

  test('$patch deletes elements or replaces the list', () => {
    const spec = { containers: named('a b c') }
    assert.equal(
      names(
        mergeSpec(spec, {
          containers: [
            { name: 'b', $patch: 'delete' },
            { name: 'z', $patch: 'delete' }
          ]
        }).containers
      ),
      'a c'
    )
    assert.equal(names(mergeSpec(spec, { containers: [{ name: 'z' }, { $patch: 'replace' }] }).containers), 'z')
    fails(spec, { containers: [{ name: 'a', $patch: 'merge' }] }, 500, 'merging lists cannot yet be specified in the patch')
    fails(spec, { containers: [{ $patch: 'delete' }] }, 500, 'map: map[$patch:delete] does not contain declared merge key: name')
  })

  test('elements need their merge key, and must have the same type', () => {
    const spec = { containers: [{ name: 'a', ports: [{ containerPort: 1 }] }] }
    fails(
      spec,
      { containers: [{ name: 'a', ports: [{ name: 'p', hostPort: 2 }] }] },
      500,
      'map: map[hostPort:2 name:p] does not contain declared merge key: containerPort'
    )
    fails(
      spec,
      { containers: ['a'] },
      500,
      'list element types are not identical: [[map[name:a ports:[map[containerPort:1]]]] [a]]'
    )
  })

  test('$setElementOrder orders them', () => {
    const spec = { containers: named('a b c') }
    const patch = { '$setElementOrder/containers': named('d c a'), containers: [{ name: 'd', image: 'i' }] }
    assert.equal(names(mergeSpec(spec, patch).containers), 'd b c a')
    assert.equal(names(mergeSpec(spec, { '$setElementOrder/containers': named('c b a') }).containers), 'c b a')
    assert.deepEqual(mergeSpec({}, { '$setElementOrder/containers': named('a') }), {})
  })

  test('$setElementOrder must fit the list and the type', () => {
    const spec = { containers: named('a b') }
    fails(
      spec,
      { '$setElementOrder/containers': named('b'), containers: [{ name: 'a', image: 'i' }] },
      500,
      "The order in patch list:\n[map[image:i name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n"
    )
    fails(spec, { '$setElementOrder/containers': 'b' }, 500, 'expected a []interface {}, but received a string')
    fails(spec, { '$setElementOrder/containers': [{}] }, 500, 'map: map[] does not contain declared merge key: name')
    fails(
      spec,
      { '$setElementOrder/containers': ['a'], containers: [{ image: 'i' }] },
      500,
      'expected a map[string]interface {}, but received a string'
    )
    const tolerations = [{ key: 'a' }]
    const unordered = 'map: map[key:a] does not contain declared merge key: '
    fails({ tolerations }, { '$setElementOrder/tolerations': [], tolerations: [] }, 500, unordered)
    fails(
      { tolerations },
      { '$setElementOrder/tolerations': ['b'], tolerations: [] },
      500,
      'expected a map[string]interface {}, but received a string'
    )
    fails(spec, { '$setElementOrder/crates': [] }, 500, 'unable to find api field in struct PodSpec for the json field "crates"')
    fails(spec, { '$setElementOrder/hostname': [] }, 500, 'expected slice or array type, but got: struct')
    fails(spec, { $setElementOrder: [] }, 400, 'invalid patch format of setElementOrder list')
  })
})

describe('lists of scalars', () => {
  const document = { metadata: { finalizers: ['x/a', 'x/b', 'x/c'] } }
  const finalizers = (patch: JsonObject) => merge(document, { metadata: patch }).metadata.finalizers

  test('marked for merging merge as sets', () => {
    assert.deepEqual(finalizers({ finalizers: ['x/d', 'x/b', 'x/d'] }), ['x/d', 'x/a', 'x/b', 'x/c'])
  })

  test('others are replaced', () => {
    const spec = { containers: [{ name: 'a', args: ['x', 'y'] }] }
    assert.deepEqual(mergeSpec(spec, { containers: [{ name: 'a', args: ['z'] }] }), { containers: [{ name: 'a', args: ['z'] }] })
  })

  test('$deleteFromPrimitiveList removes elements', () => {
    assert.deepEqual(finalizers({ '$deleteFromPrimitiveList/finalizers': ['x/b', 'x/z'] }), ['x/a', 'x/c'])
    assert.throws(() => finalizers({ $deleteFromPrimitiveList: ['x/b'] }), {
      code: 400,
      message: 'invalid patch format of primitive list'
    })
  })

  test('$setElementOrder orders them', () => {
    assert.deepEqual(finalizers({ '$setElementOrder/finalizers': ['x/c', 'x/d', 'x/a'], finalizers: ['x/d'] }), [
      'x/b',
      'x/c',
      'x/d',
      'x/a'
    ])
  })
})

test('the document and the patch are not changed', () => {
  const document = { spec: { containers: named('a b'), nodeSelector: { a: '1' } } }
  const patch = {
    spec: {
      '$setElementOrder/containers': named('b a'),
      containers: [{ name: 'b', $retainKeys: ['name'] }],
      nodeSelector: { $patch: 'replace', b: null }
    }
  }
  const before = structuredClone({ document, patch })
  merge(document, patch)
  assert.deepEqual({ document, patch }, before)
})

test('the remainder of a patch lacks the directives that were applied', () => {
  const patch = {
    spec: { '$setElementOrder/containers': named('a'), containers: named('a'), replicas: 'x', nodeSelector: { gone: null } }
  }
  const { remainder } = applyStrategicMergePatch({ spec: { containers: named('a') } }, patch, pod)
  assert.equal(goValue(remainder), 'map[spec:map[nodeSelector:map[] replicas:x]]')
})

test('no type has a field __proto__', () => {
  const patched = merge({ metadata: { labels: { a: '1' } } }, JSON.parse('{"metadata":{"labels":{"__proto__":{"x":1}}}}'))
  assert.equal(JSON.stringify(patched), '{"metadata":{"labels":{"a":"1","__proto__":{"x":1}}}}')
  assert.equal(({} as JsonObject).x, undefined)
})

test('large lists merge in linear time', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => ({ name: `c${i}` }))
  const { containers } = mergeSpec({ containers: many }, { containers: many.toReversed() })
  assert.equal(containers.length, 20_000)
  assert.equal(containers[0].name, 'c19999')
})
