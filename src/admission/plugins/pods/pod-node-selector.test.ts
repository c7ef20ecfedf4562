import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { podNodeSelector } from './pod-node-selector.js'

const annotation = 'scheduler.alpha.kubernetes.io/node-selector'
const namespace = (name: string, selector?: string) => ({
  metadata: { name, ...(selector === undefined ? {} : { annotations: { [annotation]: selector } }) }
})
const stored = {
  namespaces: [
    namespace('plain'),
    namespace('own', 'zone=b'),
    namespace('none', ''),
    namespace('wrong', 'zone'),
    namespace('twice', 'a=b=c'),
    namespace('spaced', 'zone = b , disk=ssd'),
    namespace('badly', 'zone=b c'),
    namespace('listed', 'zone=a'),
    { metadata: { name: 'other', annotations: { 'example.com/node-selector': 'zone=c' } } }
  ]
}
const settings = { clusterDefaultNodeSelector: 'zone=a', listed: 'zone=a,disk=ssd' }

async function selectorOf(namespace: string, nodeSelector?: object, more: object = {}) {
  const object = { metadata: { name: 'p' }, spec: { nodeSelector } }
  const { object: after, refused } = await attempt(podNodeSelector(settings), {
    resource: 'pods',
    namespace,
    object,
    stored,
    ...more
  })
  return refused ?? after.spec.nodeSelector
}

test('a Pod gets the selector of its namespace, or else the one of the cluster', async () => {
  assert.deepEqual(await selectorOf('plain'), { zone: 'a' })
  assert.deepEqual(await selectorOf('other'), { zone: 'a' })
  assert.deepEqual(await selectorOf('plain', { x: 'y' }), { zone: 'a', x: 'y' })
  assert.deepEqual(await selectorOf('own', { zone: 'b' }), { zone: 'b' })
  // an empty annotation says that there is none
  assert.equal(await selectorOf('none'), undefined)
  assert.deepEqual(await selectorOf('none', { zone: 'z' }), { zone: 'z' })
})

test('a Pod may neither contradict its namespace nor select by labels that are not listed', async () => {
  const conflict = 'pod node label selector conflicts with its namespace node label selector'
  const unlisted = 'pod node label selector labels conflict with its namespace whitelist'
  for (const [where, selector, expected] of [
    ['plain', { zone: 'b' }, conflict],
    ['own', { zone: 'a' }, conflict],
    ['listed', { disk: 'hdd' }, unlisted],
    ['listed', { x: 'y' }, unlisted],
    ['listed', { disk: 'ssd' }, { zone: 'a', disk: 'ssd' }],
    ['plain', { disk: 'hdd' }, { zone: 'a', disk: 'hdd' }]
  ] as const)
    assert.deepEqual(await selectorOf(where, selector), expected)
  assert.equal(await selectorOf('wrong'), 'invalid selector: [zone]')
  assert.equal(await selectorOf('twice'), 'invalid selector: [a b c]')
  assert.deepEqual(await selectorOf('spaced'), { zone: 'b', disk: 'ssd' })
  assert.match(await selectorOf('badly'), /^\[zone\]: Invalid value: "b c": a valid label must be/)
})

test('it is about new Pods in a namespace that exists', async () => {
  const update = { operation: 'UPDATE', oldObject: {} }
  assert.deepEqual(await selectorOf('plain', { zone: 'b' }, update), { zone: 'b' })
  assert.deepEqual(await selectorOf('plain', { zone: 'b' }, { subresource: 'status' }), { zone: 'b' })
  assert.equal(await selectorOf('gone'), 'Internal error occurred: namespace gone does not exist')
})

test('what a later plugin changed is validated, too', async () => {
  const plugin = { ...podNodeSelector(settings), admit: undefined as never }
  const object = { metadata: { name: 'p' }, spec: { nodeSelector: { zone: 'b' } } }
  const { refused } = await attempt(plugin, { resource: 'pods', namespace: 'plain', object, stored })
  assert.match(refused!, /^pod node label selector conflicts/)
})
