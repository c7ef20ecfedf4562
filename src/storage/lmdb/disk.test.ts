import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDirectory } from '../testing/fresh-directory.js'
import { assertRoom, spareBytes } from './disk.js'

test('a disk with less than the spare bytes takes no transaction', async t => {
  const directory = await freshDirectory(t)
  writeFileSync(join(directory, 'file'), '')
  const blocks = spareBytes / 4096
  assertRoom(directory, 'file', () => ({ bavail: blocks, bsize: 4096 }))
  assert.throws(() => assertRoom(directory, 'file', () => ({ bavail: blocks - 1, bsize: 4096 })), { code: 'ENOSPC' })
})

test('a file that is not there takes no transaction', async t => {
  const directory = await freshDirectory(t)
  assert.throws(() => assertRoom(directory, 'absent'), { code: 'ENOENT' })
})
