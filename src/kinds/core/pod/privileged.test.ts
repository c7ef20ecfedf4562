import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({
  log: silentLogger,
  controllers: [],
  allowPrivileged: false,
  disableAdmissionPlugins: ['ServiceAccount']
})
before(() => server.start())
after(() => server.stop())

const container = (privileged?: boolean) => ({ name: 'c', image: 'i', securityContext: { privileged } })
async function causesOf(path: string, body: object): Promise<string[] | undefined> {
  const answer = await server.inject({ method: 'POST', url: `${path}?dryRun=All`, user, body })
  return answer.json().details?.causes?.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`)
}
const pods = '/api/v1/namespaces/default/pods'

test('without --allow-privileged, containers are not privileged', async () => {
  const spec = { containers: [container(false)], initContainers: [{ ...container(true), name: 'i' }] }
  assert.deepEqual(await causesOf(pods, { metadata: { name: 'p' }, spec }), [
    'spec.initContainers[0].securityContext.privileged: Forbidden: disallowed by cluster policy'
  ])
  assert.equal(await causesOf(pods, { metadata: { name: 'p' }, spec: { containers: [container(false)] } }), undefined)
})

test('neither are those of templates', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container(true)] } }
  const body = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } }
  assert.deepEqual(await causesOf('/apis/apps/v1/namespaces/default/deployments', body), [
    'spec.template.spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy'
  ])
})

test('nor are there HostProcess containers', async () => {
  const windowsOptions = { hostProcess: true }
  const spec = { hostNetwork: true, securityContext: { windowsOptions }, containers: [{ name: 'c', image: 'i' }] }
  assert.deepEqual(await causesOf(pods, { metadata: { name: 'p' }, spec }), [
    'spec: Forbidden: hostProcess containers are disallowed by cluster policy'
  ])
})
