import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { runtimeClass } from './runtime-class.js'

const toleration = { key: 'a', operator: 'Exists' }
const stored = {
  'runtimeclasses.node.k8s.io': [
    {
      metadata: { name: 'vm' },
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [toleration] }
    },
    { metadata: { name: 'plain' } }
  ]
}
const create = (spec: object) => attempt(runtimeClass, { resource: 'pods', object: { metadata: { name: 'p' }, spec }, stored })

test('a Pod gets the overhead, node selector and tolerations of its runtime class', async () => {
  const { object } = await create({ runtimeClassName: 'vm', nodeSelector: { a: 'b' } })
  const expected = { overhead: { cpu: '100m' }, nodeSelector: { a: 'b', vm: 'yes' }, tolerations: [toleration] }
  assert.deepEqual(object.spec, { runtimeClassName: 'vm', ...expected })
  const twice = await create({ runtimeClassName: 'vm', tolerations: [toleration] })
  assert.deepEqual(twice.object.spec.tolerations, [toleration])
})

test('a Pod that contradicts its runtime class is refused', async () => {
  const refusal = async (spec: object) => (await create(spec)).refused
  assert.equal(await refusal({ runtimeClassName: 'missing' }), 'pod rejected: RuntimeClass "missing" not found')
  assert.equal(await refusal({ runtimeClassName: '' }), 'resource name may not be empty')
  assert.match((await refusal({ runtimeClassName: 'a/b' }))!, /^invalid resource name "a\/b": \[may not contain '\/'\]/)
  assert.equal(
    await refusal({ runtimeClassName: 'vm', overhead: { cpu: '1' } }),
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
  )
  assert.equal(
    await refusal({ runtimeClassName: 'vm', nodeSelector: { vm: 'no' } }),
    'conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no'
  )
  const without = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'
  assert.equal(await refusal({ overhead: { cpu: '1' } }), without)
  assert.equal(await refusal({ runtimeClassName: 'plain', overhead: { cpu: '1' } }), without)
})
