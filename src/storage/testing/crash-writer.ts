/**
 * A process for tests to kill: it runs 16 writers on the store in the directory that is its argument. Each commit creates three
 * keys and updates a fourth, and is reported on standard output once it is acknowledged. History is compacted continuously.
 */
import { writeSync } from 'node:fs'
import { openLmdbStore } from '../lmdb/store.js'

const [directory = '', round = ''] = process.argv.slice(2)
const store = await openLmdbStore({ directory, compactionInterval: 0 })

const writer = async (name: string): Promise<void> => {
  for (let step = 0; ; step++) {
    const value = Buffer.alloc(1000 + step, `${name}-${step}.`)
    const keys = ['a', 'b', 'c'].map(part => `/${name}/${step}/${part}`)
    const result = await store.commit([
      ...keys.map(key => ({ key, value, expected: 0 })),
      { key: `/${name}/last`, value: Buffer.from(String(step)) }
    ])
    if (result.ok) writeSync(1, `${name} ${step} ${result.revision}\n`)
  }
}

for (let number = 0; number < 16; number++) void writer(`${round}-${number}`)
for (;;) {
  await store.compact(await store.currentRevision())
  await new Promise(resolve => setTimeout(resolve, 5))
}
