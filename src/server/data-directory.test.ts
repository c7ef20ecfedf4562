import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { silentLogger } from '../util/logger.js'
import { checkDataDirectory } from './data-directory.js'
import { createServer } from './server.js'

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'binnacle-data-'))
})
after(() => rm(root, { recursive: true }))

const folder = async (name: string, files: readonly string[]): Promise<string> => {
  const directory = join(root, name)
  await mkdir(join(directory, 'store'), { recursive: true })
  for (const file of files) await writeFile(join(directory, file), '')
  return directory
}

test('a new folder, an empty one and a data directory may be used', async () => {
  checkDataDirectory(join(root, 'new'))
  checkDataDirectory(await folder('ours', ['kubeconfig', '.gitignore']))
  checkDataDirectory(await folder('grown', ['store/data.mdb', 'tokens.csv']))
})

test('a folder with other files is refused, and nothing is written there', async () => {
  const directory = await folder('foreign', ['passwd'])
  for (const storageBackend of ['lmdb', 'memory'] as const) {
    await assert.rejects(
      createServer({ dataDir: directory, storageBackend, log: silentLogger }).start(),
      new RegExp(`^UserError: --data-dir ${directory}: not a Binnacle data directory, it holds other files, such as passwd$`)
    )
  }
  assert.deepEqual(await readdir(directory), ['passwd', 'store'])
})

test('a path that is a file is refused', async () => {
  await writeFile(join(root, 'file'), '')
  assert.throws(() => checkDataDirectory(join(root, 'file')), /file: not a directory$/)
})
