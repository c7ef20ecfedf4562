/** A process for tests, which keeps the store in the directory that is its argument and commits what the pipe at descriptor 3 asks for. */
import { Socket } from 'node:net'
import { openLmdbStore } from '../lmdb/store.js'
import { WriterEnd } from '../workers/writer-end.js'

const store = await openLmdbStore({ directory: process.argv[2]!, compactionInterval: 0 })
const pipe = new Socket({ fd: 3 })
pipe.on('close', () => void store.close())
await new WriterEnd(store, pipe, error => console.error(error)).start()
process.stdout.write('open\n')
