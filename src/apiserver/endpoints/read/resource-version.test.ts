import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const server = createServer({ log: silentLogger })
before(() => server.start())
after(() => server.stop())

const get = (path: string) => server.inject({ url: `/api/v1/namespaces/default/${path}`, user })
const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]

test('an invalid version is a 400 for uncached resources and a 500 for cached ones', async () => {
  const why = 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax'
  const answers = await Promise.all(['events/a', 'secrets/a'].map(path => get(`${path}?resourceVersion=x`)))
  assert.deepEqual(
    answers.map(answer => [answer.status, answer.json().message]),
    [
      [400, `invalid resource version: ${why}`],
      [500, why]
    ]
  )
})

test('only the watch cache waits for a version and suggests a retry', async () => {
  for (const path of ['events?', 'events?resourceVersionMatch=Exact&', 'events/a?']) {
    const answer = await get(`${path}resourceVersion=99999999999`)
    assert.deepEqual([answer.status, answer.json().details, answer.headers['retry-after']], [504, { causes }, undefined], path)
  }
  const cached = await get('secrets?resourceVersion=99999999999')
  assert.deepEqual([cached.status, cached.json().details], [504, { causes, retryAfterSeconds: 1 }])
})

test('only the watch cache ignores the limit of a list of any version', async () => {
  const made = (involvedObject?: object) =>
    ['a', 'b'].map(name => ({ metadata: { name }, ...(involvedObject && { involvedObject }) }))
  const objects = { secrets: made(), events: made({ kind: 'Pod', name: 'p', namespace: 'default' }) }
  const counts = { secrets: 0, events: 0 }
  for (const path of ['secrets', 'events'] as const) {
    for (const body of objects[path])
      await server.inject({ method: 'POST', url: `/api/v1/namespaces/default/${path}`, user, body })
    counts[path] = (await get(`${path}?resourceVersion=0&limit=1`)).json().items.length
    await server.inject({ method: 'DELETE', url: `/api/v1/namespaces/default/${path}`, user })
  }
  assert.deepEqual(counts, { secrets: 2, events: 1 })
})

test('a list of one name shows what is there now, whatever its limit says about the past', async () => {
  const url = '/api/v1/namespaces/default/secrets'
  const change = async (method: string, path: string, body?: object) =>
    (await server.inject({ method, url: path, user, body })).json()
  const { metadata } = await change('POST', url, { metadata: { name: 'past' } })
  await change('DELETE', `${url}/past`)
  const names = async (query: string) =>
    (await get(`secrets?resourceVersion=${metadata.resourceVersion}&${query}`))
      .json()
      .items.map((item: any) => item.metadata.name)
  assert.deepEqual(await names('limit=5&fieldSelector=metadata.name%3Dpast'), [])
  assert.deepEqual(await names('limit=5'), ['past'])
  assert.deepEqual(await names('resourceVersionMatch=Exact&fieldSelector=metadata.name%3Dpast'), ['past'])
})

test('a collection is deleted as it was at the given version', async () => {
  const url = '/api/v1/namespaces/default/configmaps'
  const change = async (method: string, path: string, body?: object) =>
    (await server.inject({ method, url: path, user, body })).json()
  const first = await change('POST', url, { metadata: { name: 'first', labels: { of: 'deletion' } } })
  await change('POST', url, { metadata: { name: 'second', labels: { of: 'deletion' } } })
  const deleted = (query: string) => change('DELETE', `${url}?dryRun=All&labelSelector=of%3Ddeletion&${query}`)
  const then = `resourceVersion=${first.metadata.resourceVersion}`
  assert.deepEqual(
    (await deleted(then)).items.map((item: any) => item.metadata.name),
    ['first']
  )
  // the version is a precondition, too
  assert.match(
    (await deleted(`${then}&resourceVersionMatch=NotOlderThan`)).message,
    /"second": the ResourceVersion in the precondition/
  )
})
