// Makes package-lock.json work for `npm ci` on every platform. Run it after npm has written the file:
//   node scripts/release/lockfile.mjs           adds the missing entries
//   node scripts/release/lockfile.mjs --check   fails when entries are missing, or when a package refuses Node 20
//
// npm leaves out optional packages for other platforms if a registry does not offer them, and `npm ci` then refuses the whole
// file. An entry without a digest is enough: npm downloads the package only on its own platform, and then adds the digest.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import semver from 'semver'

const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url))
const before = readFileSync(file, 'utf8')
const lock = JSON.parse(before)
/** What package.json says of Node, ">=20.19.0". */
const lowest = lock.packages[''].engines.node

/** Packages of which the build reads the type files. Their code never runs, so that what it demands of Node is no matter. */
const isTypesOnly = path => /node_modules\/(kubernetes-models$|@kubernetes-models\/)/.test(path)

/** "@biomejs/cli-linux-x64-musl" → for which platforms npm installs it. */
function platformOf(name) {
  const parts = name.split(/[/-]/)
  const pick = known => parts.filter(part => known.includes(part))
  const os = pick(['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'])
  const cpu = pick(['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'])
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`${name}: for which platform is it? Add its entry by hand.`)
  const libc = pick(['musl', 'glibc'])
  return { cpu, os, ...(libc.length > 0 ? { libc } : {}) }
}

/** Where Node would find a package that the one at this path asks for. */
function find(path, name) {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, '')) {
    const place = `${folder}${folder && '/'}node_modules/${name}`
    if (lock.packages[place]) return place
    if (folder === '') return undefined
  }
}

const refusing = []
for (const [path, entry] of Object.entries(lock.packages)) {
  delete entry.resolved
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (find(path, name)) continue
    const { cpu, os, libc } = platformOf(name)
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu,
      ...(entry.dev ? { dev: true } : {}),
      ...(libc ? { libc } : {}),
      optional: true,
      os
    }
  }
  if (isTypesOnly(path)) delete entry.engines
  else if (entry.engines?.node && !semver.subset(`${lowest} <21`, entry.engines.node))
    refusing.push(`${path} wants Node ${entry.engines.node}`)
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
const after = `${JSON.stringify(lock, null, 2)}\n`

if (!process.argv.includes('--check')) writeFileSync(file, after)
else if (after !== before) refusing.push('package-lock.json is incomplete: run node scripts/release/lockfile.mjs')
if (refusing.length > 0) {
  console.error(refusing.join('\n'))
  process.exit(1)
}
