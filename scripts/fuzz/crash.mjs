// Kills a server (and etcd) while clients write, again and again: every acknowledged write must be there afterwards.
//   npm run crash -- [--rounds=1000] [--store=lmdb|etcd] [--workers=1,2]
//
// Without --store on both, and with each of the numbers of processes.

import { withoutEtcd } from '../../build/storage/testing/etcd-process.js'
import { crashRounds } from '../../build/testkit/e2e/crash-rounds.js'
import { parseOptions } from '../shared/options.mjs'

const { values } = parseOptions({
  options: {
    rounds: { type: 'number', default: 1000 },
    store: { type: 'string', choices: ['lmdb', 'etcd'] },
    workers: { type: 'number', least: 1, list: true, default: [1] }
  }
})
const rounds = Number(values.rounds)
const stores = values.store ? [values.store] : ['lmdb', 'etcd']

const processes = values.workers

async function run(store, workers) {
  if (store === 'etcd' && withoutEtcd) return console.log(withoutEtcd)
  const began = performance.now()
  await crashRounds(store, rounds, workers)
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(
    `${store}${workers > 1 ? `, ${workers} processes` : ''}: ${rounds} rounds, nothing acknowledged was lost (${seconds} s)`
  )
}

for (const workers of processes) await Promise.all(stores.map(store => run(store, workers)))
