/** Quotas and limit ranges in a whole server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
})
after(() => server.stop())

const ask = (method: string, url: string, body?: unknown) => send(server, method, url, body)
const namespace = async (name: string) => {
  await ask('POST', '/api/v1/namespaces', { metadata: { name } })
  return `/api/v1/namespaces/${name}`
}
const pod = (name: string, resources: object = {}, spec: object = {}) => ({
  metadata: { name },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i', resources }], ...spec }
})

const used = (url: string, wanted: Record<string, string>) =>
  eventually(
    `${url} has used ${JSON.stringify(wanted)}`,
    async () => (await ask('GET', url)).body.status.used,
    seen => isDeepStrictEqual(seen, wanted)
  )

describe('ResourceQuota', () => {
  test('concurrent requests never exceed a quota', async () => {
    const at = await namespace('crowd')
    await ask('POST', `${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { pods: '5', 'count/secrets': '3' } } })
    await used(`${at}/resourcequotas/q`, { pods: '0', 'count/secrets': '0' })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => ask('POST', `${at}/pods`, pod(`p${i}`))))
    assert.equal(answers.filter(({ status }) => status === 201).length, 5)
    const refused = answers.find(({ status }) => status === 403)!.body
    assert.match(refused.message, /exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5$/)
  })

  test('the status keeps the spelling of a limit that stays the same', async () => {
    const at = await namespace('spelling')
    const url = `${at}/resourcequotas/q`
    await ask('POST', `${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { cpu: '1e3', pods: '1' } } })
    await used(url, { cpu: '0', pods: '0' })
    await ask('PATCH', url, { spec: { hard: { cpu: '1k' } } })
    await ask('POST', `${at}/secrets`, { metadata: { name: 's' } })
    // the controller comes to this one after the first
    await ask('POST', `${at}/resourcequotas`, { metadata: { name: 'later' }, spec: { hard: { pods: '1' } } })
    await used(`${at}/resourcequotas/later`, { pods: '0' })
    assert.deepEqual((await ask('GET', url)).body.status.hard, { cpu: '1e3', pods: '1' })
    await ask('PATCH', url, { spec: { hard: { cpu: '2k', pods: '2' } } })
    const { hard } = await eventually(
      'the status has the new limit',
      async () => (await ask('GET', url)).body.status,
      status => status.hard.cpu === '2k'
    )
    assert.deepEqual(hard, { cpu: '2k', pods: '2' })
  })

  test('a deleted or finished Pod releases its usage', async () => {
    const at = await namespace('back')
    await ask('POST', `${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { pods: '1', 'requests.cpu': '1' } } })
    await used(`${at}/resourcequotas/q`, { pods: '0', 'requests.cpu': '0' })
    const body = pod('a', { requests: { cpu: '700m' } })
    assert.equal((await ask('POST', `${at}/pods`, body)).status, 201)
    await used(`${at}/resourcequotas/q`, { pods: '1', 'requests.cpu': '700m' })
    await ask('DELETE', `${at}/pods/a`)
    await used(`${at}/resourcequotas/q`, { pods: '0', 'requests.cpu': '0' })
    assert.equal((await ask('POST', `${at}/pods`, body)).status, 201)
    await ask('PATCH', `${at}/pods/a/status`, { status: { phase: 'Succeeded' } })
    await used(`${at}/resourcequotas/q`, { pods: '0', 'requests.cpu': '0' })
  })

  test('an object that leaves the scope of a quota releases its usage, whatever makes it leave', async () => {
    const at = await namespace('scopes')
    const quota = (name: string, hard: object, spec: object) =>
      ask('POST', `${at}/resourcequotas`, { metadata: { name }, spec: { hard, ...spec } })
    await quota('endless', { pods: '1', 'requests.cpu': '1' }, { scopes: ['NotTerminating'] })
    await quota('ending', { 'count/pods': '5' }, { scopes: ['Terminating'] })
    const matchExpressions = [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['fast'] }]
    await quota('fast', { persistentvolumeclaims: '1' }, { scopeSelector: { matchExpressions } })
    await used(`${at}/resourcequotas/endless`, { pods: '0', 'requests.cpu': '0' })
    await used(`${at}/resourcequotas/fast`, { persistentvolumeclaims: '0' })
    const body = (name: string) => pod(name, { requests: { cpu: '700m' } })
    assert.equal((await ask('POST', `${at}/pods`, body('a'))).status, 201)
    await used(`${at}/resourcequotas/endless`, { pods: '1', 'requests.cpu': '700m' })
    assert.equal((await ask('PATCH', `${at}/pods/a`, { spec: { activeDeadlineSeconds: 9 } })).status, 200)
    await used(`${at}/resourcequotas/endless`, { pods: '0', 'requests.cpu': '0' })
    await used(`${at}/resourcequotas/ending`, { 'count/pods': '1' })
    assert.equal((await ask('POST', `${at}/pods`, body('b'))).status, 201)

    const claim = {
      metadata: { name: 'c' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'x',
        volumeName: 'v',
        volumeAttributesClassName: 'slow'
      }
    }
    const claims = `${at}/persistentvolumeclaims`
    assert.equal((await ask('POST', claims, claim)).status, 201)
    const shows = (name: string) =>
      ask('PATCH', `${claims}/c/status`, { status: { phase: 'Bound', currentVolumeAttributesClassName: name } })
    assert.equal((await shows('fast')).status, 200)
    await used(`${at}/resourcequotas/fast`, { persistentvolumeclaims: '1' })
    assert.equal((await shows('slow')).status, 200)
    await used(`${at}/resourcequotas/fast`, { persistentvolumeclaims: '0' })
  })

  test('a claim that a quota concerns is charged by all names, and so are Pods that ask for devices of a class', async () => {
    const at = await namespace('devices')
    const claims = '/apis/resource.k8s.io/v1/namespaces/devices/resourceclaims'
    const [ofClass, count] = ['requests.deviceclass.resource.kubernetes.io/fpga', 'count/resourceclaims.resource.k8s.io']
    await ask('POST', `${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { [ofClass]: '3', [count]: '5' } } })
    await used(`${at}/resourcequotas/q`, { [ofClass]: '0', [count]: '0' })
    const requests = [{ name: 'r', exactly: { deviceClassName: 'fpga', count: 2 } }]
    assert.equal((await ask('POST', claims, { metadata: { name: 'c' }, spec: { devices: { requests } } })).status, 201)
    await used(`${at}/resourcequotas/q`, { [ofClass]: '2', [count]: '1' })
    const devices = (amount: string) => ({ limits: { 'deviceclass.resource.kubernetes.io/fpga': amount } })
    assert.match(
      (await ask('POST', `${at}/pods`, pod('two', devices('2')))).body.message,
      /exceeded quota: q, requested: .*fpga=2,/
    )
    assert.equal((await ask('POST', `${at}/pods`, pod('one', devices('1')))).status, 201)
    await used(`${at}/resourcequotas/q`, { [ofClass]: '3', [count]: '1' })
  })

  test('what containers have counts from when their status says so', async () => {
    const at = await namespace('given')
    await ask('POST', `${at}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { 'requests.cpu': '9' } } })
    await used(`${at}/resourcequotas/q`, { 'requests.cpu': '0' })
    await ask('POST', `${at}/pods`, pod('a', { requests: { cpu: '1' } }))
    const given = { name: 'c', ready: false, restartCount: 0, image: 'i', imageID: '' }
    const shows = (cpu: string) =>
      ask('PATCH', `${at}/pods/a/status`, { status: { containerStatuses: [{ ...given, resources: { requests: { cpu } } }] } })
    assert.equal((await shows('2')).status, 200)
    await used(`${at}/resourcequotas/q`, { 'requests.cpu': '2' })
    assert.equal((await shows('500m')).status, 200)
    await used(`${at}/resourcequotas/q`, { 'requests.cpu': '1' })
  })

  test('counts claims by class, services by type, and only objects in scope', async () => {
    const at = await namespace('kinds')
    const gold = 'gold.storageclass.storage.k8s.io/requests.storage'
    await ask('POST', `${at}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard: { [gold]: '9Gi', 'services.nodeports': '2', persistentvolumeclaims: '3' } }
    })
    const best = { metadata: { name: 'best' }, spec: { hard: { pods: '2' }, scopes: ['BestEffort'] } }
    await ask('POST', `${at}/resourcequotas`, best)
    await used(`${at}/resourcequotas/best`, { pods: '0' })
    await used(`${at}/resourcequotas/q`, { [gold]: '0', 'services.nodeports': '0', persistentvolumeclaims: '0' })
    const claim = (name: string, storageClassName: string) => ({
      metadata: { name },
      spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '4Gi' } } }
    })
    for (const [name, className] of Object.entries({ a: 'gold', b: 'silver' }))
      assert.equal((await ask('POST', `${at}/persistentvolumeclaims`, claim(name, className))).status, 201)
    const ports = [1, 2, 3].map(port => ({ name: `p${port}`, port }))
    const service = { metadata: { name: 's' }, spec: { type: 'NodePort', ports } }
    assert.equal((await ask('POST', `${at}/services`, service)).status, 403)
    assert.equal((await ask('POST', `${at}/pods`, pod('burst', { requests: { cpu: '1' } }))).status, 201)
    assert.equal((await ask('POST', `${at}/pods`, pod('best'))).status, 201)
    await used(`${at}/resourcequotas/q`, { [gold]: '4Gi', 'services.nodeports': '0', persistentvolumeclaims: '2' })
    await used(`${at}/resourcequotas/best`, { pods: '1' })
  })
})

describe('LimitRange', () => {
  test('fills in requests and limits, and validates Pods as a whole with their init containers', async () => {
    const at = await namespace('limits')
    const limits = [
      { type: 'Container', default: { cpu: '500m' }, defaultRequest: { cpu: '250m' } },
      { type: 'Pod', max: { cpu: '1' } }
    ]
    await ask('POST', `${at}/limitranges`, { metadata: { name: 'l' }, spec: { limits } })
    const { body } = await ask('POST', `${at}/pods`, pod('a'))
    assert.deepEqual(body.spec.containers[0].resources, { limits: { cpu: '500m' }, requests: { cpu: '250m' } })
    assert.match(
      body.metadata.annotations['kubernetes.io/limit-ranger'],
      /cpu request for container c; cpu limit for container c$/
    )
    const sidecar = { name: 's', image: 'i', restartPolicy: 'Always', resources: { limits: { cpu: '600m' } } }
    const refused = await ask('POST', `${at}/pods`, pod('b', {}, { initContainers: [sidecar] }))
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /maximum cpu usage per Pod is 1, but limit is 1100m$/)
  })
})
