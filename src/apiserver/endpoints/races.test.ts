/** Concurrent writes to one object. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const collection = '/api/v1/namespaces/default/configmaps'
const writers = Array.from({ length: 20 }, (_, i) => `writer-${i}`)
const count = (codes: readonly number[], code: number) => codes.filter(c => c === code).length
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
})
after(() => server.stop())

const ask = (method: string, url: string, body: unknown, type = 'application/json') =>
  server.inject({ method, url, user, body, headers: { 'content-type': type } })

async function made(name: string): Promise<any> {
  const answer = await ask('POST', collection, { metadata: { name }, data: { start: 'x' } })
  assert.equal(answer.status, 201)
  return answer.json()
}

const kept = async (name: string): Promise<any> => (await server.inject({ url: `${collection}/${name}`, user })).json()

for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
  test(`patches without a resourceVersion all take effect: ${type}`, async () => {
    const name = `patched-${type.slice(12, 17)}`
    await made(name)
    const answers = await Promise.all(
      writers.map(w => ask('PATCH', `${collection}/${name}`, { data: { [w]: 'was here' } }, type))
    )
    assert.deepEqual(new Set(answers.map(a => a.status)), new Set([200]))
    assert.deepEqual(Object.keys((await kept(name)).data).sort(), ['start', ...writers].sort())
  })
}

test('only one of several patches with the current resourceVersion takes effect', async () => {
  const { metadata } = await made('pinned')
  const { resourceVersion } = metadata
  const answers = await Promise.all(
    writers.map(w =>
      ask('PATCH', `${collection}/pinned`, { metadata: { resourceVersion }, data: { [w]: '' } }, 'application/merge-patch+json')
    )
  )
  const codes = answers.map(a => a.status)
  assert.deepEqual([count(codes, 200), count(codes, 409)], [1, writers.length - 1])
  assert.equal(Object.keys((await kept('pinned')).data).length, 2)
})

test('only one of several updates with the same resourceVersion takes effect', async () => {
  const object = await made('put')
  const answers = await Promise.all(writers.map(w => ask('PUT', `${collection}/put`, { ...object, data: { [w]: '' } })))
  const codes = answers.map(a => a.status)
  assert.deepEqual([count(codes, 200), count(codes, 409)], [1, writers.length - 1])
})

test('only one of several creates of the same name succeeds', async () => {
  const answers = await Promise.all(writers.map(() => ask('POST', collection, { metadata: { name: 'wanted' } })))
  const codes = answers.map(a => a.status)
  assert.deepEqual([count(codes, 201), count(codes, 409)], [1, writers.length - 1])
})

test('applies by several managers all take effect', async () => {
  const apply = (manager: string) =>
    ask(
      'PATCH',
      `${collection}/applied?fieldManager=${manager}`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { [manager]: '' } },
      'application/apply-patch+yaml'
    )
  const answers = await Promise.all(writers.map(apply))
  for (const answer of answers) assert.ok(answer.status === 200 || answer.status === 201, JSON.stringify(answer.json()))
  const { data, metadata } = await kept('applied')
  assert.deepEqual(Object.keys(data).sort(), [...writers].sort())
  assert.deepEqual(metadata.managedFields.map((f: any) => f.manager).sort(), [...writers].sort())
})
