import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createServer } from '../../index.js'
import type { ServerOptions } from '../../server/options.js'
import { freshDirectory } from '../../storage/testing/fresh-directory.js'
import { silentLogger } from '../../util/logger.js'
import { snapshotCommand } from './snapshot.js'

async function start(t: TestContext, options: ServerOptions) {
  const server = createServer({ log: silentLogger, unref: true, ...options })
  t.after(() => server.stop())
  await server.start()
  return server
}

/** A cluster with some objects, and its kubeconfig. */
async function cluster(t: TestContext, options: ServerOptions = {}) {
  const folder = await freshDirectory(t)
  const at = (name: string) => join(folder, name)
  const server = await start(t, { securePort: 0, ...options })
  const client = server.client()
  await client.of('v1', 'Namespace').create({ metadata: { name: 'shop' } })
  const service = { metadata: { name: 'web', namespace: 'shop' }, spec: { ports: [{ port: 80 }] } }
  const { spec } = await client.of('v1', 'Service').create(service)
  await client.of('v1', 'Secret').create({ metadata: { name: 'password', namespace: 'shop' }, stringData: { a: 'b' } })
  writeFileSync(at('kubeconfig'), server.kubeconfig())
  return { at, address: spec.clusterIP, kubeconfig: `--kubeconfig=${at('kubeconfig')}` }
}

/** Runs the command, and returns what it writes. */
async function run(t: TestContext, args: readonly string[]): Promise<{ out: string; errors: string }> {
  const texts = { out: '', errors: '' }
  const mocks = (['out', 'errors'] as const).map(name =>
    t.mock.method(name === 'out' ? process.stdout : process.stderr, 'write', (part: string) => {
      texts[name] += part
      return true
    })
  )
  try {
    await snapshotCommand(args)
    return texts
  } finally {
    for (const { mock } of mocks) mock.restore()
  }
}

describe('binnacle snapshot', () => {
  test('saves the state of a cluster, from which a server starts', async t => {
    const { at, address, kubeconfig } = await cluster(t)
    const { out, errors } = await run(t, [kubeconfig, '--out', at('state')])
    assert.match(out, /state has \d+ objects of https:\/\/127\.0\.0\.1:\d+\n$/)
    assert.equal(errors, '')
    const server = await start(t, { listen: false, snapshot: at('state') })
    const there = { namespace: 'shop' }
    assert.equal((await server.client().of('v1', 'Service').get('web', there)).spec.clusterIP, address)
    assert.deepEqual((await server.client().of('v1', 'Secret').list(there)).items, [])
  })

  test('takes Secrets, and the range of the addresses of Services', async t => {
    const serviceClusterIPRange = '10.96.0.0/16'
    const { at, address, kubeconfig } = await cluster(t, { serviceClusterIPRange })
    const { errors } = await run(t, [kubeconfig, '--out', at('state'), '--secrets', '--namespace=shop'])
    assert.equal(errors, '')
    const server = await start(t, { listen: false, snapshot: at('state') })
    const there = { namespace: 'shop' }
    assert.equal((await server.client().of('v1', 'Service').get('web', there)).spec.clusterIP, address)
    const next = { metadata: { name: 'next' }, spec: { ports: [{ port: 80 }] } }
    assert.match((await server.client().of('v1', 'Service').create(next)).spec.clusterIP!, /^10\.96\./)
    assert.ok((await server.client().of('v1', 'Secret').get('password', there)).data?.a)
  })

  test('writes the objects as a List that server.apply takes', async t => {
    const { at, kubeconfig } = await cluster(t)
    await run(t, [kubeconfig, '--out', at('state.json'), '--kind=services'])
    assert.equal(statSync(at('state.json')).mode & 0o777, 0o600)
    const { kind, items } = JSON.parse(readFileSync(at('state.json'), 'utf8'))
    assert.equal(kind, 'List')
    assert.deepEqual(new Set(items.map((item: { kind: string }) => item.kind)), new Set(['Namespace', 'Service']))
    const server = await start(t, { listen: false })
    await server.apply(at('state.json'), { onWarning() {} })
    await server.client().of('v1', 'Service').get('web', { namespace: 'shop' })
  })

  test('says what is wrong', async t => {
    const { at, kubeconfig } = await cluster(t)
    await assert.rejects(run(t, [kubeconfig]), /^UserError: --out is missing: the file to write$/)
    await assert.rejects(run(t, [kubeconfig, '--out', at('none/state')]), /^UserError: .*none\/state: no such file or directory$/)
    await assert.rejects(run(t, [kubeconfig, '--out', at('none/state.json')]), /^UserError: .*no such file or directory$/)
    await assert.rejects(
      run(t, [kubeconfig, '--out', at('state'), '--kind=nothing']),
      /^UserError: .*the cluster has no resource "nothing"/
    )
    assert.match((await run(t, ['--help'])).out, /binnacle snapshot --out FILE \[flags\]/)
  })
})
