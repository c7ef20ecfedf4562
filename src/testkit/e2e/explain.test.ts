/** `binnacle why` and `binnacle who-can` against a server with TLS. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { main } from '../command.js'

let directory: string
let server: BinnacleServer

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-explain-'))
  server = createServer({ log: silentLogger, storageBackend: 'memory', recorder: true })
  await server.start()
  await writeFile(join(directory, 'kubeconfig'), server.kubeconfig(), { mode: 0o600 })
})
after(async () => {
  await server.stop()
  await rm(directory, { recursive: true })
})

const run = (...args: string[]) =>
  new Promise<{ code: number; out: string; error: string }>(resolve => {
    const env = { ...process.env, KUBECONFIG: join(directory, 'kubeconfig') }
    execFile(process.execPath, [main, ...args], { env }, (error, out, text) =>
      resolve({ code: error ? Number(error.code) : 0, out, error: text })
    )
  })

test('why alice may not create Pods, and what lets her', async () => {
  const { out } = await run('why', 'create', 'pods', '-n', 'default', '--as', 'alice')
  assert.match(out, /^alice may not create pods in namespace default$/m)
  assert.match(out, /ClusterRole edit: .*pods/)
  const explained = JSON.parse((await run('why', 'create', 'pods', '-n', 'default', '--as', 'alice', '-o', 'json')).out)
  await server.client().apply(explained.remedy.objects)
  assert.match(
    (await run('why', '--as=alice', 'create', '-n', 'default', 'pods')).out,
    /alice may create pods in namespace default: rbac allows it/
  )
  assert.match((await run('who-can', 'create', 'pods')).out, /User alice\n {4}through RoleBinding default\/create-pods-alice/)
})

test('why a request was denied', async () => {
  const user = { name: 'mallory', groups: [] }
  const answer = await server.inject({ url: '/api/v1/nodes', user })
  for (const args of [['denied'], ['--last-denied'], ['--request', String(answer.headers['audit-id'])]]) {
    const { out } = await run('why', ...args)
    assert.match(out, /^request \d+ at .*: mallory sent GET \/api\/v1\/nodes, answered with 403$/m)
    assert.match(out, /mallory may not list nodes/)
  }
})

test('why an object does not go away, and who owns its fields', async () => {
  const maps = server.client().of('v1', 'ConfigMap')
  await maps.create({ metadata: { name: 'kept', namespace: 'default', finalizers: ['example.com/keep'] }, data: { a: 'b' } })
  await maps.delete({ metadata: { name: 'kept', namespace: 'default' } })
  assert.match(
    (await run('why', 'deleting', 'configmap/kept')).out,
    /finalizer example\.com\/keep, set by binnacle: whoever set it/
  )
  assert.match((await run('why', 'field', 'cm', 'kept', 'data')).out, /^\.data\.a {2}binnacle \(Update, .*request \d+ of /m)
})

test('what admission does with a file, and what rules cost', async () => {
  const map = join(directory, 'map.yaml')
  await writeFile(map, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: tried }\n')
  assert.match((await run('why', 'admission', '-f', map)).out, /^the answer would be 201$/m)
  const rule = "self.matches('^[a-z]+$')"
  const schema = {
    type: 'object',
    properties: { names: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': [{ rule }] } } }
  }
  const definition = join(directory, 'definition.json')
  const spec = { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] }
  await writeFile(
    definition,
    JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'a' }, spec })
  )
  const { out } = await run('why', 'cost', '-f', definition)
  assert.match(out, /too much/)
  assert.match(out, /with maxLength: \d+ at \.properties\[names\]\.items and maxItems: \d+ at \.properties\[names\]/)
})

test('what is missing is said in one line', async () => {
  for (const [args, message] of [
    [['why'], /binnacle why VERB RESOURCE/],
    [['why', 'deleting', 'pods'], /the object is missing/],
    [['why', 'deleting', 'widget/a'], /no resource widget/],
    [['why', 'deleting', 'configmap/none'], /configmaps "none" not found/],
    [['why', 'admission'], /-f is missing/],
    [['who-can', 'get'], /binnacle who-can VERB RESOURCE/]
  ] as const) {
    const { code, error } = await run(...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(error, message)
    assert.equal(error.trim().split('\n').length, 1)
  }
  assert.match((await run('why', '--help')).out, /Usage:/)
  assert.match((await run('who-can', '-h')).out, /Usage:/)
})
