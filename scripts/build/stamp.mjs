// Checks whether build/, dist/ and the console were built from the present sources.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const stampFiles = root => ({
  build: join(root, 'build', '.stamp'),
  dist: join(root, 'build', '.stamp-of-dist'),
  console: join(root, 'console', 'build', '.stamp')
})

const filesOf = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    .sort()

/** Returns digests of the names, sizes and modification times of all files that the build reads: for dist/, tests are none of them. */
export const sourceStamps = root => {
  const shared = [
    ...['scripts/build', 'scripts/generate'].flatMap(folder => filesOf(join(root, folder))),
    join(root, 'package-lock.json')
  ]
  const digest = files => {
    const hash = createHash('sha256')
    for (const file of files) {
      const { size, mtimeMs } = statSync(file)
      hash.update(`${file}\0${size}\0${mtimeMs}\n`)
    }
    return hash.digest('hex')
  }
  const all = [...filesOf(join(root, 'src')), ...shared, join(root, 'tsconfig.json')]
  const page = ['index.html', 'vite.config.ts'].map(name => join(root, 'console', name))
  return {
    build: digest(all),
    dist: digest(all.filter(file => !file.endsWith('.test.ts'))),
    console: digest([...filesOf(join(root, 'console/src')), ...page, ...shared])
  }
}

/** Which of them are up to date. */
export const upToDate = root => {
  const stamps = sourceStamps(root)
  const is = folder => {
    try {
      return readFileSync(stampFiles(root)[folder], 'utf8') === stamps[folder]
    } catch {
      return false
    }
  }
  return {
    build: is('build'),
    dist: is('dist') && existsSync(join(root, 'dist/index.js')),
    console: is('console') && existsSync(join(root, 'console/dist/index.html'))
  }
}
