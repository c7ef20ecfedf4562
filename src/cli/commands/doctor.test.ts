import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createServer } from '../../index.js'
import { main } from '../../testkit/command.js'
import { silentLogger } from '../../util/logger.js'

const folder = mkdtempSync(join(tmpdir(), 'binnacle-doctor-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const dataDir = join(folder, 'data')

before(async () => {
  const server = createServer({ dataDir, log: silentLogger })
  await server.start()
  await server.stop()
})

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('binnacle doctor', () => {
  it('prints a line for each finding, and ends with 1 for an error', () => {
    const sound = run('doctor', '--data-dir=data', '--secure-port=0')
    assert.equal(sound.status, 0, sound.stdout + sound.stderr)
    assert.match(sound.stdout, /^ok {5}store {9}\d+ keys at revision \d+, all of them readable$/m)
    writeFileSync(join(folder, 'file'), '')
    const wrong = run('doctor', '--data-dir=file', '--secure-port=0', '--json')
    assert.equal(wrong.status, 1)
    const folderFinding = JSON.parse(wrong.stdout).find(({ check }: any) => check === 'folder')
    assert.deepEqual(folderFinding, {
      check: 'folder',
      level: 'error',
      message: `--data-dir ${join(folder, 'file')}: not a directory`,
      advice: 'the server refuses to start until this is put right'
    })
    assert.match(wrong.stderr, /^binnacle: (one error|\d errors) found\n$/)
  })
})
