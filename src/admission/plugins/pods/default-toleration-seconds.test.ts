import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import type { BuiltinPlugin } from '../../admission.js'
import { defaultTolerationSeconds } from './default-toleration-seconds.js'

const notReady = 'node.kubernetes.io/not-ready'
const unreachable = 'node.kubernetes.io/unreachable'
const usual = (key: string) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 })
const tolerationsBy = async (plugin: BuiltinPlugin, ...given: object[]) => {
  const object = { metadata: {}, spec: { tolerations: given } }
  return (await attempt(plugin, { resource: 'pods', object })).object.spec.tolerations
}
const tolerations = (...given: object[]) => tolerationsBy(defaultTolerationSeconds(), ...given)

test('Pods tolerate a node that is not ready or unreachable for five minutes, unless they say otherwise', async () => {
  assert.deepEqual(await tolerations(), [usual(notReady), usual(unreachable)])
  const own = { key: notReady, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }
  assert.deepEqual(await tolerations(own), [own, usual(unreachable)])
  const noSchedule = { key: notReady, operator: 'Exists', effect: 'NoSchedule' }
  assert.deepEqual(await tolerations(noSchedule), [noSchedule, usual(notReady), usual(unreachable)])
  const all = { operator: 'Exists' }
  assert.deepEqual(await tolerations(all), [all])
})

test('the times are those of the server', async () => {
  const found = await tolerationsBy(defaultTolerationSeconds({ notReady: 1, unreachable: 0 }))
  assert.deepEqual(
    found.map(({ tolerationSeconds }: { tolerationSeconds: number }) => tolerationSeconds),
    [1, 0]
  )
})
