/** Server-side apply to objects of built-in kinds that do not fit their type. The answers are kube-apiserver's. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const accounts = '/api/v1/namespaces/default/serviceaccounts'
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
})
after(() => server.stop())

const apply = (fields: object) =>
  send(
    server,
    'PATCH',
    `${accounts}/a?fieldManager=me`,
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, ...fields },
    { type: 'application/apply-patch+yaml' }
  )

test('an item without its key is told of before errors of the configuration', async () => {
  const made = await send(server, 'POST', accounts, { metadata: { name: 'a' }, secrets: [{}, { name: 'b' }] })
  assert.equal(made.body.metadata.managedFields, undefined)
  for (const fields of [{ secrets: [{ name: 'c' }] }, { secrets: [{}] }, { imagePullSecrets: [{ name: 'd' }] }, {}]) {
    const { status, body } = await apply(fields)
    assert.equal(status, 500)
    assert.equal(
      body.message,
      'failed to create manager for existing fields: failed to convert new object (default/a; /v1, Kind=ServiceAccount) to smd typed: ' +
        '.secrets: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)'
    )
  }
})
