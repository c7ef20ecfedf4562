import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { consoleFolder } from '../../apiserver/console/folder.js'
import { main } from '../../testkit/command.js'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-console-'))
  const cluster = { name: 'x', cluster: { server: 'http://127.0.0.1:1' } }
  const config = { clusters: [cluster], contexts: [{ name: 'far', context: { cluster: 'x' } }], 'current-context': 'far' }
  await writeFile(join(folder, 'kubeconfig'), JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }))
})
after(() => rm(folder, { recursive: true }))

const run = (...args: string[]) =>
  new Promise<{ code: number; out: string; error: string }>(resolve => {
    execFile(process.execPath, [main, 'console', ...args], (error, out, text) =>
      resolve({ code: error ? Number(error.code) : 0, out, error: text })
    )
  })

describe('binnacle console', () => {
  it('says what it takes', async () => {
    const { out } = await run('--help')
    for (const flag of ['kubeconfig', 'context', 'as', 'as-group', 'port', 'no-open'])
      assert.match(out, new RegExp(`--${flag}\\b`))
    for (const [args, why] of [
      [['--as-group=devs'], /--as-group needs --as/],
      [['--port=70000'], /--port "70000" must be a port number/],
      [['--kubeconfig=/none/such'], /kubeconfig \/none\/such/],
      [['list'], /unexpected argument "list"/]
    ] as const) {
      const { code, error } = await run(...args)
      assert.equal(code, 1)
      assert.match(error, why)
    }
  })

  it('prints a link and ends with a signal, or says that the front end is missing', async () => {
    const args = ['--no-open', `--kubeconfig=${join(folder, 'kubeconfig')}`]
    if ((await consoleFolder()) === undefined) {
      assert.match((await run(...args)).error, /^binnacle: the console is not installed: npm install binnacle-console/)
      return
    }
    const child = spawn(process.execPath, [main, 'console', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [text] = await once(child.stdout, 'data')
    assert.match(
      String(text),
      /^The console shows far \(http:\/\/127\.0\.0\.1:1\)\.[\s\S]*http:\/\/127\.0\.0\.1:\d+\/console\/#code=[\w-]{22}$/m
    )
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })
})
