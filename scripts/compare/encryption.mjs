/**
 * Crosses encrypted values: runs kube-apiserver and Binnacle on one etcd with the same --encryption-provider-config, lets each write
 * Secrets, ConfigMaps and custom resources, and checks that both read what the other one wrote, before and after a key rotation.
 * Also compares what both say about values that cannot be read, about invalid configurations, and the health checks.
 *
 *     node scripts/compare/encryption.mjs --apiserver PATH [--etcd PATH] [--only NAME] [--vectors FILE]
 *
 * `--vectors` writes values that kube-apiserver has stored, for tests. Build Binnacle first (npm run build).
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKmsPlugin } from '../../build/storage/encryption/testing/kms-plugin.js'
import { openEtcdStore } from '../../build/storage/etcd/store.js'
import { parseOptions } from '../shared/options.mjs'
import { startBoth, startEtcd, whyNot } from './authorization/servers.mjs'
import { invalidConfigurations } from './encryption-invalid.mjs'

const { values } = parseOptions({
  options: {
    apiserver: { type: 'string' },
    etcd: { type: 'string', default: 'etcd' },
    only: { type: 'string' },
    vectors: { type: 'string' }
  }
})
const directory = mkdtempSync(join(tmpdir(), 'compare-encryption-'))
const etcd = await startEtcd(values.etcd, directory)
const config = join(directory, 'encryption.json')
const vectors = []
let checks = 0
let problems = 0

/** Keys that are the same in each run, for the vectors. */
const keyOf = name => createHash('sha256').update(name).digest('base64')
const keyed = (provider, ...names) => ({ [provider]: { keys: names.map(name => ({ name, secret: keyOf(name) })) } })
const resources = ['secrets', 'configmaps', '*.example.com', 'services', 'events']

const plugin = await startKmsPlugin(join(directory, 'kms.sock'))
const kms = { kms: { apiVersion: 'v2', name: 'vault', endpoint: plugin.endpoint } }
const scenarios = [
  { name: 'aescbc', before: [keyed('aescbc', 'key1')], after: [keyed('aescbc', 'key2', 'key1')] },
  { name: 'aesgcm', before: [keyed('aesgcm', 'key1')], after: [keyed('aesgcm', 'key2', 'key1')] },
  { name: 'secretbox', before: [keyed('secretbox', 'key1')], after: [keyed('secretbox', 'key2', 'key1')] },
  { name: 'kms', before: [kms], after: [kms], rotates: true, flags: ['--encryption-provider-config-automatic-reload'] },
  {
    name: 'from identity',
    before: [{ identity: {} }, keyed('aesgcm', 'key1')],
    after: [keyed('aesgcm', 'key1'), { identity: {} }],
    // what the servers made at their first start is plain
    isEncrypted: key => /-(?:before|after)$/.test(key),
    // each server writes its own authorities into it again
    rewritten: key => key.endsWith('/extension-apiserver-authentication')
  }
].map(scenario => ({ isEncrypted: () => true, rewritten: () => false, ...scenario }))

const write = providers =>
  writeFileSync(
    config,
    JSON.stringify({
      kind: 'EncryptionConfiguration',
      apiVersion: 'apiserver.config.k8s.io/v1',
      resources: [{ resources, providers }]
    })
  )

function check(what, found, expected) {
  checks++
  if (JSON.stringify(found) === JSON.stringify(expected)) return
  problems++
  console.log(`${what}:\n  found    ${JSON.stringify(found)}\n  expected ${JSON.stringify(expected)}`)
}

const widgets = {
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { data: { type: 'object', additionalProperties: { type: 'string' } } }
            }
          }
        }
      ]
    }
  }
}

const kinds = {
  secrets: { path: '/api/v1/namespaces/default/secrets', kind: 'Secret', apiVersion: 'v1' },
  configmaps: { path: '/api/v1/namespaces/default/configmaps', kind: 'ConfigMap', apiVersion: 'v1' },
  'example.com/widgets': { path: '/apis/example.com/v1/namespaces/default/widgets', kind: 'Widget', apiVersion: 'example.com/v1' }
}
const dataOf = word => ({ word: Buffer.from(`plain text of ${word}`).toString('base64') })
const json = ({ body }) => JSON.parse(body.toString())

const create = (server, { path, kind, apiVersion }, name) =>
  server.send({ as: 'admin', path, body: { kind, apiVersion, metadata: { name }, data: dataOf(name) } })
const get = async (server, { path }, name) => json(await server.send({ as: 'admin', path: `${path}/${name}` }))

async function eventually(check) {
  for (let i = 0; ; i++) {
    const found = await check().catch(() => undefined)
    if (found || i > 200) return found
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Creates one object of each kind on one server, and reads it on both. */
async function cross({ reference, target }, label) {
  for (const [name, kind] of Object.entries(kinds)) {
    for (const [from, writer, reader] of [
      ['kube-apiserver', reference, target],
      ['binnacle', target, reference]
    ]) {
      const object = `${from}-${label}`
      const { status, body } = await create(writer, kind, object)
      check(`${label}: ${from} creates ${name}`, status, 201)
      if (status !== 201) console.log(body.toString())
      for (const [who, server] of [
        ['the other', reader],
        ['itself', writer]
      ])
        check(
          `${label}: ${who} reads ${name} of ${from}`,
          await eventually(async () => (await get(server, kind, object)).data),
          dataOf(object)
        )
    }
  }
}

/** Both list all objects, with their data. */
async function same({ reference, target }, label) {
  for (const [name, kind] of Object.entries(kinds)) {
    const listed = async server =>
      json(await server.send({ as: 'admin', path: kind.path }))
        .items.filter(({ data }) => data?.word)
        .map(({ metadata, data }) => [metadata.name, data])
    check(`${label}: both list ${name}`, await listed(target), await listed(reference))
  }
}

/** Both have the checks of KMS plugins and of the reload in the same places. */
async function sameHealth({ reference, target }, label) {
  for (const kind of ['healthz', 'livez', 'readyz']) {
    const names = async server => {
      const { body } = await server.send({ as: 'admin', path: `/${kind}?verbose` })
      return [...body.toString().matchAll(/^\[[+-]\](\S+)/gm)].map(([, name]) => name)
    }
    const [expected, found] = [await names(reference), await names(target)]
    const both = new Set(found.filter(name => expected.includes(name)))
    check(
      `${label}: /${kind}`,
      found.filter(name => both.has(name)),
      expected.filter(name => both.has(name))
    )
    const ours = list => list.filter(name => /kms|encrypt/.test(name))
    check(`${label}: checks of encryption in /${kind}`, ours(found), ours(expected))
  }
}

async function raw(run) {
  const store = await openEtcdStore({ servers: [etcd.url], prefix: run, compactionInterval: 0 })
  try {
    return (await store.list(`${run}/`)).items
  } finally {
    await store.close()
  }
}

for (const scenario of scenarios) {
  if (values.only && values.only !== scenario.name) continue
  const prefix = `/crossing-${scenario.name.replace(' ', '-')}`
  const flags = [`--etcd-prefix=${prefix}`, `--encryption-provider-config=${config}`, ...(scenario.flags ?? [])]
  const start = () => startBoth({ ...values, directory, etcd: etcd.url, shares: true, scenario: { flags, objects: [widgets] } })
  write(scenario.before)
  let both = await start()
  const established = () =>
    eventually(async () => {
      const answers = await Promise.all(
        [both.reference, both.target].map(server => server.send({ as: 'admin', path: kinds['example.com/widgets'].path }))
      )
      return answers.every(({ status }) => status === 200)
    })
  try {
    await established()
    await sameHealth(both, scenario.name)
    await cross(both, 'before')
    await same(both, `${scenario.name} before`)
    if (scenario.rotates) plugin.rotate(`key-${randomBytes(4).toString('hex')}`)
    await both.stop()
    write(scenario.after)
    both = await start()
    await established()
    await same(both, `${scenario.name} after the rotation`)
    await cross(both, 'after')
    // an update that changes nothing writes with the new key
    for (const [name, kind] of Object.entries(kinds))
      for (const object of ['kube-apiserver-before', 'binnacle-before'])
        for (const isFirst of [true, false]) {
          const path = `${kind.path}/${object}`
          const old = await get(both.target, kind, object)
          const updated = json(await both.target.send({ as: 'admin', path, method: 'PUT', body: old }))
          const changed = updated.metadata.resourceVersion !== old.metadata.resourceVersion
          check(`${scenario.name}: ${isFirst ? 'the first' : 'the second'} update rewrites ${name} ${object}`, changed, isFirst)
        }
    await same(both, `${scenario.name} after the migration`)
    const items = await raw(prefix)
    for (const { key, value } of items) {
      const isEncrypted = value.subarray(0, 8).toString() === 'k8s:enc:'
      const [, first] = key.slice(prefix.length).split('/')
      if (!scenario.rewritten(key))
        check(
          `${scenario.name}: ${key} is encrypted`,
          isEncrypted,
          scenario.isEncrypted(key) &&
            (['secrets', 'configmaps', 'example.com', 'events'].includes(first) || key.includes('/services/specs/'))
        )
      if (isEncrypted)
        check(`${scenario.name}: plain text in ${key}`, value.includes('plain text') || value.includes('metadata'), false)
      if (key.includes('kube-apiserver-after') && first === 'secrets')
        vectors.push({ provider: scenario.name, key, value: value.toString('base64') })
    }
    // a value at another key
    const store = await openEtcdStore({ servers: [etcd.url], prefix, compactionInterval: 0 })
    const moved = items.find(({ key }) => key.endsWith('secrets/default/binnacle-after'))
    const wrong = Buffer.from(moved.value)
    wrong[wrong.length - 1] ^= 1
    for (const [name, value] of Object.entries({
      moved: moved.value,
      changed: wrong,
      unknown: Buffer.from('k8s:enc:aescbc:v1:other:0123'),
      cut: moved.value.subarray(0, 30)
    }))
      await store.commit([{ key: `${prefix}/secrets/default/${name}`, value }])
    await store.commit([{ key: `${prefix}/pods/default/moved`, value: moved.value }])
    await store.close()
    for (const path of ['secrets/moved', 'secrets/changed', 'secrets/unknown', 'secrets/cut', 'pods/moved']) {
      const answer = async server => {
        const { status, body } = await server.send({ as: 'admin', path: `/api/v1/namespaces/default/${path}` })
        return { status, body: status === 200 ? JSON.parse(body).data : JSON.parse(body) }
      }
      check(`${scenario.name}: ${path}`, await answer(both.target), await answer(both.reference))
    }
  } finally {
    await both.stop()
  }
}

for (const { name, text, flags = [] } of invalidConfigurations(directory)) {
  if (values.only && values.only !== 'invalid') continue
  const file = join(directory, 'invalid.yaml')
  writeFileSync(file, text)
  const given = { ...values, directory, etcd: etcd.url, flags: [`--encryption-provider-config=${file}`, ...flags] }
  const reference = await whyNot('reference', given)
  const target = await whyNot('target', given)
  check(`invalid: ${name}`, target, reference)
}

await plugin.down()
await etcd.stop()
rmSync(directory, { recursive: true, force: true })
if (values.vectors) writeFileSync(values.vectors, JSON.stringify(vectors, undefined, 2))
console.log(`${checks} checks, ${problems} problems`)
process.exitCode = problems > 0 ? 1 : 0
