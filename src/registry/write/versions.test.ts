/** When a write gives an object another version. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const server = createServer({ log: silentLogger, storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

const send = async (method: string, url: string, body?: object, type = 'application/json') =>
  (
    await server.inject({ method, url, user, headers: { 'content-type': type }, body: body && JSON.stringify(body) })
  ).json() as any
const patch = (url: string) => send('PATCH', url, {}, 'application/merge-patch+json')
const versionOf = (object: any) => Number(object.metadata.resourceVersion)

/** Whether the first, and a second update without changes give the new object another version. */
async function changes(collection: string, name: string, document: { metadata?: object; spec?: object }): Promise<boolean[]> {
  const made = await send('POST', collection, { ...document, metadata: { name, ...document.metadata } })
  const first = await patch(`${collection}/${name}`)
  const second = await patch(`${collection}/${name}`)
  return [versionOf(first) !== versionOf(made), versionOf(second) !== versionOf(first)]
}

test('the first update of an object that kube-apiserver stores without its defaults always does', async () => {
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  assert.deepEqual(await changes(claims, 'c', { spec }), [true, false])
  const jobs = '/apis/batch/v1/namespaces/default/jobs'
  const job = { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } }
  assert.deepEqual(await changes(jobs, 'plain', job), [true, false])
  assert.deepEqual(await changes(jobs, 'labelled', { ...job, metadata: { labels: { a: 'b' } } }), [false, false])
  assert.deepEqual(await changes('/api/v1/namespaces/default/configmaps', 'c', {}), [false, false])
})

test('a deletion answers with the object under the version of its end', async () => {
  const quotas = '/api/v1/namespaces/default/resourcequotas'
  const made = await send('POST', quotas, { metadata: { name: 'q' } })
  assert.equal(versionOf(await send('DELETE', `${quotas}/q?dryRun=All`)), versionOf(made))
  const deleted = await send('DELETE', `${quotas}/q`)
  assert.ok(versionOf(deleted) > versionOf(made))
  const { metadata } = await send('GET', quotas)
  assert.equal(metadata.resourceVersion, deleted.metadata.resourceVersion)
})

test('the kind of an Event in errors is that of the core group, in whose form it is kept', async () => {
  const events = '/apis/events.k8s.io/v1/namespaces/default/events'
  const event = {
    regarding: { namespace: 'default' },
    eventTime: '2024-03-04T05:06:07.000008Z',
    reportingController: 'example.com/c',
    reportingInstance: 'c-0',
    action: 'Do',
    reason: 'Did',
    type: 'Normal'
  }
  await send('POST', events, { metadata: { name: 'e' }, ...event })
  const { message, details } = await send('DELETE', `${events}/e`, { preconditions: { uid: 'x' } })
  assert.match(message, /^Operation cannot be fulfilled on Event "e": the UID in the precondition/)
  assert.equal(details.group, undefined)
  const wrong = await send('POST', events, { metadata: { name: 'B_' }, ...event, reason: '' })
  assert.deepEqual(
    wrong.details.causes.map((cause: any) => cause.field),
    ['reason', 'metadata.name']
  )
  const body = { metadata: { name: 'e', deletionTimestamp: '2001-02-03T04:05:06Z' }, ...event, reason: '' }
  const changed = await send('PUT', `${events}/e`, body)
  const inMetadata = 'metadata.deletionTimestamp'
  assert.deepEqual(
    changed.details.causes.map((cause: any) => cause.field),
    [inMetadata, 'reason', 'reason']
  )
})

test('an update ends an object that is being deleted and that nothing holds, even if it changes nothing', async () => {
  const url = '/api/v1/namespaces/ended'
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'ended' } })
  await send('PUT', `${url}/finalize`, { metadata: { name: 'ended' } })
  const { metadata, ...rest } = await send('DELETE', url)
  assert.ok(metadata.deletionTimestamp)
  const rehearsed = await send('PUT', `${url}?dryRun=All`, { metadata, ...rest })
  assert.equal(rehearsed.metadata.name, 'ended')
  assert.equal((await send('GET', url)).metadata.uid, metadata.uid)
  assert.equal((await send('PUT', url, { metadata, ...rest })).metadata.uid, metadata.uid)
  assert.equal((await send('GET', url)).code, 404)
})
