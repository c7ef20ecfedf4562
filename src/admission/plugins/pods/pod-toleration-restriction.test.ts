import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Toleration } from '../../../apimachinery/api/generated/core-v1.js'
import { attempt } from '../../../testkit/admission.js'
import { podTolerationRestriction } from './pod-toleration-restriction.js'

const prefix = 'scheduler.alpha.kubernetes.io/'
const exists = (key: string): Toleration => ({ key, operator: 'Exists' })
const pressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' }
const namespace = (name: string, annotations: Record<string, readonly Toleration[] | string>) => ({
  metadata: {
    name,
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [prefix + key, typeof value === 'string' ? value : JSON.stringify(value)])
    )
  }
})
const stored = {
  namespaces: [
    { metadata: { name: 'plain' } },
    namespace('own', { defaultTolerations: [exists('own')] }),
    namespace('none', { defaultTolerations: '' }),
    namespace('strict', { defaultTolerations: '', tolerationsWhitelist: [exists('k')] }),
    namespace('open', { tolerationsWhitelist: '' })
  ]
}

async function tolerationsOf(where: string, spec: object, more: object = {}, whitelist: readonly Toleration[] = []) {
  const plugin = podTolerationRestriction({ defaults: [exists('def')], whitelist })
  const object = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', resources: {} }], ...spec } }
  const outcome = await attempt(plugin, { resource: 'pods', namespace: where, object, stored, ...more })
  return outcome.refused ?? outcome.object.spec.tolerations
}
const update = { operation: 'UPDATE', oldObject: {} }
const burstable = { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] }

test('a new Pod gets the tolerations of its namespace, or else those of the cluster', async () => {
  assert.deepEqual(await tolerationsOf('plain', {}), [exists('def')])
  assert.deepEqual(await tolerationsOf('own', { tolerations: [exists('k')] }), [exists('k'), exists('own')])
  // an empty annotation says that there are none
  assert.equal(await tolerationsOf('none', {}), undefined)
  assert.equal(await tolerationsOf('own', {}, update), undefined)
})

test('a Pod that is not of the class BestEffort tolerates memory pressure', async () => {
  assert.deepEqual(await tolerationsOf('none', burstable), [pressure])
  assert.deepEqual(await tolerationsOf('own', burstable, update), [pressure])
})

test('an annotation that is no list of tolerations is an error, in the words of Go', async () => {
  for (const [text, expected] of [
    ['x', "invalid character 'x' looking for beginning of value"],
    ['[', 'unexpected end of JSON input'],
    ['{}', 'json: cannot unmarshal object into Go value of type []v1.Toleration'],
    ['[{"key":1}]', 'json: cannot unmarshal number into Go struct field Toleration.key of type string'],
    ['[1]', 'json: cannot unmarshal number into Go value of type v1.Toleration'],
    ['[{"KEY":"k","Operator":"Exists","unknown":1}]', [exists('k')]],
    ['null', undefined]
  ] as const) {
    const namespaces = [namespace('odd', { defaultTolerations: text })]
    const found = await tolerationsOf('odd', {}, { stored: { namespaces } })
    assert.equal(JSON.stringify(found), JSON.stringify(expected), text)
  }
})

test('the seconds of an annotation are kept to the last digit', async () => {
  const seconds = '9007199254740993'
  const text = `[{"operator":"Exists","effect":"NoExecute","tolerationSeconds":${seconds}}]`
  const namespaces = [namespace('long', { defaultTolerations: text })]
  const found: any = await tolerationsOf('long', {}, { stored: { namespaces } })
  assert.equal(String(found[0].tolerationSeconds), seconds)
})

test('a Pod may tolerate only what the whitelist of its namespace, or else of the cluster, covers', async () => {
  const conflict = (scope: string) =>
    `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`
  const tolerates = (key: string) => ({ tolerations: [exists(key)] })
  assert.deepEqual(await tolerationsOf('strict', tolerates('k')), [exists('k')])
  assert.equal(await tolerationsOf('strict', tolerates('j')), conflict('namespace'))
  assert.equal(await tolerationsOf('strict', tolerates('j'), update), conflict('namespace'))
  assert.deepEqual(await tolerationsOf('strict', tolerates('j'), { subresource: 'status' }), [exists('j')])
  assert.equal(await tolerationsOf('strict', {}), undefined)
  assert.equal(await tolerationsOf('none', tolerates('j'), {}, [exists('k')]), conflict('cluster'))
  assert.equal(await tolerationsOf('plain', {}, {}, [exists('k')]), conflict('cluster'))
  // an empty whitelist of the namespace allows everything
  assert.deepEqual(await tolerationsOf('open', tolerates('j'), update, [exists('k')]), [exists('j')])
  assert.equal(await tolerationsOf('gone', {}), 'namespaces "gone" not found')
})
