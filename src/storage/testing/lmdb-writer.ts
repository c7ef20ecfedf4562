/**
 * A process for tests, which keeps the store in the directory that is its argument and commits what the pipe at descriptor 3 asks for.
 * A second argument is the size of LMDB's first map.
 */
import { Socket } from 'node:net'
import { openLmdbStore } from '../lmdb/store.js'
import { WriterEnd } from '../workers/writer-end.js'

const [directory, mapSize] = process.argv.slice(2)
const store = await openLmdbStore({
  directory: directory!,
  compactionInterval: 0,
  mapSize: mapSize === undefined ? undefined : Number(mapSize)
})
const pipe = new Socket({ fd: 3 })
pipe.on('close', () => void store.close())
await new WriterEnd(store, pipe, error => console.error(error)).start()
process.stdout.write('open\n')
