// Kills, stalls and cuts off servers and members of etcd while clients read, write and watch; checks the history of what they saw.
//   npm run chaos -- [--minutes=10] [--store=lmdb|etcd] [--seed=1] [--faults=14] [--workers=2]
//
// At least one run on each store, however few the minutes.

import { withoutEtcd } from '../../build/storage/testing/etcd-process.js'
import { chaosOnDisk, chaosOnEtcd } from '../../build/testkit/e2e/chaos/rounds.js'
import { parseOptions } from '../shared/options.mjs'

const { values } = parseOptions({
  options: {
    minutes: { type: 'decimal', default: 10 },
    store: { type: 'string', choices: ['lmdb', 'etcd'] },
    seed: { type: 'number', default: Date.now() % 1e6 },
    faults: { type: 'number', default: 14 },
    workers: { type: 'number', least: 1, default: 1 }
  }
})
const runs = { etcd: chaosOnEtcd, lmdb: chaosOnDisk }
const stores = (values.store ? [values.store] : Object.keys(runs)).filter(store => store !== 'etcd' || !withoutEtcd)
if (!stores.includes('etcd') && values.store !== 'lmdb') console.log(withoutEtcd)

const end = Date.now() + values.minutes * 60_000
const totals = { operations: 0, unknown: 0, lists: 0, events: 0 }
for (let seed = Number(values.seed), done = 0; done === 0 || Date.now() < end; seed++, done++) {
  for (const store of stores) {
    const onFault = name => console.log(`  ${new Date().toISOString()} ${name}`)
    console.log(`${store}, seed ${seed}`)
    const result = await runs[store]({ seed, faults: Number(values.faults), workers: Number(values.workers), onFault })
    console.log(`${store}, seed ${seed}: ${JSON.stringify(result)}`)
    for (const name of Object.keys(totals)) totals[name] += result[name]
  }
}
console.log(`one history in every run: ${JSON.stringify(totals)}`)
