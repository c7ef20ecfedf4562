import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { send } from '../../../testkit/send.js'
import { silentLogger } from '../../../util/logger.js'

test('the metadata of a custom resource is read before its kind and group are refused', async () => {
  const server = createServer({ log: silentLogger, controllers: [] })
  await server.start()
  try {
    const group = 'foreign.example.com'
    const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } }
    await send(server, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]
      }
    })
    const path = `/apis/${group}/v1/namespaces/default/things`
    while ((await send(server, 'GET', path)).status !== 200) await new Promise(setImmediate)
    const post = async (apiVersion: string, kind: string, metadata: object) => {
      const { body } = await send(server, 'POST', `${path}?fieldValidation=Strict`, {
        apiVersion,
        kind,
        metadata,
        spec: { b: 1 }
      })
      return body.message
    }
    const colour = { name: 'a', colour: 'red' }
    const strict = 'strict decoding error: unknown field "metadata.colour"'
    assert.equal(await post('z.example.com/v2', 'Thing', colour), `Thing in version "v2" cannot be handled as a Thing: ${strict}`)
    assert.equal(await post('z.example.com/v1', 'Thing', colour), `Thing in version "v1" cannot be handled as a Thing: ${strict}`)
    assert.equal(await post(`${group}/v1`, 'Other', colour), `Other in version "v1" cannot be handled as a Other: ${strict}`)
    const type = 'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string'
    assert.equal(
      await post('z.example.com/v2', 'Thing', { name: 1 }),
      `Thing in version "v2" cannot be handled as a Thing: ${type}`
    )
    assert.match(await post('z.example.com/v2', 'Thing', { name: 'a' }), /^the API version in the data/)
  } finally {
    await server.stop()
  }
})
