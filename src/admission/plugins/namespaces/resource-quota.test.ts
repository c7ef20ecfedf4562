import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { attempt } from '../../../testing/admission.js'
import { silentLogger } from '../../../util/logger.js'
import { resourceQuota } from './resource-quota.js'

const quota = (hard: object, used: object | undefined, spec: object = {}) => ({
  resourcequotas: [{ metadata: { name: 'q', namespace: 'default' }, spec: { hard, ...spec }, status: { hard, used } }]
})
const pod = (cpu?: string) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', resources: cpu ? { requests: { cpu } } : {} }] },
  status: {}
})
const refusal = async (object: object, stored: ReturnType<typeof quota>) =>
  (await attempt(resourceQuota, { resource: 'pods', object, stored })).refused

test('a write that would exceed a quota is refused', async () => {
  assert.equal(
    await refusal(pod('2'), quota({ 'requests.cpu': '3' }, { 'requests.cpu': '1500m' })),
    'exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=1500m, limited: requests.cpu=3'
  )
  assert.equal(
    await refusal(pod(), quota({ 'requests.cpu': '3' }, { 'requests.cpu': '0' })),
    'failed quota: q: must specify requests.cpu for: c'
  )
  assert.equal(await refusal(pod(), quota({ pods: '1' }, undefined)), 'status unknown for quota: q, resources: pods')
  const terminating = { scopes: ['Terminating'] }
  assert.equal(await refusal(pod('2'), quota({ 'requests.cpu': '1' }, { 'requests.cpu': '0' }, terminating)), undefined)
})

test('a write that a quota allows is charged to it, unless it is a dry run', async t => {
  const server = createServer({ log: silentLogger })
  await server.start()
  t.after(() => server.stop())
  const user = { name: 'admin', groups: ['system:masters'] }
  const send = async (method: string, url: string, body?: object) =>
    (await server.inject({ method, url: `/api/v1/namespaces/default/${url}`, user, ...(body ? { body } : {}) })).json() as any
  const hard = { 'count/secrets': '2' }
  const made = await send('POST', 'resourcequotas', { metadata: { name: 'q' }, spec: { hard } })
  await send('PUT', 'resourcequotas/q/status', {
    ...made,
    metadata: { name: 'q' },
    status: { hard, used: { 'count/secrets': '0' } }
  })
  await send('POST', 'secrets?dryRun=All', { metadata: { name: 'a' } })
  assert.equal((await send('GET', 'resourcequotas/q')).status.used['count/secrets'], '0')
  await send('POST', 'secrets', { metadata: { name: 'a' } })
  assert.equal((await send('GET', 'resourcequotas/q')).status.used['count/secrets'], '1')
})
