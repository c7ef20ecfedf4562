import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { main } from '../../testkit/command.js'

const folder = mkdtempSync(join(tmpdir(), 'binnacle-validate-'))
after(() => rmSync(folder, { recursive: true }))

const validate = (...args: string[]) => {
  const options = { cwd: tmpdir(), encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'serve', '--validate-config', ...args], options)
  return { status, stdout, lines: stderr.split('\n').slice(0, -1) }
}

describe('serve --validate-config', () => {
  it('ends with 0 when nothing is wrong', () => {
    const config = join(folder, 'sound.yaml')
    writeFileSync(config, 'data-dir: data\naudit-log-path: audit.log\nsecure-port: 7000\n')
    assert.deepEqual(validate(`--config=${config}`), { status: 0, stdout: 'The configuration is valid.\n', lines: [] })
    assert.deepEqual(readdirSync(folder), ['sound.yaml'])
  })

  it('names every mistake, with the place of those in a file', () => {
    const config = join(folder, 'wrong.yaml')
    writeFileSync(
      config,
      `# a comment
secure-port: 70000
client-ca-file: ca.crt
nonsense: 1
feature-gates:
  Nonsense: true
`
    )
    const { status, stdout, lines } = validate(
      `--config=${config}`,
      '--vv',
      'x',
      '--etcd-compaction-interval=soon',
      '--workers=2',
      '--storage-backend=memory'
    )
    assert.deepEqual([status, stdout], [1, ''])
    assert.deepEqual(lines, [
      'binnacle: unknown flag --vv; did you mean --v?',
      'binnacle: --etcd-compaction-interval "soon" must be a duration such as 5m or 1h30m',
      `binnacle: --config ${config}, line 4: unknown flag "nonsense"`,
      `binnacle: --config ${config}, line 2: --secure-port "70000" must be a port number from 0 to 65535`,
      'binnacle: --workers=2: objects in the memory of one process cannot be seen by others; use --storage-backend=lmdb or etcd3',
      `binnacle: --feature-gates: unrecognized feature gate: Nonsense (${config}, line 5)`,
      `binnacle: --client-ca-file ${join(folder, 'ca.crt')}: no such file or directory (${config}, line 3)`
    ])
  })
})
