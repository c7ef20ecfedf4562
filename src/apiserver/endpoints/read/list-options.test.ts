/** The order in which the parameters of lists and watches are validated: the answer reports the first mistake. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const server = createServer({ log: silentLogger, storageBackend: 'memory' })
before(() => server.start())
after(() => server.stop())

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const ask = async (query: string, accept = 'application/json') => {
  const { status, body } = await server.inject({ url: `/api/v1/configmaps?${query}`, user, headers: { accept } })
  return { status, message: body.toString().startsWith('{') ? JSON.parse(body.toString()).message : body.toString() }
}

const told: [query: string, status: number, message: RegExp][] = [
  ['limit=&labelSelector=((', 400, /^strconv.ParseInt: parsing "": invalid syntax$/],
  ['timeoutSeconds=y&limit=x', 400, /parsing "y"/],
  ['limit=99999999999999999999', 400, /value out of range$/],
  ['labelSelector=((&fieldSelector=a%3Db%3Dc', 400, /^unable to parse requirement|^found '\('/],
  ['fieldSelector=a%3Db%3Dc', 400, /unescaped character in value: 61$/],
  ['fieldSelector=x%3Dy&sendInitialEvents=true', 422, /sendInitialEvents is forbidden for list/],
  ['fieldSelector=x%3Dy', 400, /"x" is not a known field selector/],
  ['resourceVersionMatch=Exact&continue=e30', 422, /unless resourceVersion is provided, .* when continue is provided/],
  ['continue=e30&resourceVersion=abc', 400, /^invalid continue token/],
  ['watch=1&continue=e30', 422, /resourceVersionMatch is forbidden when continue is provided/],
  ['watch=1&sendInitialEvents=true&resourceVersion=x', 422, /requires setting resourceVersionMatch to NotOlderThan/]
]
for (const [query, status, message] of told) {
  test(query, async () => {
    const answer = await ask(query)
    assert.equal(answer.status, status)
    assert.match(answer.message, message)
  })
}

test('the parameters are validated before the streaming media type', async () => {
  assert.equal((await ask('watch=1&limit=x', 'application/yaml')).status, 400)
  assert.equal((await ask('watch=1&resourceVersion=x', 'application/yaml')).status, 500)
  assert.equal((await ask('watch=1', 'application/yaml')).status, 406)
})

test('a field selector without requirements selects everything', async () => {
  assert.equal((await ask('fieldSelector=%3D')).status, 200)
  assert.equal((await ask('fieldSelector=%3Dx')).status, 400)
})
