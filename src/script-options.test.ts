/** Options of scripts/ that people mistype: refused by name, before anything starts. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../scripts/', import.meta.url))
const skip = existsSync(folder) ? false : 'the scripts are in the repository only'

const refused: [script: string, option: string, message: string][] = [
  ['fuzz/crash', '--workers=1,two', 'crash: --workers "two" must be a whole number, 1 or more'],
  ['fuzz/crash', '--workers=1,,2', 'crash: --workers "" must be a whole number, 1 or more'],
  ['fuzz/crash', '--rounds=1.5', 'crash: --rounds "1.5" must be a whole number, 0 or more'],
  ['fuzz/chaos', '--minutes=soon', 'chaos: --minutes "soon" must be a number, 0 or more'],
  ['test/mutate', '--sample=1.5', 'mutate: --sample "1.5" must be a number, from 0 to 1'],
  ['fuzz/hostile/lists', '--ways=create,paint', 'lists: --ways "paint" must be one of create, update, strategic, merge, apply']
]

for (const [script, option, message] of refused)
  test(`${script} ${option} is refused`, { skip }, () => {
    const { status, stderr } = spawnSync(process.execPath, [`${folder}${script}.mjs`, option], { encoding: 'utf8' })
    assert.deepEqual({ status, stderr }, { status: 1, stderr: `${message}\n` })
  })
