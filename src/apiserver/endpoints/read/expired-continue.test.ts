/** Clients that fetch pages too slowly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const url = '/api/v1/namespaces/default/configmaps'

test('a continue token of a resource that nobody writes expires with the history of the store', async t => {
  const clock = new FakeClock()
  const server = createServer({ log: silentLogger, clock })
  await server.start()
  t.after(() => server.stop())
  const list = async (query: string) => (await server.inject({ url: `${url}?${query}`, user })).json()
  for (const name of ['a', 'b']) await server.inject({ url, user, body: { metadata: { name } } })
  const token = encodeURIComponent((await list('limit=1')).metadata.continue)
  const query = `limit=1&continue=${token}`
  for (let minute = 0; minute < 12; minute++) {
    if (minute < 5) assert.equal((await list(query)).items[0].metadata.name, 'b')
    clock.advance(60_000)
    await server.inject({ url: '/api/v1/namespaces', user, body: { metadata: { name: `n${minute}` } } })
  }
  const late = await list(query)
  assert.equal(late.reason, 'Expired')
  assert.equal((await list(`limit=1&continue=${encodeURIComponent(late.metadata.continue)}`)).items[0].metadata.name, 'b')
})

test('the answer to an expired continue token has a token for the rest of the list at the current revision', async t => {
  const clock = new FakeClock()
  const server = createServer({ log: silentLogger, clock })
  await server.start()
  t.after(() => server.stop())
  const get = async (query: string) => {
    const { status, body } = await server.inject({ url: `${url}?${query}`, user })
    return { status, body: JSON.parse(body.toString()) }
  }
  const make = (name: string) => server.inject({ url, user, body: { metadata: { name } } })
  for (const name of ['a', 'b', 'c']) await make(name)
  const first = await get('limit=1')
  const token = encodeURIComponent(first.body.metadata.continue)
  for (let minute = 0; minute < 12; minute++) {
    clock.advance(60_000)
    // enough writes for the cache to drop the earlier history
    for (let i = 0; i < 50; i++) await make(`later-${minute}-${i}`)
  }
  const late = await get(`limit=1&continue=${token}`)
  assert.deepEqual([late.status, late.body.reason], [410, 'Expired'])
  const rest = await get(`limit=2&continue=${encodeURIComponent(late.body.metadata.continue)}`)
  assert.equal(rest.status, 200)
  assert.deepEqual(
    rest.body.items.map((o: any) => o.metadata.name),
    ['b', 'c']
  )
  const again = await get(`resourceVersion=${first.body.metadata.resourceVersion}&resourceVersionMatch=Exact`)
  assert.equal(again.body.message, 'The resourceVersion for the provided list is too old.')
})
