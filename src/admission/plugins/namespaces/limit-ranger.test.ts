import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt } from '../../../testkit/admission.js'
import { limitRanger } from './limit-ranger.js'

const ranges = (...limits: object[]) => ({ limitranges: [{ metadata: { name: 'l', namespace: 'default' }, spec: { limits } }] })
const pod = (resources?: object, more: object = {}) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', ...(resources ? { resources } : {}) }], ...more }
})
const create = (object: object, limit: object, resource = 'pods') =>
  attempt(limitRanger, { resource, object, stored: ranges(limit) })

test('containers get the default requests and limits that they lack', async () => {
  const limit = { type: 'Container', default: { cpu: '2', memory: '1Gi' }, defaultRequest: { cpu: '1' } }
  const { object } = await create(pod({ limits: { cpu: '3' } }, { initContainers: [{ name: 'i' }] }), limit)
  assert.deepEqual(object.spec.containers[0].resources, { limits: { cpu: '3', memory: '1Gi' }, requests: { cpu: '1' } })
  assert.deepEqual(object.spec.initContainers[0].resources, { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } })
  assert.equal(
    object.metadata.annotations['kubernetes.io/limit-ranger'],
    'LimitRanger plugin set: cpu request for container c; memory limit for container c; cpu request for init container i; cpu, memory limit for init container i'
  )
  const other = { type: 'Pod', default: { cpu: '2' } }
  assert.equal((await create(pod(), other)).object.metadata.annotations, undefined)
})

test('a container may not request less than the minimum, have more than the maximum, or a greater ratio', async () => {
  const refusal = async (resources: object, limit: object) =>
    (await create(pod(resources), { type: 'Container', ...limit })).refused
  const both = (requests: string, limits: string) => ({ requests: { cpu: requests }, limits: { cpu: limits } })
  const min = { min: { cpu: '500m' } }
  assert.equal(await refusal(both('500m', '1'), min), undefined)
  assert.equal(await refusal(both('400m', '1'), min), 'minimum cpu usage per Container is 500m, but request is 400m')
  // quantities are compared in thousandths, rounded up
  assert.equal(await refusal(both('100u', '1'), { min: { cpu: '200u' } }), undefined)
  assert.equal(await refusal({}, min), 'minimum cpu usage per Container is 500m.  No request is specified')
  const all = await refusal({}, { min: { memory: '1Gi', cpu: '1', 'ephemeral-storage': '1Gi' } })
  assert.deepEqual(
    all!.match(/minimum \S+/g),
    ['cpu', 'ephemeral-storage', 'memory'].map(name => `minimum ${name}`)
  )
  const max = { max: { cpu: '1' } }
  assert.equal(await refusal(both('1', '1'), max), undefined)
  assert.equal(await refusal(both('1', '1001m'), max), 'maximum cpu usage per Container is 1, but limit is 1001m')
  assert.equal(await refusal({}, max), 'maximum cpu usage per Container is 1.  No limit is specified')
  const ratio = { maxLimitRequestRatio: { cpu: '2' } }
  assert.equal(await refusal(both('1', '2'), ratio), undefined)
  assert.equal(
    await refusal(both('1', '3'), ratio),
    'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000'
  )
})

test('a Pod is limited as a whole, and a claim by its request', async () => {
  const two = pod(undefined, { containers: ['a', 'b'].map(name => ({ name, resources: { limits: { cpu: '1' } } })) })
  assert.equal((await create(two, { type: 'Pod', max: { cpu: '1' } })).refused, 'maximum cpu usage per Pod is 1, but limit is 2')
  const claim = { metadata: { name: 'c' }, spec: { resources: { requests: { storage: '2Gi' } } } }
  const limit = { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }
  assert.equal(
    (await create(claim, limit, 'persistentvolumeclaims')).refused,
    'maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi'
  )
})

test('a resize of a Pod is limited, another update is not', async () => {
  const stored = ranges({ type: 'Container', max: { cpu: '1' } })
  const both = { requests: { cpu: '2' }, limits: { cpu: '2' } }
  const update = (subresource: string) =>
    attempt(limitRanger, { operation: 'UPDATE', resource: 'pods', subresource, object: pod(both), oldObject: pod(), stored })
  assert.match((await update('resize')).refused ?? '', /maximum cpu usage per Container is 1/)
  assert.equal((await update('')).refused, undefined)
  assert.equal((await update('status')).refused, undefined)
})

test('a minimum concerns limits, too, and a maximum requests', async () => {
  const refusal = async (resources: object, limit: object) =>
    (await create(pod(resources), { type: 'Container', ...limit })).refused
  const least = { min: { cpu: '500m' } }
  assert.equal(
    await refusal({ requests: { cpu: '500m' }, limits: { cpu: '400m' } }, least),
    'minimum cpu usage per Container is 500m, but limit is 400m'
  )
  assert.equal(await refusal({ requests: { cpu: '500m' } }, least), undefined)
  const most = { max: { cpu: '1' } }
  assert.equal(
    await refusal({ requests: { cpu: '2' }, limits: { cpu: '1' } }, most),
    'maximum cpu usage per Container is 1, but request is 2'
  )
  assert.equal(await refusal({ limits: { cpu: '1' } }, most), undefined)
})

test('a ratio needs a request and a limit, in thousandths where they are small', async () => {
  const refusal = async (requests: object, limits: object) =>
    (await create(pod({ requests, limits }), { type: 'Container', maxLimitRequestRatio: { cpu: '2' } })).refused
  const text = 'cpu max limit to request ratio per Container is 2, but'
  assert.equal(await refusal({ cpu: '0' }, { cpu: '1' }), `${text} no request is specified or request is 0`)
  assert.equal(await refusal({}, { cpu: '1' }), `${text} no request is specified or request is 0`)
  assert.equal(await refusal({ cpu: '1' }, {}), `${text} no limit is specified or limit is 0`)
  assert.equal(await refusal({ cpu: '1' }, { cpu: '0' }), `${text} no limit is specified or limit is 0`)
  assert.equal(await refusal({ cpu: '100m' }, { cpu: '200m' }), undefined)
  assert.equal(await refusal({ cpu: '100m' }, { cpu: '250m' }), `${text} provided ratio is 2.500000`)
})
