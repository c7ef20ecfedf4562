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
