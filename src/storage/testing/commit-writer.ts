/** A process for tests to trace: it makes ten commits, one after the other, and prints a line after each is acknowledged. */
import { writeSync } from 'node:fs'
import { openLmdbStore } from '../lmdb/store.js'

const store = await openLmdbStore({ directory: process.argv[2]!, compactionInterval: 0 })
for (let i = 0; i < 10; i++) {
  await store.commit([{ key: `/key${i % 3}`, value: Buffer.from(`value ${i}`) }])
  writeSync(1, `acknowledged ${i}\n`)
}
await store.close()
