import type { TestContext } from 'node:test'
import { runForgetContract, runImageContract, runStoreContract, runVersionsContract } from '../testing/contract-suite.js'
import { freshDirectory } from '../testing/fresh-directory.js'
import { openLmdbStore } from './store.js'

const open = async (t: TestContext) => {
  const store = await openLmdbStore({ directory: await freshDirectory(t, () => store.close()), compactionInterval: 0 })
  return store
}

runStoreContract('lmdb', open)
runImageContract('lmdb', open)
runForgetContract('lmdb', open)
runVersionsContract('lmdb', open)
