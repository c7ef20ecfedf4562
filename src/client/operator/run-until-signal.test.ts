import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { until } from '../../index.js'
import { freshDirectory } from '../../storage/testing/fresh-directory.js'
import { portless } from '../testing/portless.js'

const moduleOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** What the program says, beside what the operator logs. */
const words = new Set(['begun', 'signal', 'ended', 'over'])

/** A program as it is in the container of an operator, but with free ports: its reconciles end when a line comes. */
const program = `import { once } from 'node:events'
import { connect } from ${moduleOf('../index.js')}
import { defineOperator, defineReconciler, runUntilSignal } from ${moduleOf('./index.js')}

const say = line => process.stdout.write(line + '\\n')
const maps = defineReconciler({
  for: { apiVersion: 'v1', kind: 'ConfigMap' },
  predicates: [],
  async reconcile({ metadata }, { client, signal }) {
    if (metadata.name !== 'work') return
    say('begun')
    await once(process.stdin, 'data')
    await client.of('v1', 'ConfigMap').patch('work', { data: { done: 'yes' } })
    say('ended')
  }
})
const leaderElection = { name: 'lease', leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 200 }
const operator = defineOperator({ name: 'program', namespace: 'default', leaderElection, reconcilers: [maps] })
const client = await connect({ kubeconfig: process.argv[2] })
const running = runUntilSignal(operator, { client, health: { port: 0 }, metrics: { port: 0 } })
process.on('SIGTERM', () => say('signal'))
await running
say('over')
await client.close()
process.stdin.destroy()
`

async function run(t: TestContext) {
  const server = await portless(t, { listen: true, securePort: 0 })
  const folder = await freshDirectory(t)
  const [file, kubeconfig] = [join(folder, 'program.mjs'), join(folder, 'kubeconfig')]
  await writeFile(file, program)
  await writeFile(kubeconfig, server.kubeconfig())
  const child: ChildProcess = spawn(process.execPath, [file, kubeconfig], { stdio: ['pipe', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  let [text, errors] = ['', '']
  const listeners = new Set<() => void>()
  child.stdout!.setEncoding('utf8').on('data', part => {
    text += part
    for (const listener of listeners) listener()
  })
  child.stderr!.setEncoding('utf8').on('data', part => (errors += part))
  const said = (line: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!text.includes(`${line}\n`)) return
        listeners.delete(look)
        resolve()
      }
      listeners.add(look)
      void exit.then(() => reject(new Error(`the program has ended: ${text}${errors}`)))
      look()
    })
  const end = async () => {
    const [code, signal] = await exit
    return { code, signal, lines: text.split('\n').filter(line => words.has(line)), errors }
  }
  return { client: server.client(), child, said, end }
}

describe('a program that runs an operator until a signal', () => {
  test('ends with 0 after SIGTERM, when its reconciles have ended, and gives its Lease back', async t => {
    const { client, child, said, end } = await run(t)
    await client.of('v1', 'ConfigMap').create({ metadata: { name: 'work' } })
    await said('begun')
    child.kill('SIGTERM')
    await said('signal')
    child.stdin!.write('go\n')
    const { code, signal, lines, errors } = await end()
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, errors)
    assert.deepEqual(lines, ['begun', 'signal', 'ended', 'over'])
    assert.equal((await client.of('v1', 'ConfigMap').get('work')).data?.done, 'yes')
    const { spec } = await client.of('coordination.k8s.io/v1', 'Lease').get('lease')
    assert.ok(!spec?.holderIdentity)
  })

  test('ends at once with a second signal', async t => {
    const { client, child, said, end } = await run(t)
    await client.of('v1', 'ConfigMap').create({ metadata: { name: 'work' } })
    await said('begun')
    child.kill('SIGTERM')
    await said('signal')
    child.kill('SIGINT')
    const { code, lines } = await end()
    assert.equal(code, 1)
    assert.deepEqual(lines, ['begun', 'signal'])
  })

  test('ends with an error when its Lease is lost', async t => {
    const { client, end } = await run(t)
    const leases = client.of('coordination.k8s.io/v1', 'Lease')
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'lease' } } as const
    await until(client, lease, ({ spec }) => Boolean(spec?.holderIdentity), { timeout: 20_000 })
    const renewTime = new Date(Date.now() + 60_000).toISOString().replace('Z', '000Z')
    await leases.patch('lease', { spec: { holderIdentity: 'other', renewTime } })
    const { code, lines, errors } = await end()
    assert.equal(code, 1)
    assert.ok(!lines.includes('over'))
    assert.match(errors, /Lease|leader/)
  })
})
