/** JSON of any form keeps the order of its text, except where a patch has made it from a map: errors show that. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger })
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions'
const old = '{"z":{"y":1,"x":2}}'

before(async () => {
  await server.start()
  const body = `{"metadata":{"name":"r"},"revision":1,"data":${old}}`
  const { status } = await server.inject({
    method: 'POST',
    url: revisions,
    user,
    body,
    headers: { 'content-type': 'application/json' }
  })
  assert.equal(status, 201)
})
after(() => server.stop())

const own = '"kind":"ControllerRevision","apiVersion":"apps/v1",'

for (const [type, body, expected] of [
  ['merge-patch+json', '{"data":{"b":{"d":1,"c":2}}}', '{"b":{"c":2,"d":1},"z":{"y":1,"x":2}}'],
  ['json-patch+json', '[{"op":"add","path":"/data/b","value":{"d":1,"c":2}}]', '{"b":{"d":1,"c":2},"z":{"y":1,"x":2}}'],
  ['strategic-merge-patch+json', '{"data":{"b":{"d":1,"c":2}}}', '{"b":{"c":2,"d":1},"z":{"x":2,"y":1}}'],
  ['apply-patch+yaml', `{${own}"metadata":{"name":"r"},"data":{"b":{"d":1,"c":2}}}`, '{"b":{"c":2,"d":1}}']
] as const)
  test(`raw values after ${type}`, async () => {
    const url = `${revisions}/r?fieldManager=m${type.startsWith('apply') ? '&force=true' : ''}`
    const headers = { 'content-type': `application/${type}` }
    const { status, json } = await server.inject({ method: 'PATCH', url, user, headers, body })
    assert.equal(status, 422)
    assert.equal(json().details.causes[0].message, `Invalid value: ${expected}: field is immutable`)
  })
