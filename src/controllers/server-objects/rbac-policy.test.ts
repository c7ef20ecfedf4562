/** The default roles and bindings of a server, and aggregated ClusterRoles. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
let server: BinnacleServer
let dataDir: string

const start = async () => {
  server = createServer({ log: silentLogger, storageBackend: 'lmdb', dataDir })
  await server.start()
}

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'binnacle-rbac-'))
  await start()
})
after(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true })
})

const ask = async (method: string, url: string, body?: unknown) => (await send(server, method, url, body)).body

const until = (url: string, isRight: (body: any) => boolean): Promise<any> =>
  eventually(`${url} is as wanted`, () => ask('GET', url), isRight)

const gathers = (resource: string) => (role: any) => role.rules?.some((rule: any) => rule.resources?.includes(resource)) ?? false

test('a labelled ClusterRole is aggregated, also through a ClusterRole that is itself aggregated', async () => {
  const { metadata } = await ask('POST', roles, {
    metadata: { name: 'crystal-viewers', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    rules: [{ apiGroups: ['e.io'], resources: ['crystals'], verbs: ['get'] }]
  })
  for (const name of ['view', 'edit', 'admin']) await until(`${roles}/${name}`, gathers('crystals'))
  const { managedFields } = (await ask('GET', `${roles}/view`)).metadata
  assert.deepEqual(
    managedFields.map((entry: any) => [entry.manager, entry.operation]),
    [
      ['clusterrole-aggregation-controller', 'Apply'],
      ['kube-apiserver', 'Update']
    ]
  )
  await ask('DELETE', `${roles}/${metadata.name}`)
  for (const name of ['view', 'edit', 'admin']) await until(`${roles}/${name}`, role => !gathers('crystals')(role))
})

test('a start writes missing roles and bindings, and nothing when none are missing', async () => {
  await ask('DELETE', `${roles}/system:kube-dns`)
  await ask('PATCH', `${bindings}/system:monitoring`, { subjects: [{ kind: 'User', name: 'prometheus' }] })
  const before = (await ask('GET', bindings)).items
  await server.stop()
  await start()
  assert.equal((await ask('GET', `${roles}/system:kube-dns`)).rules.length, 1)
  const { subjects } = await ask('GET', `${bindings}/system:monitoring`)
  assert.deepEqual(
    subjects.map((s: any) => s.name),
    ['prometheus', 'system:monitoring']
  )
  const after = (await ask('GET', bindings)).items
  const changed = after.filter((o: any, i: number) => o.metadata.resourceVersion !== before[i].metadata.resourceVersion)
  assert.deepEqual(
    changed.map((o: any) => o.metadata.name),
    ['system:monitoring']
  )
})
