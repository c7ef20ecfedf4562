/** Bodies that no client library sends. The answers are kube-apiserver's. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const url = '/api/v1/namespaces/default/configmaps'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
})
after(() => server.stop())

async function send(method: string, url: string, type: string, body: string | Buffer) {
  const answer = await server.inject({ method, url, user, body, headers: { 'content-type': type } })
  return answer.json()
}

it('an applied object may name the core group by a slash', async () => {
  const apply = (apiVersion: string) =>
    send(
      'PATCH',
      `${url}/slash?fieldManager=m`,
      'application/apply-patch+yaml',
      JSON.stringify({ apiVersion, kind: 'ConfigMap', metadata: { name: 'slash' } })
    )
  assert.equal((await apply('/v1')).apiVersion, 'v1')
  assert.equal((await apply('/v1')).metadata.name, 'slash')
  assert.equal((await apply('//v1')).message, 'invalid object type: /, Kind=')
  assert.equal((await apply('/apps/v1')).message, 'invalid object type: /, Kind=')
  assert.equal((await apply('v1/')).message, 'invalid object type: v1/, Kind=ConfigMap')
})

it('DeleteOptions of another kind are refused as of the group meta.k8s.io', async () => {
  const { message } = await send('DELETE', `${url}/x`, 'application/json', '{"kind":"ConfigMap"}')
  assert.equal(message, 'no kind "ConfigMap" is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"')
})

it('a mistake at a byte that is no UTF-8 names the byte', async () => {
  const json = await send('POST', url, 'application/json', Buffer.from('{"a":\xe9}', 'latin1'))
  assert.match(json.message, /invalid character 'é' looking for beginning of value/)
  const yaml = await send('POST', url, 'application/yaml', Buffer.from('a: \xe9\n', 'latin1'))
  assert.match(yaml.message, /: yaml: incomplete UTF-8 octet sequence \(613a20e90a\)$/)
})
