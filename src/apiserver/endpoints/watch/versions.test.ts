/** The versions at which a watch may begin, and its first events there. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BinnacleServer } from '../../../server/binnacle-server.js'
import { createServer } from '../../../server/server.js'
import { ControllableClock } from '../../../util/controllable-clock.js'
import { silentLogger } from '../../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const secrets = '/api/v1/namespaces/default/secrets'
const widgets = '/apis/b.example/v1/namespaces/default/widgets'

describe('a watch', () => {
  let server: BinnacleServer
  const ask = async (method: string, url: string, body?: unknown) =>
    (await server.inject({ method, url, ...(body === undefined ? {} : { body }), user } as never)).json()
  const watch = async (url: string): Promise<any[]> => {
    const { body } = await server.inject({ url, user })
    return body
      .toString()
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
  }
  const version = async () => (await ask('GET', secrets)).metadata.resourceVersion

  before(async () => {
    server = createServer({ log: silentLogger, controllers: [] })
    await server.start()
  })
  after(() => server.stop())

  test('of a custom resource may not begin before its definition', async () => {
    const before = await version()
    await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'widgets.b.example' },
      spec: {
        group: 'b.example',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]
      }
    })
    let listed: any
    do listed = await ask('GET', widgets).catch(() => undefined)
    while (listed?.kind !== 'WidgetList')
    await ask('POST', widgets, { apiVersion: 'b.example/v1', kind: 'Widget', metadata: { name: 'w' } })
    const [refused] = await watch(`${widgets}?watch=1&timeoutSeconds=1&resourceVersion=${before}`)
    assert.deepEqual([refused.type, refused.object.code, refused.object.reason], ['ERROR', 410, 'Expired'])
    assert.match(refused.object.message, new RegExp(`^too old resource version: ${before} \\(\\d+\\)$`))
    const shown = await watch(`${widgets}?watch=1&timeoutSeconds=1&resourceVersion=${listed.metadata.resourceVersion}`)
    assert.deepEqual(
      shown.map(({ type, object }) => [type, object.metadata.name]),
      [['ADDED', 'w']]
    )
  })

  test('from a future version is silent until that version has passed', async () => {
    const now = Number(await version())
    const watching = watch(`${secrets}?watch=1&timeoutSeconds=1&resourceVersion=${now + 2}`)
    for (const name of ['one', 'two', 'three']) await ask('POST', secrets, { metadata: { name } })
    assert.deepEqual(
      (await watching).map(({ object }) => object.metadata.name),
      ['three']
    )
    assert.deepEqual(await watch(`${secrets}?watch=1&timeoutSeconds=1&resourceVersion=18446744073709551615`), [])
  })

  test('with initial events at a future version begins with that version, or ends with an error although its own time was over', async () => {
    const initial = 'watch=1&timeoutSeconds=1&allowWatchBookmarks=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
    const clock = new ControllableClock()
    const own = createServer({ log: silentLogger, controllers: [], clock })
    await own.start()
    clock.freeze()
    try {
      let isAnswered = false
      const url = `${secrets}?${initial}&resourceVersion=99999999`
      const answer = own.inject({ url, user }).then(found => {
        isAnswered = true
        return found
      })
      await clock.pass(2000)
      assert.equal(isAnswered, false)
      await clock.pass(1100)
      const { status, body } = await answer
      const { type, object } = JSON.parse(body.toString())
      assert.deepEqual([status, type, object.code, object.reason], [200, 'ERROR', 504, 'Timeout'])
      assert.match(object.message, /^Timeout: Too large resource version: 99999999, current: \d+$/)
    } finally {
      await own.stop()
    }
  })

  test('without initial events has what has happened since its version', async () => {
    const since = await version()
    await ask('POST', secrets, { metadata: { name: 'since' } })
    const without = `${secrets}?watch=1&timeoutSeconds=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`
    const names = async (query: string) => (await watch(without + query)).map(({ object }) => object.metadata.name)
    assert.deepEqual(await names(`&resourceVersion=${since}`), ['since'])
    assert.deepEqual(await names('&resourceVersion=0'), [])
    assert.deepEqual(await names(''), [])
  })

  test('of three seconds has one bookmark, two seconds before its end, if there is something new', async () => {
    const now = await version()
    const idle = watch(`${secrets}?watch=1&allowWatchBookmarks=1&timeoutSeconds=3&resourceVersion=${now}`)
    assert.deepEqual(await idle, [])
    const busy = watch(`${widgets}?watch=1&allowWatchBookmarks=1&timeoutSeconds=3&resourceVersion=${now}`)
    await ask('POST', secrets, { metadata: { name: 'elsewhere' } })
    const events = await busy
    assert.deepEqual(
      events.map(({ type }) => type),
      ['BOOKMARK']
    )
    // the server may have renewed its Lease as well
    assert.ok(Number(events[0]!.object.metadata.resourceVersion) > Number(now))
  })

  test('versions are 64-bit integers, and error messages show them exactly', async () => {
    const problem = 'resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": '
    const late = await ask('GET', `${secrets}?resourceVersion=18446744073709551616`)
    assert.equal(late.message, `invalid resource version: ${problem}value out of range`)
    assert.equal((await ask('GET', `${secrets}?watch=1&resourceVersion=-1`)).code, 500)
    const future = await ask('GET', `${secrets}?resourceVersion=9007199254740993`)
    assert.match(future.message, /^Timeout: Too large resource version: 9007199254740993, current: \d+$/)
  })
})
