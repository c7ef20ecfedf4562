import assert from 'node:assert/strict'
import { it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Sink } from '../../../apimachinery/request/message.js'
import { createServer } from '../../../server/server.js'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { silentLogger } from '../../../util/logger.js'
import { gzipSink } from './gzip-sink.js'

const user = { name: 'admin', groups: ['system:masters'] }
const asList = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'

/** Watches the default namespace for a second, and returns the encoding of the answer and its events. */
async function watched(query: string, accept: string, featureGates = {}): Promise<[unknown, unknown, string[]]> {
  const clock = new FakeClock()
  const server = createServer({ log: silentLogger, controllers: [], clock, listen: false, featureGates })
  await server.start()
  try {
    const url = `/api/v1/namespaces?${query}&timeoutSeconds=1&fieldSelector=metadata.name=default`
    let ended = false
    const watching = server.inject({ url, user, headers: { 'accept-encoding': accept } }).finally(() => (ended = true))
    while (!ended) {
      await new Promise(setImmediate)
      clock.advance(100)
    }
    const { headers, body } = await watching
    const encoding = headers['content-encoding']
    const text = (encoding === 'gzip' ? gunzipSync(body) : body).toString()
    const types = text.trimEnd().split('\n')
    return [encoding, headers.vary, types.map(line => JSON.parse(line).type)]
  } finally {
    await server.stop()
  }
}

it('a watch that stands for a list is compressed for clients that can read that', async () => {
  assert.deepEqual(await watched(`${asList}&allowWatchBookmarks=true`, 'br, gzip'), [
    'gzip',
    'Accept-Encoding',
    ['ADDED', 'BOOKMARK']
  ])
  assert.deepEqual(await watched(`${asList}&allowWatchBookmarks=true`, 'br'), [undefined, undefined, ['ADDED', 'BOOKMARK']])
})

it('other watches are not compressed, nor any without the gate WatchListCompression', async () => {
  assert.deepEqual((await watched('watch=1', 'gzip'))[0], undefined)
  const off = { WatchListCompression: false }
  assert.deepEqual((await watched(`${asList}&allowWatchBookmarks=true`, 'gzip', off))[0], undefined)
})

it('the data of a member ends before its last block, so that Go gives it out before the next member has come', () => {
  const written: Buffer[] = []
  const sink = { write: (chunk: Buffer) => written.push(chunk) > 0 } as unknown as Sink
  for (const text of ['one\n', 'two\n']) gzipSink(sink).write(Buffer.from(text))
  // an empty block ends what was flushed, and another one the member, before checksum and length
  for (const member of written) assert.equal(member.subarray(-14, -8).toString('hex'), '0000ffff0300')
  assert.equal(gunzipSync(Buffer.concat(written)).toString(), 'one\ntwo\n')
})

it('a frame that several watchers share is compressed once', () => {
  const written: Buffer[] = []
  const sink = { write: (chunk: Buffer) => written.push(chunk) > 0 } as unknown as Sink
  const frame = Buffer.from('one\n')
  for (const each of [gzipSink(sink), gzipSink(sink)]) each.write(frame)
  assert.equal(written[0], written[1])
})
