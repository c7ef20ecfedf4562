import { runStoreContract } from '../testing/contract-suite.js'
import { freshDirectory } from '../testing/fresh-directory.js'
import { openLmdbStore } from './store.js'

runStoreContract('lmdb', async t => {
  const store = await openLmdbStore({ directory: await freshDirectory(t, () => store.close()), compactionInterval: 0 })
  return store
})
