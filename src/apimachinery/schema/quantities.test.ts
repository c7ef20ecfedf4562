import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSchema } from './load.js'
import { respelled } from './quantities.js'

test('only quantities of equal value take the form of the other object', () => {
  const type = loadSchema().type('core.v1.PodSpec')
  const spec = (cpu: string, memory: string, value: string) => ({
    containers: [{ name: 'c', env: [{ name: 'E', value }], resources: { requests: { cpu, memory } } }]
  })
  const old = spec('1k', '1Gi', '1k')
  assert.deepEqual(respelled(type, old, spec('1000', '2Gi', '1000')), spec('1000', '1Gi', '1k'))
  assert.equal(respelled(type, old, spec('2', '2Gi', '1000')), old)
})
