import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

test('an apply in JSON may hold only characters that YAML may hold', async () => {
  const server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
  try {
    const apply = (text: string) =>
      send(
        server,
        'PATCH',
        '/api/v1/namespaces/default/configmaps/a?fieldManager=me',
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: text } },
        { type: 'application/apply-patch+yaml' }
      )
    for (const text of ['\u007f', '\u0080', '\uffff']) {
      const { status, body } = await apply(text)
      assert.equal(status, 400)
      assert.equal(body.message, 'error decoding patch: error converting YAML to JSON: yaml: control characters are not allowed')
    }
    // JSON.stringify escapes the first of them
    const { body } = await apply('\u0003\u0085\u00e9\u2028')
    assert.equal(body.data.a, '\u0003\u0085\u00e9\u2028')
  } finally {
    await server.stop()
  }
})
