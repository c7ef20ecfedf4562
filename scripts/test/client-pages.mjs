// Makes the projects that the pages of the clients show (clients/*/README.md), each in an empty folder, and does with them what readers do. What a
// page takes from the repository's address comes from this folder instead, and the npm package is the one that is built.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inFolder, python, whyMissing, whyNothingWorks } from './toolchains.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const clients = join(root, 'clients')

/** A first line that names the file: a comment of any of the languages. */
const named = /^(?:\/\/|#|<!--) (\S+\.\w+)(?: -->)?\n/

/** One build of a client in Java and the project, so that the client need not be put among the user's packages. `runner` runs Maven. */
function inMaven(client, runner) {
  return {
    toolchain: 'java',
    does: 'runs',
    prepare(folder) {
      for (const part of ['pom.xml', 'src/main'])
        cpSync(join(clients, client, part), join(folder, 'client', part), { recursive: true })
    },
    files: {
      'pom.xml': `<project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>other</groupId><artifactId>other</artifactId><version>1</version><packaging>pom</packaging>
        <modules><module>client</module><module>courses</module></modules>
      </project>`
    },
    commands: [[...runner, 'mvn', '-B', '-ntp', '-q', '-f', '..', 'test']]
  }
}

/** `prepare` adds files; commands run in the folder `courses`, where the page's files are. `does` says what becomes of the project. */
const languages = {
  python: {
    does: 'runs',
    commands: [
      [python, '-m', 'venv', 'venv'],
      [join('venv', process.platform === 'win32' ? 'Scripts' : 'bin', 'pip'), 'install', '-q', 'pytest', 'kubernetes'],
      [join('venv', process.platform === 'win32' ? 'Scripts' : 'bin', 'pytest'), '-q', '-p', 'binnacle_testing.plugin']
    ],
    env: { PYTHONPATH: join(clients, 'python'), PYTHONDONTWRITEBYTECODE: '1' }
  },
  go: {
    does: 'runs',
    commands: [
      ['go', 'mod', 'init', 'example.com/courses'],
      ['go', 'mod', 'edit', `-replace=github.com/binnacle-dev/binnacle/clients/go=${join(clients, 'go')}`],
      ['go', 'get', 'k8s.io/client-go@v0.37.0'],
      ['go', 'mod', 'tidy'],
      ['go', 'vet', './...'],
      ['go', 'test', '-count=1', './...']
    ]
  },
  java: inMaven('java', []),
  testcontainers: inMaven('testcontainers', [process.execPath, join(clients, 'testcontainers/stand-in.mjs')]),
  rust: {
    // to build and link what the crate kube needs takes minutes more
    does: 'compiles',
    text: text =>
      text.replace(/git = "https:\/\/github\.com\/binnacle-dev\/binnacle"/, `path = ${JSON.stringify(join(clients, 'rust'))}`),
    files: { 'courses/src/lib.rs': '' },
    commands: [['cargo', 'check', '--quiet', '--tests', '--target-dir=target']]
  }
}

/** Yields a line for each page, and whether it says that something is wrong. */
export function* tryClientPages() {
  for (const [name, language] of Object.entries(languages)) {
    const page = `clients/${name}/README.md`
    const { toolchain = name } = language
    const missing = whyMissing(toolchain)
    const wrong = missing ? undefined : whatFails(page, language)
    const skipped = missing ?? (wrong && whyNothingWorks(toolchain))
    if (skipped) yield { line: `${page}: skipped: ${skipped}` }
    else if (wrong) yield { line: `${page}: ${wrong}`, wrong: true }
    else yield { line: `${page}: the project that it shows ${language.does}` }
  }
}

function whatFails(page, { files, prepare, text = given => given, commands, env }) {
  const shown = Object.fromEntries(filesOf(page).map(([name, content]) => [`courses/${name}`, text(content)]))
  if (Object.keys(shown).length === 0) return 'it shows no file: the first line of a block names it'
  return inFolder({ ...shown, ...files }, folder => {
    prepare?.(folder)
    const cwd = join(folder, 'courses')
    mkdirSync(cwd, { recursive: true })
    for (const [command, ...args] of commands) {
      const { status, error, stdout, stderr } = spawnSync(command, args, {
        cwd,
        env: { ...process.env, BINNACLE_NODE: process.execPath, BINNACLE_PATH: root, ...env },
        encoding: 'utf8',
        timeout: 1_200_000
      })
      if (status !== 0)
        return `${[command, ...args].join(' ')}: ${error?.message ?? `ended with ${status}`}\n${stdout}${stderr}`.trimEnd()
    }
  })
}

/** The blocks that begin with a file's name, as names and contents. */
function filesOf(page) {
  const markdown = readFileSync(join(root, page), 'utf8')
  return [...markdown.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].flatMap(([, text]) => {
    const [, file] = named.exec(text) ?? []
    return file ? [[file, text]] : []
  })
}
