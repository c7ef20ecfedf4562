// The toolchains of other languages. A check that needs one is skipped only where the toolchain is missing, too old or not whole, or where
// it can fetch nothing. What fails beyond that is the fault of the code that is checked. Hence each toolchain has a project of its own, which
// needs one well-known package and holds nothing of ours: where that works, so must the code.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const python = process.platform === 'win32' ? 'python' : 'python3'

/** `tool` prints a version, of which `least` is the oldest that will do. `fetch` asks the registry itself: what earlier runs have fetched says nothing. */
const toolchains = {
  python: {
    name: 'Python',
    tool: [python, '--version'],
    version: /^Python (\d+\.\d+)/m,
    least: '3.9',
    files: {},
    fetch: [python, '-m', 'pip', 'download', '--quiet', '--no-cache-dir', '--no-deps', '--dest=fetched', 'pytest']
  },
  go: {
    name: 'Go',
    tool: ['go', 'version'],
    version: /go(\d+\.\d+)/,
    least: '1.22',
    // Go of another version fetches the one that go.mod asks for
    files: { 'go.mod': 'module example.com/other\n\ngo 1.26.0\n' },
    fetch: ['go', 'mod', 'download', 'golang.org/x/sync@v0.10.0'],
    env: { GOFLAGS: '-modcacherw', GOMODCACHE: 'fetched' }
  },
  java: {
    name: 'Java with Maven',
    tool: ['mvn', '--version'],
    version: /Java version: (\d+)/,
    least: '17',
    files: {
      'pom.xml': `<project>
        <modelVersion>4.0.0</modelVersion>
        <parent><groupId>org.junit</groupId><artifactId>junit-bom</artifactId><version>5.14.3</version><relativePath/></parent>
        <artifactId>other</artifactId>
        <properties><maven.compiler.release>17</maven.compiler.release></properties>
      </project>`,
      'src/main/java/Other.java': 'class Other {}'
    },
    fetch: ['mvn', '-B', '-ntp', '-q', '-Dmaven.repo.local=fetched', 'compile']
  },
  // needs no packages
  jdk: { name: 'Java', tool: ['java', '--version'], version: /^\w+ (\d+)/m, least: '17' },
  rust: {
    name: 'Rust',
    tool: ['cargo', '--version'],
    version: /^cargo (\d+\.\d+)/m,
    least: '1.75',
    files: {
      'Cargo.toml': '[package]\nname = "other"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nserde_json = "1"\n',
      'src/lib.rs': ''
    },
    fetch: ['cargo', 'test', '--quiet']
  }
}

const isOlder = (version, least) => {
  const [major, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor = 0] = least.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

/** Runs something in a folder that has these files, and is removed afterwards. */
export function inFolder(files, use) {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-toolchain-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Says why a language cannot be tried on this machine, or returns undefined. */
export function whyMissing(language) {
  const { name, tool, version, least } = toolchains[language]
  const [command, ...args] = tool
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: 60_000 })
  if (status !== 0) return `there is no ${name}: ${tool.join(' ')} does not run`
  const [, found] = version.exec(stdout) ?? []
  if (found === undefined) throw new Error(`${tool.join(' ')} names no version: ${stdout}`)
  return isOlder(found, least) ? `${name} needs version ${least} or newer, and there is ${found}` : undefined
}

/** Says why a language works with no package at all, or returns undefined where it does. */
export function whyNothingWorks(language) {
  const { name, files, fetch, env = {} } = toolchains[language]
  return inFolder(files, folder => {
    const [command, ...args] = fetch
    const folders = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value === 'fetched' ? join(folder, value) : value])
    )
    const { status } = spawnSync(command, args, {
      cwd: folder,
      env: { ...process.env, ...folders },
      stdio: 'ignore',
      timeout: 300_000
    })
    return status === 0 ? undefined : `${name} works with no package: ${fetch.join(' ')} fails, too, in a project of nothing else`
  })
}
