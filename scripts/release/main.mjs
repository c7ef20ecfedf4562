// Makes a release: checks the sources, builds, packs, uses the packages as their users do, and publishes them.
//   npm run release -- --dry-run                  all but the last, and says what would be published
//   npm run release -- --dry-run --out=FOLDER     keeps the packages, the SBOM and the checksums there, which must be empty or not there
//   npm run release -- --dry-run --nodes=20,24    with these versions of Node only
// It publishes from .github/workflows/release.yml alone, because npm's provenance says from which commit and workflow a package is.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import semver from 'semver'
import { parseOptions } from '../shared/options.mjs'
import { billOfMaterials } from './sbom.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseOptions({
  options: {
    'dry-run': { type: 'boolean', default: false },
    out: { type: 'string' },
    nodes: { type: 'number', least: 20, list: true, default: [20, 22, 24] }
  }
})
const isDryRun = values['dry-run']
const { nodes } = values
const json = path => JSON.parse(readFileSync(join(root, path), 'utf8'))
const { version } = json('package.json')
/** The packages of a release, by folders. The console is there where it is built. */
const packages = ['.', 'create-binnacle', 'console'].filter(folder => existsSync(join(root, folder, 'package.json')))

class Refusal extends Error {}
const demand = (condition, message) => {
  if (!condition) throw new Refusal(message)
}

function run(command, args, { cwd = root, quiet = false, env = process.env } = {}) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', 'inherit'],
    shell: process.platform === 'win32' && ['npm', 'npx'].includes(command)
  })
  if (error) throw error
  demand(status === 0, `${[command, ...args].join(' ')} failed`)
  return stdout
}
const script = (path, ...args) => run(process.execPath, [join(root, path), ...args])

/** The part of CHANGELOG.md that tells of a version. */
export function notesOf(changelog, wanted) {
  const [, ...parts] = changelog.split(/^## /m)
  const [newest = ''] = parts
  demand(newest.startsWith(`${wanted}\n`), `CHANGELOG.md: the newest heading is "${newest.split('\n', 1)}", not "${wanted}"`)
  const notes = newest.slice(wanted.length + 1).trim()
  const headings = [...notes.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading)
  const known = ['Added', 'Changed', 'Fixed', 'Security', 'Breaking']
  const odd = headings.filter(heading => !known.includes(heading))
  demand(
    headings.length > 0 && odd.length === 0,
    `CHANGELOG.md: a version has the parts ${known.join(', ')}, not ${odd.join(', ')}`
  )
  return notes
}

const out = values.out ? resolve(values.out) : mkdtempSync(join(tmpdir(), 'binnacle-release-'))
/** The packed files, by package. */
const packed = []
let notes

const steps = {
  'may publish'() {
    const { GITHUB_ACTIONS, GITHUB_WORKFLOW_REF = '', GITHUB_REF_NAME } = process.env
    if (isDryRun) return
    const isWorkflow = GITHUB_ACTIONS === 'true' && GITHUB_WORKFLOW_REF.includes('/.github/workflows/release.yml@')
    demand(isWorkflow, 'releases are published by .github/workflows/release.yml: push a tag, or use --dry-run')
    demand(GITHUB_REF_NAME === `v${version}`, `the tag is ${GITHUB_REF_NAME}, and package.json has ${version}`)
  },

  'has a clean tree'() {
    const changes = run('git', ['status', '--porcelain'], { quiet: true })
    demand(changes === '', `not committed:\n${changes}`)
  },

  'has one version'() {
    demand(semver.valid(version) === version, `package.json: ${version} is no semantic version`)
    for (const folder of packages.slice(1)) {
      const found = json(`${folder}/package.json`).version
      demand(found === version, `${folder}/package.json has ${found}, and package.json ${version}`)
    }
    const { dependencies } = json('create-binnacle/template/operator/package.json')
    demand(
      dependencies.binnacle === `^${version}`,
      `the template of create-binnacle depends on binnacle ${dependencies.binnacle}`
    )
    notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  },

  'has a lock file for every platform'() {
    script('scripts/release/lockfile.mjs', '--check')
  },

  builds() {
    run('npm', ['run', '--silent', 'build'])
  },

  'has the public types of its report'() {
    script('scripts/release/api-report.mjs', '--check')
  },

  packs() {
    mkdirSync(out, { recursive: true })
    demand(readdirSync(out).length === 0, `${out} is not empty`)
    for (const folder of packages) {
      const args = ['pack', '--json', '--ignore-scripts', `--pack-destination=${out}`]
      const [{ name, filename, size, unpackedSize, files }] = JSON.parse(
        run('npm', args, { cwd: join(root, folder), quiet: true })
      )
      demand(files.length > 1, `${name} has no files: is it built?`)
      packed.push({ name, filename, size, unpackedSize, files: files.length })
    }
  },

  'works for its users'() {
    // the bundler that the repository does not use itself
    const others = mkdtempSync(join(tmpdir(), 'binnacle-release-tools-'))
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', `--prefix=${others}`, 'webpack@5'])
    for (const node of nodes) {
      console.log(`  Node ${node}`)
      const executable = run('npx', ['-y', '-p', `node@${node}`, '--', 'node', '-p', 'process.execPath'], { quiet: true }).trim()
      // what the check starts by name is of this version, too
      const env = {
        ...process.env,
        PATH: `${dirname(executable)}${delimiter}${process.env.PATH}`,
        NODE_PATH: join(others, 'node_modules')
      }
      run(executable, [join(root, 'scripts/release/package.mjs'), `--tarball=${join(out, packed[0].filename)}`], { env })
    }
    rmSync(others, { recursive: true })
  },

  'has a bill of materials and checksums'() {
    const bill = billOfMaterials(root)
    writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
    writeFileSync(join(out, 'NOTES.md'), `${notes}\n`)
    const lines = readdirSync(out)
      .sort()
      .map(
        name =>
          `${createHash('sha256')
            .update(readFileSync(join(out, name)))
            .digest('hex')}  ${name}`
      )
    writeFileSync(join(out, 'SHA256SUMS'), `${lines.join('\n')}\n`)
    console.log(lines.map(line => `  ${line}`).join('\n'))
    console.log(`  sbom.cdx.json names ${bill.components.length} packages`)
  }
}

/** Users who name no version get the newest that is final. */
const tag = semver.prerelease(version) ? 'next' : 'latest'
const megabytes = bytes => `${(bytes / 1e6).toFixed(2)} MB`

try {
  for (const [name, step] of Object.entries(steps)) {
    console.log(`== ${name}`)
    await step()
  }
  for (const { name, filename, size, unpackedSize, files } of packed) {
    const args = ['publish', join(out, filename), '--provenance', '--access=public', `--tag=${tag}`]
    console.log(
      `== ${isDryRun ? 'would publish' : 'publishes'} ${name}@${version} as ${tag}: ${files} files, ${megabytes(size)}, ${megabytes(unpackedSize)} unpacked`
    )
    if (isDryRun) console.log(`  npm ${args.join(' ')}`)
    else run('npm', args)
  }
  console.log(`== ${out} has the files of the release on GitHub`)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(`release: ${error.message}`)
  process.exit(1)
}
