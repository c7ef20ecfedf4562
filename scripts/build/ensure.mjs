// Makes a fresh or changed clone ready to run: installs the packages of package-lock.json and builds. Returns quickly when
// both are up to date.
//   node scripts/build/ensure.mjs
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { upToDate } from './stamp.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Whether the packages are installed: npm leaves the lock file of what it installed in node_modules. */
const isInstalled = () => {
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  let present
  try {
    present = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages
  } catch {
    return false
  }
  // Optional packages are those for other platforms.
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional, peer }]) =>
      path === '' || (present[path] ? present[path].version === version : optional || devOptional || peer)
  )
}

const run = (what, command, args) => {
  process.stderr.write(`${what}\n`)
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm' && process.platform === 'win32'
  })
  if (error) process.stderr.write(`${error.message}\n`)
  if (status !== 0) process.exit(status ?? 1)
}

if (!isInstalled()) {
  // `npm ci` begins by deleting what is there, from which a server may be running. Versions and digests are those of the lock file
  // either way.
  const install = existsSync(join(root, 'node_modules')) ? ['install', '--no-save'] : ['ci']
  const args = [...install, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  run('Installing dependencies …', 'npm', args)
}
const old = Object.entries(upToDate(root)).flatMap(([stage, is]) => (is ? [] : [stage]))
if (old.length > 0) run('Building …', process.execPath, [join(root, 'scripts/build/main.mjs'), `--stages=${old.join(',')}`])
