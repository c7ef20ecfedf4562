import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Handler, Sink } from '../apimachinery/request/message.js'
import { injectStream } from '../apiserver/chain/inject-stream.js'
import { StatusError } from '../index.js'
import { FakeClock } from '../testkit/fake-clock.js'
import { portless } from './testing/portless.js'
import { linesOf } from './watch.js'

const map = (name: string, value = '') => ({ metadata: { name }, data: { value } })
const inDefault = { namespace: 'default', fieldSelector: 'metadata.name!=kube-root-ca.crt' }

describe('a watch of the client', () => {
  test('shows present objects, then changes, until the loop is left', async t => {
    const server = await portless(t)
    const maps = server.client().of('v1', 'ConfigMap')
    await maps.create(map('a'))
    const seen: string[] = []
    for await (const { type, object } of maps.watch(inDefault)) {
      seen.push(`${type} ${object.metadata.name}`)
      if (seen.length === 1) await maps.create(map('b'))
      if (seen.length === 2) await maps.patch('a', { data: { value: 'x' } })
      if (seen.length === 3) await maps.delete('b')
      if (seen.length === 4) break
    }
    assert.deepEqual(seen, ['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b'])
    assert.equal(await watchers(server), 0)
  })

  test('ends with the signal, and frees what it has in the server', async t => {
    const server = await portless(t)
    const abort = new AbortController()
    const maps = server.client().of('v1', 'ConfigMap')
    const ended = (async () => {
      for await (const _ of maps.watch({ ...inDefault, signal: abort.signal })) assert.fail('there is nothing')
    })()
    while ((await watchers(server)) === 0);
    abort.abort()
    await ended
    assert.equal(await watchers(server), 0)
  })

  test('goes on when the server ends the request', async t => {
    const clock = new FakeClock()
    const server = await portless(t, { clock })
    const maps = server.client().of('v1', 'ConfigMap')
    const watch = maps.watch(inDefault)
    await maps.create(map('a'))
    assert.equal((await watch.next()).value?.object.metadata.name, 'a')
    const next = watch.next()
    // the longest that a request may take
    clock.advance(3_600_000)
    await maps.create(map('b'))
    const { type, object } = (await next).value!
    assert.deepEqual([type, object.metadata.name], ['ADDED', 'b'])
    await watch.return?.()
  })

  test('throws 410 after a restore, and ends with the server', async t => {
    const server = await portless(t)
    const snapshot = await server.snapshot()
    const maps = server.client().of('v1', 'ConfigMap')
    const broken = maps.watch(inDefault)
    const next = broken.next()
    while ((await watchers(server)) === 0);
    await server.restore(snapshot)
    await assert.rejects(next, (error: unknown) => error instanceof StatusError && error.code === 410)
    const ending = maps.watch(inDefault).next()
    while ((await watchers(server)) === 0);
    await server.stop()
    assert.equal((await ending).done, true)
  })

  test('has the server make no more than is taken', async () => {
    let made = 0
    let closed = false
    const stream = (sink: Sink) => {
      const make = () => {
        while (sink.write(Buffer.from(`${made++}\n`)));
      }
      sink.onDrain(make)
      sink.onClose(() => {
        closed = true
      })
      make()
    }
    const handler: Handler = async () => ({ status: 200, headers: {}, stream, takeWithin: 0, ended() {} })
    const answer = await injectStream(handler, { url: '/' })
    for (const i of [0, 1, 2]) assert.equal(String(await answer.next()), `${i}\n`)
    assert.ok(made <= 4, `${made} chunks were made`)
    answer.close()
    assert.ok(closed)
    assert.equal(await answer.next(), undefined)
  })
})

/** The watches of ConfigMaps that clients have. */
async function watchers(server: Awaited<ReturnType<typeof portless>>): Promise<number> {
  await new Promise(resolve => setImmediate(resolve))
  const { body } = await server.client().request({ url: '/metrics' })
  const line = /^apiserver_longrunning_requests\{.*resource="configmaps".*\} (\d+)$/m.exec(body.toString())
  return Number(line?.[1] ?? 0)
}

test('a line without an end is given up', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  const answer = { status: 200, headers: {}, next: async () => chunk, close() {} }
  await assert.rejects(linesOf(answer).next(), /a line of the answer has more than 16777216 bytes/)
})
