import assert from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../../testkit/random.js'
import { StoreUnavailableError } from '../contract.js'
import { HostileEtcd } from './testing/hostile-etcd.js'

// `npm run hostile -- outgoing` tries many more
const seeds = times(30)

test('whatever an etcd answers, calls end, with keys that were asked for or an error of the store', async t => {
  const etcd = await HostileEtcd.start()
  t.after(() => etcd.close())
  for (let seed = 1; seed <= seeds; seed++) {
    const problem = await etcd.problem(seed)
    if (problem) assert.fail(problem)
  }
})

test('a list ends when etcd sends fewer keys than it counts', async t => {
  const etcd = await HostileEtcd.start()
  t.after(() => etcd.close())
  assert.equal((await etcd.list(['/hostile/a', '/hostile/b'], 2)).items.length, 2)
  for (const [keys, count] of [
    [[], 1],
    [['/hostile/a'], 2],
    [['/hostile/b', '/hostile/a'], 2 ** 62]
  ] as const)
    await assert.rejects(etcd.list(keys, count), (error: Error) => {
      assert.ok(error instanceof StoreUnavailableError, error.stack)
      assert.match(error.message, /^etcd counts \d+ keys below \/hostile\/, and sends no more than \d$/)
      return true
    })
})

test('a list comes as a stream where etcd can send one, and in pages otherwise', async t => {
  const etcd = await HostileEtcd.start()
  t.after(() => etcd.close())
  const keys = ['/hostile/a', '/hostile/b']
  const { items, count, more, revision, streamed } = await etcd.list(keys, 2, true)
  assert.deepEqual([items.map(({ key }) => key), count, more, revision, streamed], [keys, 2, false, 5, true])
  for (const odd of [keys.toReversed(), ['/hostile/a', '/hostile/a'], ['/other/a']])
    await assert.rejects(etcd.list(odd, odd.length, true), { message: 'etcd has sent other keys than it was asked for' })
  assert.equal((await etcd.list(keys, 2, false)).streamed, undefined)
  // for some minutes, it is not asked again
  assert.equal((await etcd.list(keys, 2, true)).streamed, undefined)
})
