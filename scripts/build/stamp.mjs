// Checks whether build/ and dist/ were built from the present sources.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const stampFile = root => join(root, 'build', '.stamp')

/** Returns a digest of the names, sizes and modification times of all files that the build reads. */
export const sourceStamp = root => {
  const sources = ['src', 'scripts/build', 'scripts/generate'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath ?? entry.path, entry.name))
  )
  const hash = createHash('sha256')
  for (const file of [...sources.sort(), join(root, 'tsconfig.json'), join(root, 'package-lock.json')]) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${file}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

export const isBuilt = root => {
  try {
    return existsSync(join(root, 'dist/index.js')) && readFileSync(stampFile(root), 'utf8') === sourceStamp(root)
  } catch {
    return false
  }
}
