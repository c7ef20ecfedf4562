import type { TestContext } from 'node:test'
import { runImageContract, runStoreContract } from '../testing/contract-suite.js'
import { openMemoryStore } from './store.js'

const open = async (t: TestContext) => {
  const store = openMemoryStore({ compactionInterval: 0 })
  t.after(() => store.close())
  return store
}

runStoreContract('memory', open)
runImageContract('memory', open)
