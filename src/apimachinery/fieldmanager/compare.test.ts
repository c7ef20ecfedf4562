import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { customType } from '../../apiextensions/custom-type.js'
import { decode } from '../schema/decode.js'
import { loadSchema } from '../schema/load.js'
import { structuralSchema } from '../structural/structural.js'
import { compare, type Origin } from './compare.js'
import { ViewError } from './version-view.js'

it('accepts items that are not objects, which a custom resource may have before validation', () => {
  const pod = (containers: unknown) => ({ spec: { containers } })
  const { changed } = compare(loadSchema().type('core.v1.Pod'), pod([]), pod([null, 'x', { name: 'a' }]))
  assert.deepEqual(Object.keys((changed as any)['f:spec']['f:containers']), ['k:{"name":""}', 'k:{"name":"a"}'])
})

it('counts lost parts as removed, not as changed, so that other managers keep the fields around them', () => {
  const type = loadSchema().type('core.v1.ConfigMap')
  const { changed, removed } = compare(type, { metadata: { labels: { a: 'b' } } }, { metadata: { labels: null } })
  assert.equal(changed, undefined)
  assert.deepEqual(Object.keys((removed as any)['f:metadata']['f:labels']), ['f:a'])
})

it('accepts an explicit null as the key of an item', () => {
  const { changed } = compare(loadSchema().type('core.v1.Pod'), {}, { spec: { containers: [{ name: null }] } })
  assert.ok((changed as any)['f:spec']['f:containers']['k:{"name":null}'])
})

it('treats items with the same key as one value', () => {
  const pod = (...finalizers: string[]) => ({ metadata: { finalizers } })
  const difference = (a: object, b: object) => compare(loadSchema().type('core.v1.Pod'), a, b)
  const one = { 'f:metadata': { 'f:finalizers': { 'v:"a"': {} } } }
  assert.deepEqual(difference(pod('a'), pod('a', 'a')), { changed: one, removed: one })
  assert.deepEqual(difference(pod('a', 'a'), pod('a', 'a', 'a')), { changed: one, removed: undefined })
})

it('counts metrics with a quantity whose text Go does not keep as changed whenever they are decoded from a request', () => {
  const type = loadSchema().type('autoscaling.v2.HorizontalPodAutoscaler')
  const scaler = (averageValue: string) => ({
    spec: { metrics: [{ type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue } } }] }
  })
  const changed = (amount: string, origin: Origin) => compare(type, scaler(amount), scaler(amount), origin).changed
  assert.deepEqual(changed('512Mi', 'request'), { 'f:spec': { 'f:metrics': {} } })
  assert.equal(changed('512Mi', 'dry run'), undefined)
  assert.equal(changed('512Mi', 'old object'), undefined)
  assert.equal(changed('511Mi', 'request'), undefined)
})

it('sees empty values that a request gives in the lists of what is one field, as Go does', () => {
  const type = loadSchema().type('networking.v1.NetworkPolicy')
  const policy = (spec: object) => decode(type, { metadata: {}, spec: { podSelector: {}, ...spec } }).object
  const changed = (before: object, after: object, origin: Origin) => compare(type, policy(before), policy(after), origin).changed
  const expression = { key: 'a', operator: 'Exists' }
  const inList = [{ ingress: [{}] }, { ingress: [{ from: [] }] }] as const
  const inSelector = [expression, { ...expression, values: [] }].map(e => ({ podSelector: { matchExpressions: [e] } }))
  for (const origin of ['request', 'dry run'] as const) {
    assert.deepEqual(changed(...inList, origin), { 'f:spec': { 'f:ingress': {} } })
    assert.deepEqual(changed(inSelector[0]!, inSelector[1]!, origin), { 'f:spec': { 'f:podSelector': {} } })
    assert.equal(changed(inSelector[0]!, inSelector[0]!, origin), undefined)
    assert.equal(changed({}, { podSelector: { matchExpressions: [] } }, origin), undefined)
  }
  assert.equal(changed(...inList, 'old object'), undefined)
})

it('sees quantities in other words in the lists of what is one field, as Go does', () => {
  const type = loadSchema().type('core.v1.LimitRange')
  const range = (cpu: unknown) => decode(type, { metadata: {}, spec: { limits: [{ type: 'Pod', max: { cpu } }] } }).object
  const changed = (cpu: unknown, origin: Origin) => compare(type, range('1'), range(cpu), origin).changed
  const limits = { 'f:spec': { 'f:limits': {} } }
  for (const origin of ['request', 'dry run'] as const) {
    assert.deepEqual(changed('1000m', origin), limits)
    for (const same of ['1', 1]) assert.equal(changed(same, origin), undefined)
  }
  assert.equal(changed('1000m', 'old object'), undefined)
  const pod = loadSchema().type('core.v1.Pod')
  const container = (cpu: string) =>
    decode(pod, { metadata: {}, spec: { containers: [{ name: 'c', resources: { limits: { cpu } } }] } }).object
  assert.equal(compare(pod, container('1'), container('1000m'), 'request').changed, undefined)
})

describe('a value without a schema that takes another form', () => {
  const type = customType(structuralSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }), {
    group: 'g.io',
    version: 'v1',
    kind: 'Free'
  })
  const difference = (a: unknown, b: unknown) => compare(type, { x: a }, { x: b })
  const self = { 'f:x': {} }
  const parts = { 'f:x': { 'f:a': {} } }

  it('is changed itself, and what was below it is removed', () => {
    for (const value of ['s', '', 5, true, [1], []]) {
      assert.deepEqual(difference({ a: 1 }, value), { changed: self, removed: parts })
      assert.deepEqual(difference(value, { a: 1 }), { changed: { 'f:x': { '.': {}, 'f:a': {} } }, removed: undefined })
      assert.deepEqual(difference(value, {}), { changed: self, removed: undefined })
      assert.deepEqual(difference(value, null), { changed: self, removed: undefined })
    }
  })

  it('is not changed itself where only its parts come or go', () => {
    for (const nothing of [null, {}]) {
      assert.deepEqual(difference({ a: 1 }, nothing), { changed: undefined, removed: parts })
      assert.deepEqual(difference(nothing, { a: 1 }), { changed: parts, removed: undefined })
    }
  })
})

it('finds an item without its key even in an unchanged list', () => {
  const account = { secrets: [{}] }
  assert.throws(() => compare(loadSchema().type('core.v1.ServiceAccount'), account, structuredClone(account)), ViewError)
})
