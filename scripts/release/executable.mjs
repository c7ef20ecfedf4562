// Makes one file that runs Binnacle where there is no Node.js: a script of sh, followed by the packed package, its dependencies and the Node.js that runs this.
//   node scripts/release/executable.mjs --tarball=FILE --out=FOLDER     for this platform; FILE is what "npm pack" made
// Linux and macOS; on Windows, Binnacle is installed with npm. The dependencies are those of node_modules.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { parseOptions } from '../shared/options.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Of the package and its dependencies, what only compilers, debuggers and readers of code want. */
const isUnused = path => /\.(?:map|[dc]ts|d\.mts)$|\/lmdb\/(?:src|dependencies)$|\/binnacle\/(?:docs|examples)$/.test(path)

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { maxBuffer: 2 ** 30 })
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

/** The packages that npm installs for users, by their folders: those of package-lock.json that this platform has. */
function dependencies() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev && !path.includes('/@types/') && existsSync(join(root, path)))
    .map(([path]) => path)
}

/** Returns the path of the file. `level` is gzip's. */
export function makeExecutable({ tarball, out, level = 9 }) {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-executable-'))
  try {
    const app = join(folder, 'app')
    const unpacked = join(folder, 'package')
    mkdirSync(app)
    run('tar', ['xzf', resolve(tarball), '-C', folder])
    cpSync(unpacked, join(app, 'binnacle'), { recursive: true, filter: path => !isUnused(path.replace(unpacked, '/binnacle')) })
    for (const path of dependencies())
      cpSync(join(root, path), join(app, path), { recursive: true, filter: path => !isUnused(path) })
    cpSync(process.execPath, join(app, 'node'))
    chmodSync(join(app, 'node'), 0o755)

    const { version } = JSON.parse(readFileSync(join(app, 'binnacle/package.json'), 'utf8'))
    const payload = gzipSync(run('tar', ['cf', '-', '-C', app, '.']), { level })
    const platform = `${process.platform}-${process.arch}`
    const digest = createHash('sha256').update(payload).digest('hex').slice(0, 16)
    const script = scriptOf({
      VERSION: version,
      NODE: process.versions.node,
      PLATFORM: platform,
      NAME: `${version}-${digest}`,
      UNAME: run('uname', ['-sm']).toString().trim(),
      FLAGS: /^#!.* node (.*)$/m.exec(readFileSync(join(app, 'binnacle/dist/cli/main.js'), 'utf8'))[1]
    })
    const file = join(out, `binnacle-${version}-${platform}`)
    writeFileSync(file, Buffer.concat([script, payload]), { mode: 0o755 })
    return file
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The script with these values. It says at which byte, counted from 1, the rest begins; the number takes the room of its name. */
function scriptOf(values) {
  const template = readFileSync(new URL('executable.sh', import.meta.url), 'utf8')
  const text = template.replace(/@(?!OFFSET@)([A-Z]+)@/g, (_, name) => values[name])
  const offset = String(Buffer.byteLength(text) + 1).padEnd('@OFFSET@'.length)
  return Buffer.from(text.replace('@OFFSET@', offset))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { tarball, out = '.' } = parseOptions({ options: { tarball: { type: 'string' }, out: { type: 'string' } } }).values
  if (!existsSync(tarball ?? '')) throw new Error(`--tarball=${tarball ?? ''}: no such file; it names what "npm pack" made`)
  mkdirSync(out, { recursive: true })
  console.log(makeExecutable({ tarball, out }))
}
