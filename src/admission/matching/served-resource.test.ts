import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { equivalentsOf, inVersionOf, isScale, kindOf, ownKind, typeOf } from './served-resource.js'

const scalable = { kind: { kind: 'Deployment', subresources: { scale: {} } }, group: 'apps', type: (version: string) => version }
const pods = {
  ...{
    kind: {
      kind: 'Pod',
      subresources: {
        others: {
          eviction: { type: 'policy.v1.Eviction', kind: { group: 'policy', version: 'v1', kind: 'Eviction' } },
          resize: { prepareForUpdate() {} }
        }
      }
    }
  },
  ...{ group: '', type: (version: string) => version, inVersion: (object: object, version: string) => ({ ...object, version }) }
}
const at = (resource: unknown, version = 'v1') => ({ resource, version }) as never

describe('the kind of the body of a request', () => {
  for (const [resource, subresource, expected] of [
    [scalable, '', { group: 'apps', version: 'v1', kind: 'Deployment' }],
    [scalable, 'status', { group: 'apps', version: 'v1', kind: 'Deployment' }],
    [scalable, 'scale', { group: 'autoscaling', version: 'v1', kind: 'Scale' }],
    [pods, 'scale', { group: '', version: 'v1', kind: 'Pod' }],
    [pods, 'eviction', { group: 'policy', version: 'v1', kind: 'Eviction' }],
    [pods, 'resize', { group: '', version: 'v1', kind: 'Pod' }],
    [pods, 'constructor', { group: '', version: 'v1', kind: 'Pod' }]
  ] as const)
    it(`is ${expected.kind} for ${resource.kind.kind}/${subresource}`, () => {
      assert.deepEqual(kindOf(at(resource), subresource), expected)
      assert.equal(isScale(resource as never, subresource), expected.kind === 'Scale')
      assert.equal(ownKind(resource as never, subresource) !== undefined, expected.kind === 'Eviction')
      const type: unknown = typeOf(at(resource), subresource)
      if (expected.kind === 'Scale' || expected.kind === 'Eviction')
        assert.match((type as { name: string }).name, new RegExp(expected.kind))
      else assert.equal(type, 'v1')
    })
})

describe('the objects of a request in a version', () => {
  const views = { v2: { from: (object: object) => ({ ...object, view: 'v2' }) } } as Record<string, unknown>
  const custom = {
    ...{ kind: { kind: 'Foo', custom: true }, group: 'g', memoryVersion: { name: 'v1' } },
    apiVersion: (version: string) => version,
    view: (version: string) => views[version]
  }
  const shown = (resource: unknown, version: string, subresource: string, object?: object, oldObject?: object) =>
    inVersionOf({ resource, subresource, object, oldObject } as never, at(resource, version), 'validate')

  it('are null where there are none', async () => {
    assert.deepEqual(await shown(pods, 'v1', ''), { object: null, oldObject: null })
    assert.deepEqual(await shown(pods, 'v1', '', { a: 1 }), { object: { a: 1, version: 'v1' }, oldObject: null })
    assert.deepEqual(await shown(pods, 'v1', '', undefined, { a: 1 }), { object: null, oldObject: { a: 1, version: 'v1' } })
  })

  it('stay as they are where they have a kind of their own, and the version of the memory', async () => {
    const object = { kind: 'Foo', a: 1 }
    assert.equal((await shown(pods, 'v1', 'eviction', object)).object, object)
    assert.equal((await shown(custom, 'v1', '', object)).object, object)
    assert.deepEqual((await shown(custom, 'v2', '', object)).object, { kind: 'Foo', a: 1, view: 'v2' })
    assert.equal((await shown(custom, 'v3', '', object)).object, object)
    assert.deepEqual((await shown(custom, 'v1', '', { kind: 'Other', a: 1 })).object, object)
  })
})

describe('resources of the same objects', () => {
  it('are found anew when the resources change', () => {
    const a = {
      prefix: 'p',
      versions: new Map([
        ['v1', 0],
        ['v2', 0]
      ])
    }
    const b = { prefix: 'p', versions: new Map([['v1', 0]]) }
    const other = { prefix: 'q', versions: new Map([['v1', 0]]) }
    const registry = { generation: 1, list: [a, other], served: () => registry.list }
    const found = () =>
      equivalentsOf(registry as never, a as never).map(({ resource, version }) => [resource === (a as never), version])
    const both = [
      [true, 'v1'],
      [true, 'v2']
    ]
    assert.deepEqual(found(), both)
    registry.list = [a, b, other]
    assert.deepEqual(found(), both)
    registry.generation++
    assert.deepEqual(found(), [...both, [false, 'v1']])
    assert.deepEqual(equivalentsOf(registry as never, { prefix: 'none' } as never), [])
  })
})
