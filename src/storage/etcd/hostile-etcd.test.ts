import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostileEtcd } from './testing/hostile-etcd.js'

// `npm run hostile -- outgoing` tries many more
const seeds = 100

test('whatever an etcd answers, calls end, with keys that were asked for or an error of the store', async t => {
  const etcd = await HostileEtcd.start()
  t.after(() => etcd.close())
  for (let seed = 1; seed <= seeds; seed++) {
    const problem = await etcd.problem(seed)
    if (problem) assert.fail(problem)
  }
})
