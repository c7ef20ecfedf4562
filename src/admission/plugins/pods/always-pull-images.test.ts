import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { alwaysPullImages } from './always-pull-images.js'

const pod = (image: string, more: object = {}) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image, imagePullPolicy: 'IfNotPresent' }], ...more }
})

test('every container and image volume of a new Pod pulls its image', async () => {
  const object = pod('a', {
    initContainers: [{ name: 'i', image: 'b' }],
    volumes: [
      { name: 'v', image: { reference: 'r' } },
      { name: 'e', emptyDir: {} }
    ]
  })
  const { spec } = (await attempt(alwaysPullImages, { resource: 'pods', object })).object
  assert.equal(spec.containers[0].imagePullPolicy, 'Always')
  assert.equal(spec.initContainers[0].imagePullPolicy, 'Always')
  assert.equal(spec.volumes[0].image.pullPolicy, 'Always')
  assert.deepEqual(spec.volumes[1], { name: 'e', emptyDir: {} })
})

test('an update is changed only when it brings a new image', async () => {
  const update = async (image: string) => {
    const what = { operation: 'UPDATE', resource: 'pods', object: pod(image), oldObject: pod('old') } as const
    const { object, refused } = await attempt(alwaysPullImages, what)
    assert.equal(refused, undefined)
    return object.spec.containers[0].imagePullPolicy
  }
  assert.equal(await update('old'), 'IfNotPresent')
  assert.equal(await update('new'), 'Always')
})

test('a pull policy that a later plugin has changed is refused', async () => {
  const validating = { ...alwaysPullImages, admit: undefined as never }
  const { refused } = await attempt(validating, { resource: 'pods', object: pod('a') })
  assert.match(refused!, /spec\.containers\[0\]\.imagePullPolicy: Unsupported value: "IfNotPresent": supported values: "Always"/)
})
