import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { completedCommands, printCompletion } from './commands/completion.js'
import { completions } from './completion.js'
import { acceptedFlags } from './flags/serve-flags.js'

const directory = mkdtempSync(join(tmpdir(), 'binnacle-completion-'))
after(() => rmSync(directory, { recursive: true }))

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0
const skipWithout = (shell: string) => (hasShell(shell) ? false : `${shell} is not installed`)
const script = (shell: string) => {
  const file = join(directory, shell)
  writeFileSync(file, completions[shell]!(completedCommands))
  return file
}

/** What bash offers for the words, of which the last one is being written. */
function inBash(...words: string[]): string[] {
  const array = ['binnacle', ...words].map(word => `'${word}'`).join(' ')
  const program = `source ${script('bash')}; COMP_WORDS=(${array}); COMP_CWORD=${words.length}; _binnacle; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' }).trim().split('\n')
}

describe('completion', () => {
  it('in bash, of commands, flags and values', { skip: skipWithout('bash') }, () => {
    assert.deepEqual(inBash('ser'), ['serve'])
    assert.deepEqual(inBash('serve', '--secure-p'), ['--secure-port'])
    assert.deepEqual(inBash('serve', '--storage-backend', 'l'), ['lmdb'])
    assert.deepEqual(inBash('serve', '--storage-backend', '=', 'e'), ['etcd3'])
    assert.deepEqual(inBash('serve', '--storage-backend', '='), ['lmdb', 'memory', 'etcd3'])
    assert.deepEqual(inBash('serve', '--data-dir', '--s'), [''], 'a value that may be anything is a file')
    assert.deepEqual(inBash('completion', 'f'), ['fish'])
    assert.deepEqual(inBash('version', '--o'), ['--output'])
  })

  it('in fish', { skip: skipWithout('fish') }, () => {
    const inFish = (line: string) =>
      execFileSync('fish', ['--no-config', '-c', `source ${script('fish')}; complete -C '${line}'`], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map(each => each.split('\t')[0])
    assert.deepEqual(inFish('binnacle ser'), ['serve'])
    assert.deepEqual(inFish('binnacle serve --secure-p'), ['--secure-port'])
    assert.deepEqual(inFish('binnacle serve --storage-backend l'), ['lmdb'])
  })

  it('in zsh, with flags that it can read', { skip: skipWithout('zsh') }, () => {
    const program = `
      compdef() { true }
      _arguments() { printf '%s\\n' "$@" }
      source ${script('zsh')}
      words=(binnacle serve --s) CURRENT=3
      _binnacle`
    const specifications = execFileSync('zsh', ['-f', '-c', program], { encoding: 'utf8' }).trim().split('\n')
    assert.ok(specifications.some(one => one.startsWith('*--storage-backend=[')))
    const storage = specifications.find(one => one.startsWith('*--storage-backend='))!
    assert.match(storage, /:lmdb\|memory\|etcd3:\(lmdb memory etcd3\)$/)
    for (const one of specifications.slice(0, -1))
      assert.match(one, /^\*--[\w-]+(?:=\[(?:[^[\]:]|\\.)*\]:.*:(?:_files|\(.*\))|\[(?:[^[\]:]|\\.)*\])$/, one)
  })

  it('has all flags but those that are deprecated', () => {
    for (const shell of Object.keys(completions)) {
      const text = completions[shell]!(completedCommands)
      for (const [name, { isHidden }] of Object.entries(acceptedFlags))
        if (isHidden && !Object.keys(completedCommands.serve!.flags).includes(name))
          assert.ok(!text.includes(`--${name} `), `${shell} has --${name}`)
      for (const name of Object.keys(completedCommands.serve!.flags))
        if (!completedCommands.serve!.flags[name]!.isHidden)
          assert.ok(text.includes(shell === 'fish' ? `-l ${name} ` : `--${name}`), `${shell} lacks --${name}`)
    }
  })

  it('needs the name of a shell', () => {
    assert.throws(() => printCompletion(['tcsh']), { message: 'completion needs the name of a shell: bash, zsh, fish' })
    assert.throws(() => printCompletion(['__proto__']), /needs the name of a shell/)
    assert.throws(() => printCompletion([]), /needs the name of a shell/)
  })
})
