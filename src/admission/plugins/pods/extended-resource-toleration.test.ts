import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { extendedResourceToleration } from './extended-resource-toleration.js'

const tolerations = async (requests: object, ...given: object[]) => {
  const object = {
    metadata: {},
    spec: { tolerations: given, containers: [{ name: 'c', resources: { requests } }], initContainers: [{ name: 'i' }] }
  }
  return (await attempt(extendedResourceToleration, { resource: 'pods', object })).object.spec.tolerations
}

test('a Pod tolerates the taints with the names of the extended resources that it requests', async () => {
  const toleration = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' })
  assert.deepEqual(await tolerations({ 'example.com/b': '1', 'example.com/a': '1', cpu: '1' }), [
    toleration('example.com/a'),
    toleration('example.com/b')
  ])
  assert.deepEqual(await tolerations({ 'example.com/a': '1' }, toleration('example.com/a')), [toleration('example.com/a')])
  assert.deepEqual(await tolerations({ cpu: '1' }), [])
})
