/** What does not fit the type that kube-apiserver has inside is refused in the words of each way to write. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

const server = createServer({ log: silentLogger, controllers: [] })
const user = { name: 'tester', groups: ['system:masters'] }
const url = '/apis/apps/v1/namespaces/default/deployments'
const annotation = 'deprecated.deployment.rollback.to'
const metadata = { annotations: { [annotation]: 'x' } }
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: { selector: { matchLabels: { a: 'b' } }, template }
}
const why = `failed to parse annotation[${annotation}]=x as int64: strconv.ParseInt: parsing "x": invalid syntax`

before(async () => {
  await server.start()
  await send(server, 'POST', url, deployment, { user })
})
after(() => server.stop())

async function refused(method: string, path: string, body: unknown, contentType = 'application/json') {
  const answer = await send(server, method, path, body, { user, type: contentType })
  return [answer.status, answer.body.reason, answer.body.message]
}
const whole = { ...deployment, metadata: { ...metadata, name: 'd' } }
const inWords = [400, 'BadRequest', `Deployment in version "v1" cannot be handled as a Deployment: ${why}`]

test('a whole object cannot be handled', async () => {
  assert.deepEqual(await refused('POST', url, whole), inWords)
  assert.deepEqual(await refused('PUT', `${url}/d`, whole), inWords)
})

test('a patched document is invalid, and shown', async () => {
  const operations = [{ op: 'add', path: '/metadata/annotations', value: metadata.annotations }]
  for (const [type, body] of [
    ['application/merge-patch+json', { metadata }],
    ['application/json-patch+json', operations]
  ] as const) {
    const [code, reason, message] = await refused('PATCH', `${url}/d`, body, type)
    assert.deepEqual([code, reason], [422, 'Invalid'])
    assert.ok(message.startsWith(' "" is invalid: patch: Invalid value: "{\\"') && message.endsWith(`: ${why}`), message)
  }
})

test('what a strategic merge patch and an apply have made has no document: the reason alone is told', async () => {
  const strategic = await refused('PATCH', `${url}/d`, { metadata }, 'application/strategic-merge-patch+json')
  assert.deepEqual(strategic, [500, undefined, why])
  for (const name of ['d', 'new']) {
    const config = { ...whole, metadata: { ...metadata, name } }
    const applied = await refused('PATCH', `${url}/${name}?fieldManager=m`, config, 'application/apply-patch+yaml')
    assert.deepEqual(applied, [500, undefined, `failed to convert to unversioned (/${name}; apps/v1, Kind=Deployment): ${why}`])
  }
})
