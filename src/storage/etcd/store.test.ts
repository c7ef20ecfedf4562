import { describe } from 'node:test'
import { silentLogger } from '../../util/logger.js'
import { runStoreContract } from '../testing/contract-suite.js'
import { startEtcd, withoutEtcd } from '../testing/etcd-process.js'
import { openEtcdStore } from './store.js'

describe('etcd', { skip: withoutEtcd ?? false }, () =>
  runStoreContract('etcd', async t => {
    const etcd = await startEtcd()
    t.after(() => etcd.remove())
    const store = await openEtcdStore({ servers: [etcd.url], compactionInterval: 0, log: silentLogger })
    t.after(() => store.close())
    return store
  })
)
