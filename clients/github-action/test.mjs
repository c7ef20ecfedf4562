// Runs the action as a runner does: with its inputs and files in the environment. Installs the package that "npm pack" makes of this clone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')

/** A runner with a folder of its own. */
function runner(t) {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-action-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = { GITHUB_ENV: 'env', GITHUB_OUTPUT: 'output', GITHUB_STATE: 'state' }
  for (const name of Object.values(files)) writeFileSync(join(folder, name), '')
  const paths = Object.fromEntries(Object.entries(files).map(([variable, name]) => [variable, join(folder, name)]))
  return {
    folder,
    run: (script, environment) => {
      const env = { ...process.env, RUNNER_TEMP: folder, ...paths, ...environment }
      const { status, stdout } = spawnSync(process.execPath, [join(here, script)], { env, encoding: 'utf8', timeout: 120_000 })
      return { status, stdout }
    },
    told: name =>
      Object.fromEntries(
        readFileSync(join(folder, name), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map(line => line.split(/=(.*)/))
      )
  }
}

const packed = folder => {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32'
  })
  assert.equal(status, 0, stderr)
  return join(folder, JSON.parse(stdout)[0].filename)
}
const stateOf = ({ pid, log }) => ({ STATE_pid: pid, STATE_log: log })
const isRunning = pid => {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

test('serves for the steps that follow, and ends with the job', async t => {
  const { folder, run, told } = runner(t)
  const inputs = { INPUT_PACKAGE: packed(folder), INPUT_FLAGS: '--simulate  --nodes=2' }
  const { status, stdout } = run('start.mjs', inputs)
  const state = told('state')
  t.after(() => isRunning(state.pid) && process.kill(Number(state.pid), 'SIGKILL'))
  assert.equal(status, 0, stdout)
  const { kubeconfig, url, path } = told('output')
  assert.deepEqual(told('env'), { KUBECONFIG: kubeconfig, BINNACLE_PATH: path })
  const { connect } = await import(join(path, 'dist/client.js'))
  const client = await connect({ kubeconfig })
  assert.equal((await client.of('v1', 'Node').list()).items.length, 2)
  await client.close()
  assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/)

  const stopped = run('stop.mjs', stateOf(state))
  assert.equal(stopped.status, 0)
  assert.match(stopped.stdout, /^::group::Binnacle's log\n[\s\S]*Serving securely[\s\S]*::endgroup::\n$/)
  // once it has freed everything
  for (const until = Date.now() + 20_000; isRunning(state.pid); await new Promise(resolve => setTimeout(resolve, 50)))
    assert.ok(Date.now() < until, 'it is still there')
  assert.match(run('stop.mjs', stateOf(state)).stdout, /^::warning::Binnacle had ended before the job/)

  const wrong = run('start.mjs', { ...inputs, INPUT_FLAGS: '--nodess=2' })
  assert.equal(wrong.status, 1)
  assert.match(wrong.stdout, /^::error::Binnacle ended with 1: binnacle: unknown flag --nodess; did you mean --nodes\?$/m)
})
