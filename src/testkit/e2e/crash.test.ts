import { describe, it } from 'node:test'
import { withoutEtcd } from '../../storage/testing/etcd-process.js'
import { crashRounds } from './crash-rounds.js'

/** .ci/run asks for 100, and 30 with several processes (scripts/fuzz/crash.mjs). */
const rounds = 2
const roundsWithWorkers = 2

describe('every acknowledged write survives SIGKILL, and no partial one does', () => {
  it('in the data folder', { timeout: 180_000 }, () => crashRounds('lmdb', rounds))
  it('in the data folder of several processes', { timeout: 180_000 }, () => crashRounds('lmdb', roundsWithWorkers, 2))
  it('in etcd, which is killed, too', { timeout: 180_000, skip: withoutEtcd ?? false }, () => crashRounds('etcd', rounds))
  it('in etcd, by several processes', { timeout: 180_000, skip: withoutEtcd ?? false }, () =>
    crashRounds('etcd', roundsWithWorkers, 2)
  )
})
