import { runStoreContract } from '../testing/contract-suite.js'
import { openMemoryStore } from './store.js'

runStoreContract('memory', async t => {
  const store = openMemoryStore({ compactionInterval: 0 })
  t.after(() => store.close())
  return store
})
