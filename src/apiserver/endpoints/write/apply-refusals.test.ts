/** What is told first of an applied configuration with several faults. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger, controllers: [] })
before(() => server.start())
after(() => server.stop())

async function refused(metadata: object, data = '{"a":"1"}'): Promise<string> {
  const { body } = await server.inject({
    method: 'PATCH',
    url: '/api/v1/namespaces/default/configmaps/absent?fieldManager=m&fieldValidation=Strict',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":${JSON.stringify(metadata)},"data":${data}}`,
    user
  })
  return JSON.parse(body.toString()).message
}

test('a repeated key is told before a uid that nothing has, and that before another name', async () => {
  const twice = '{"a":"1","a":"2"}'
  assert.match(await refused({ name: 'other', uid: 'u' }, twice), /key "a" already set/)
  assert.match(await refused({ name: 'other' }, twice), /key "a" already set/)
  assert.match(await refused({ name: 'other', uid: 'u' }), /uid mismatch: the provided object specified uid u/)
  assert.equal(await refused({ name: 'other' }), 'the name of the object (other) does not match the name on the URL (absent)')
})
