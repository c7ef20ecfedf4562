import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode } from '../schema/decode.js'
import { loadSchema } from '../schema/load.js'
import type { StatusError } from '../status/status.js'
import { applyConfiguration } from './apply.js'
import { emptyObject } from './empty-object.js'
import { fieldSet } from './field-set.js'
import { placeOf } from './place.js'

const schema = loadSchema()

/** A server with one object. */
class Cluster {
  readonly type
  readonly apiVersion
  live: any
  clock = 0

  constructor(kind = 'core.v1.ConfigMap', apiVersion = 'v1', live?: any) {
    this.type = schema.type(kind)
    this.apiVersion = apiVersion
    this.live = live ?? emptyObject(this.type)
  }

  apply(name: string, config: any, force = false): any {
    const { type, live, apiVersion } = this
    const { fields, problems } = fieldSet(placeOf(type), config)
    assert.deepEqual(problems, [])
    const manager = { name, apiVersion, subresource: '' }
    const applied = applyConfiguration({ type, live, config, fields, manager, now: String(++this.clock), force })
    const object = applied.object === undefined ? structuredClone(live) : decode(type, applied.object).object
    object.metadata.uid = 'u'
    object.metadata.managedFields = applied.managedFields
    this.live = object
    return object
  }

  /** Applies, and returns the message of the conflicts. */
  refused(name: string, config: any): string {
    try {
      this.apply(name, config)
    } catch (error) {
      return (error as StatusError).status.message ?? ''
    }
    return 'no conflict'
  }

  owners(): Record<string, unknown> {
    return Object.fromEntries(this.live.metadata.managedFields.map((entry: any) => [entry.manager, entry.fieldsV1]))
  }
}

const data = (values: Record<string, string>) => ({ metadata: { name: 'a' }, data: values })
const deployment = (podSpec: any) => ({ spec: { template: { spec: podSpec } } })

describe('server-side apply', () => {
  it('removes fields that their owner no longer applies, unless another manager shares them', () => {
    const cluster = new Cluster()
    cluster.apply('one', data({ a: '1', b: '2', c: '3' }))
    cluster.apply('two', data({ a: '1' }))
    assert.deepEqual(cluster.apply('one', data({ c: '3' })).data, { a: '1', c: '3' })
    assert.deepEqual(cluster.apply('two', { metadata: { name: 'a' } }).data, { c: '3' })
    assert.deepEqual(Object.keys(cluster.owners()), ['one'])
  })

  it('refuses to change fields of other managers, and names them', () => {
    const cluster = new Cluster()
    cluster.apply('one', data({ a: '1', b: '1' }))
    cluster.apply('two', data({ c: '1' }))
    assert.equal(cluster.refused('three', data({ a: '2' })), 'Apply failed with 1 conflict: conflict with "one": .data.a')
    assert.equal(
      cluster.refused('three', data({ b: '2', a: '2', c: '2' })),
      'Apply failed with 3 conflicts: conflicts with "one":\n- .data.a\n- .data.b\nconflicts with "two":\n- .data.c'
    )
  })

  it('names the conflicts of a subresource before those of the same manager elsewhere', () => {
    const cluster = new Cluster()
    const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' }
    const managedFields = [
      { ...entry, fieldsV1: { 'f:data': { 'f:a': {} } } },
      { ...entry, fieldsV1: { 'f:data': { 'f:b': {} } }, subresource: 'status' }
    ]
    cluster.live = { metadata: { name: 'a', uid: 'u', managedFields }, data: { a: '1', b: '1' } }
    assert.equal(
      cluster.refused('me', data({ a: '2', b: '2' })),
      'Apply failed with 2 conflicts: conflicts with "m" with subresource "status" using v1:\n- .data.b\nconflicts with "m" using v1:\n- .data.a'
    )
  })

  it('removes a field that holds only an empty list, whoever else owns the field', () => {
    const cluster = new Cluster('core.v1.PersistentVolumeClaim', 'v1')
    const claim = (status: any) => ({ metadata: { name: 'a' }, status })
    cluster.apply('one', claim({ phase: 'Bound' }))
    cluster.apply('two', claim({}))
    cluster.apply('one', claim({ conditions: [] }))
    assert.deepEqual(cluster.owners(), {})
    cluster.apply('two', claim({}))
    cluster.apply('one', claim({ phase: 'Bound' }))
    cluster.apply('one', claim({ accessModes: [] }))
    assert.deepEqual(Object.keys(cluster.owners()), ['two', 'one'])
  })

  it('takes over fields by force', () => {
    const cluster = new Cluster()
    cluster.apply('one', data({ a: '1', b: '1' }))
    cluster.apply('two', data({ a: '2' }), true)
    assert.deepEqual(cluster.live.data, { a: '2', b: '1' })
    assert.deepEqual(cluster.owners(), { one: { 'f:data': { 'f:b': {} } }, two: { 'f:data': { 'f:a': {} } } })
  })

  it('assigns an untracked object to before-first-apply', () => {
    const cluster = new Cluster('core.v1.ConfigMap', 'v1', { metadata: { name: 'a', uid: 'u' }, data: { a: '1' } })
    assert.match(cluster.refused('one', data({ a: '2' })), /conflict with "before-first-apply" using v1: \.data\.a$/)
    cluster.apply('one', data({ b: '2' }))
    assert.deepEqual(cluster.owners(), {
      one: { 'f:data': { 'f:b': {} } },
      'before-first-apply': { 'f:data': { '.': {}, 'f:a': {} } }
    })
  })

  it('keeps the time of a manager that changes nothing, and sets no time for a new one', () => {
    const cluster = new Cluster()
    cluster.apply('one', data({ a: '1', b: '1' }))
    cluster.apply('two', data({ a: '1' }))
    cluster.apply('one', data({ a: '1', b: '1' }))
    assert.deepEqual(
      cluster.live.metadata.managedFields.map((e: any) => [e.manager, e.time]),
      [
        ['two', undefined],
        ['one', '1']
      ]
    )
  })

  it('identifies items of a list by all their keys, with defaults', () => {
    const cluster = new Cluster('apps.v1.Deployment', 'apps/v1')
    const ports = (list: any[]) => deployment({ containers: [{ name: 'c', ports: list }] })
    cluster.apply('one', ports([{ containerPort: 53, name: 'a' }]))
    cluster.apply('two', ports([{ containerPort: 53, protocol: 'UDP', name: 'b' }]))
    assert.equal(
      cluster.refused('two', ports([{ containerPort: 53, protocol: 'TCP', name: 'b' }])),
      'Apply failed with 1 conflict: conflict with "one": .spec.template.spec.containers[name="c"].ports[containerPort=53,protocol="TCP"].name'
    )
  })

  it('keeps the order of the applied list, and the positions of other items', () => {
    const cluster = new Cluster('apps.v1.Deployment', 'apps/v1')
    const containers = (...names: string[]) => deployment({ containers: names.map(name => ({ name })) })
    const order = (object: any) => object.spec.template.spec.containers.map((c: any) => c.name).join(' ')
    cluster.apply('one', containers('web'))
    assert.equal(order(cluster.apply('two', containers('side', 'web'))), 'side web')
    assert.equal(order(cluster.apply('two', containers('first', 'side'))), 'first side web')
    assert.equal(order(cluster.apply('two', containers('side', 'first'))), 'side web first')
  })

  it('has one owner for atomic lists, maps and structs', () => {
    const cluster = new Cluster('apps.v1.Deployment', 'apps/v1')
    cluster.apply('one', deployment({ nodeSelector: { a: '1' }, containers: [{ name: 'c', args: ['x'] }] }))
    assert.match(cluster.refused('two', deployment({ nodeSelector: { b: '1' } })), /\.nodeSelector$/)
    assert.match(cluster.refused('two', deployment({ containers: [{ name: 'c', args: ['y'] }] })), /\.args$/)
  })

  it('lets kubectl take over the fields in its last-applied annotation', () => {
    const key = 'kubectl.kubernetes.io/last-applied-configuration'
    const note = JSON.stringify({ apiVersion: 'v1', data: { a: '1' } })
    const live = { metadata: { name: 'a', uid: 'u', annotations: { [key]: note } }, data: { a: '1', b: '1' } }
    const cluster = new Cluster('core.v1.ConfigMap', 'v1', live)
    assert.match(cluster.refused('other', data({ a: '2' })), /\.data\.a$/)
    assert.match(cluster.refused('kubectl', data({ a: '2', b: '2' })), /1 conflict: .*\.data\.b$/)
    assert.deepEqual(cluster.apply('kubectl', data({ a: '2' })).data, { a: '2', b: '1' })
  })
})

describe('an applied configuration', () => {
  const problems = (kind: string, config: any) => fieldSet(placeOf(schema.type(kind)), config).problems

  it('has only fields of its type, with values of their type', () => {
    assert.deepEqual(problems('core.v1.ConfigMap', { data: { k: 7 }, extra: 1, more: 1 }), [
      '.data.k: expected string, got &value.valueUnstructured{Value:7}',
      '.extra: field not declared in schema'
    ])
    assert.deepEqual(problems('core.v1.ConfigMap', { data: ['x'] }), ['.data: expected map, got &{[x]}'])
  })

  it('may contain each item of a set or a keyed list only once', () => {
    assert.deepEqual(problems('core.v1.ConfigMap', { metadata: { finalizers: ['a/b', 'a/b'] } }), [
      '.metadata.finalizers: duplicate entries for key [="a/b"]'
    ])
    assert.deepEqual(problems('core.v1.Service', { spec: { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] } }), [
      '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]'
    ])
  })

  it('accepts anything in a struct without fields', () => {
    const status = { a: 1, b: { c: [true] } }
    const type = schema.type('apiextensions.v1.CustomResourceSubresources')
    assert.deepEqual(fieldSet(placeOf(type as any), { status }).problems, [])
  })

  it('may use any name as a key', () => {
    const { fields } = fieldSet(
      placeOf(schema.type('core.v1.ConfigMap')),
      JSON.parse('{"data":{"__proto__":"x","constructor":"y"}}')
    )
    assert.deepEqual(Object.keys(fields['f:data']!), ['f:__proto__', 'f:constructor'])
  })
})
