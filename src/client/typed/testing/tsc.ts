/** Runs TypeScript on a file of a test, with the types of this build. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the build, as imports in the files name it. */
export const build = fileURLToPath(new URL('../../../', import.meta.url))

const options = '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2023 --module nodenext --pretty false'

/** Returns what TypeScript prints about files, of which it checks the last. */
export function errorsOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-types-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const tsc = join(build, '../node_modules/typescript/bin/tsc')
    const given = [...options.split(' '), '--typeRoots', join(build, '../node_modules/@types'), '--types', 'node']
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...given, Object.keys(files).at(-1)!], {
      encoding: 'utf8',
      cwd: folder
    })
    return stdout + stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}
