/** Garbage collection as clients see it, through the whole handler chain without a port. */
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

const core = '/api/v1/namespaces'
const hold = { finalizers: ['example.com/hold'] }
let server: BinnacleServer

before(async () => {
  server = createServer({ log: silentLogger })
  await server.start()
})
after(() => server.stop())

const ask = (method: string, url: string, body?: unknown, of = server) => send(of, method, url, body)

async function namespace(name: string): Promise<string> {
  assert.equal((await ask('POST', core, { metadata: { name } })).status, 201)
  return `${core}/${name}/configmaps`
}

interface Named {
  readonly name: string
  readonly uid: string
}

type Answer = Awaited<ReturnType<typeof ask>>

const until = (url: string, met: (answer: Answer) => boolean, of = server): Promise<Answer> =>
  eventually(`${url} is as wanted`, () => ask('GET', url, undefined, of), met)

const gone = (url: string, of = server) => until(url, ({ status }) => status === 404, of)
const deleting = (url: string) => until(url, ({ body }) => body.metadata.deletionTimestamp)

/** Waits until all due objects are processed: the collector deletes a sentinel, whose owner is absent, after them. */
async function settled(at: string): Promise<void> {
  await make(at, 'sentinel', { ownerReferences: [reference({ name: 'nobody', uid: 'nothing' })] })
  await gone(`${at}/sentinel`)
}

async function make(at: string, name: string, metadata: object = {}): Promise<Named> {
  const { status, body } = await ask('POST', at, { metadata: { name, ...metadata } })
  assert.equal(status, 201, JSON.stringify(body))
  return { name, uid: body.metadata.uid }
}

const reference = ({ name, uid }: Named, more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...more })
const ownedBy = (...owners: Named[]) => ({ ownerReferences: owners.map(owner => reference(owner)) })
const blocking = (owner: Named) => ({ ownerReferences: [reference(owner, { blockOwnerDeletion: true })] })

test('background: all descendants of a deleted owner are deleted, and nothing else', async () => {
  const at = await namespace('background')
  const owner = await make(at, 'owner')
  const child = await make(at, 'child', ownedBy(owner))
  await make(at, 'grandchild', ownedBy(child))
  await make(at, 'stranger')
  assert.equal((await ask('DELETE', `${at}/owner`)).body.status, 'Success')
  await gone(`${at}/child`)
  await gone(`${at}/grandchild`)
  assert.equal((await ask('GET', `${at}/stranger`)).status, 200)
})

test('orphan: dependents stay and lose their reference, then the owner goes', async () => {
  const at = await namespace('orphan')
  const owner = await make(at, 'owner')
  const other = await make(at, 'other')
  await make(at, 'child', ownedBy(owner))
  await make(at, 'shared', ownedBy(owner, other))
  await ask('DELETE', `${at}/owner?propagationPolicy=Orphan`)
  await gone(`${at}/owner`)
  assert.equal((await ask('GET', `${at}/child`)).body.metadata.ownerReferences, undefined)
  assert.deepEqual((await ask('GET', `${at}/shared`)).body.metadata.ownerReferences, [reference(other)])
})

test('foreground: the owner waits for the dependents that block it, and not for others', async () => {
  const at = await namespace('foreground')
  const owner = await make(at, 'owner')
  await make(at, 'child', { ...blocking(owner), ...hold })
  await make(at, 'loose', { ...ownedBy(owner), ...hold })
  await ask('DELETE', `${at}/owner?propagationPolicy=Foreground`)
  await deleting(`${at}/child`)
  await deleting(`${at}/loose`)
  await settled(at)
  assert.deepEqual((await ask('GET', `${at}/owner`)).body.metadata.finalizers, ['foregroundDeletion'])
  await ask('PATCH', `${at}/child`, { metadata: { finalizers: null } })
  await gone(`${at}/owner`)
  assert.equal((await ask('GET', `${at}/loose`)).status, 200)
})

test('foreground: dependents that own something are deleted in the foreground too', async () => {
  const at = await namespace('generations')
  const owner = await make(at, 'owner')
  const child = await make(at, 'child', blocking(owner))
  await make(at, 'grandchild', { ...blocking(child), ...hold })
  await ask('DELETE', `${at}/owner?propagationPolicy=Foreground`)
  await deleting(`${at}/grandchild`)
  assert.deepEqual((await ask('GET', `${at}/child`)).body.metadata.finalizers, ['foregroundDeletion'])
  await ask('PATCH', `${at}/grandchild`, { metadata: { finalizers: null } })
  await gone(`${at}/owner`)
  assert.equal((await ask('GET', `${at}/child`)).status, 404)
})

test('foreground: a dependent that stops blocking frees the owner', async () => {
  const at = await namespace('unblocked')
  const owner = await make(at, 'owner')
  await make(at, 'child', { ...blocking(owner), ...hold })
  await ask('DELETE', `${at}/owner?propagationPolicy=Foreground`)
  await deleting(`${at}/child`)
  await ask('PATCH', `${at}/child`, { metadata: ownedBy(owner) })
  await gone(`${at}/owner`)
})

test('foreground: two objects that own each other do not deadlock', async () => {
  const at = await namespace('circle')
  const one = await make(at, 'one')
  const two = await make(at, 'two', blocking(one))
  await ask('PATCH', `${at}/one`, { metadata: blocking(two) })
  await ask('DELETE', `${at}/one?propagationPolicy=Foreground`)
  await gone(`${at}/one`)
  await gone(`${at}/two`)
})

test('an object whose owner never existed is collected', async () => {
  const at = await namespace('absent')
  await make(at, 'ghost', ownedBy({ name: 'never', uid: 'never-was' }))
  await gone(`${at}/ghost`)
})

test('a namesake of the owner is not the owner', async () => {
  const at = await namespace('namesake')
  await make(at, 'owner')
  await make(at, 'child', ownedBy({ name: 'owner', uid: 'of-the-one-before' }))
  await gone(`${at}/child`)
})

test('an object with one present owner stays and loses its references to absent owners', async () => {
  const at = await namespace('two')
  const first = await make(at, 'first')
  const second = await make(at, 'second')
  await make(at, 'child', ownedBy(first, second))
  await ask('DELETE', `${at}/first`)
  const { body } = await until(`${at}/child`, answer => answer.body.metadata.ownerReferences?.length === 1)
  assert.deepEqual(body.metadata.ownerReferences, [reference(second)])
  await ask('DELETE', `${at}/second`)
  await gone(`${at}/child`)
})

test('an object that is given an absent owner later is collected too', async () => {
  const at = await namespace('later')
  await make(at, 'child')
  await ask('PATCH', `${at}/child`, { metadata: ownedBy({ name: 'never', uid: 'never-was' }) })
  await gone(`${at}/child`)
})

test('an owner in another namespace is no owner', async () => {
  const at = await namespace('here')
  const owner = await make(await namespace('there'), 'owner')
  await make(at, 'child', ownedBy(owner))
  await gone(`${at}/child`)
})

test('a cluster-scoped object may own namespaced objects', async () => {
  const at = await namespace('cluster-owner')
  const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
  const owner = await make(role, 'cluster-owner')
  await make(at, 'child', { ownerReferences: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', ...owner }] })
  await settled(at)
  assert.equal((await ask('GET', `${at}/child`)).status, 200)
  await ask('DELETE', `${role}/cluster-owner`)
  await gone(`${at}/child`)
})

test('an object with an owner out of its scope or of a kind that is not served is left alone', async () => {
  const at = await namespace('left-alone')
  const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
  await make(role, 'left-alone', ownedBy({ name: 'never', uid: 'never-was' }))
  await make(at, 'child', { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Boat', name: 'never', uid: 'never-was' }] })
  await settled(at)
  assert.equal((await ask('GET', `${role}/left-alone`)).status, 200)
  assert.equal((await ask('GET', `${at}/child`)).status, 200)
})

test('deleting a Deployment deletes or orphans its ReplicaSet and Pods', async () => {
  const at = (await namespace('workloads')).replace('/configmaps', '')
  const apps = '/apis/apps/v1/namespaces/workloads'
  const account = `${at}/serviceaccounts/default`
  await until(account, ({ status }) => status === 200)
  const labels = { app: 'web' }
  const spec = { containers: [{ name: 'c', image: 'i' }] }
  const workload = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } }
  const build = async (name: string) => {
    const metadata = (kind: string, { body }: Answer) => {
      const owner = { apiVersion: 'apps/v1', kind, name, uid: body.metadata.uid, controller: true, blockOwnerDeletion: true }
      return { name, labels, ownerReferences: [owner] }
    }
    const deployment = await ask('POST', `${apps}/deployments`, { metadata: { name }, spec: workload })
    const set = await ask('POST', `${apps}/replicasets`, { metadata: metadata('Deployment', deployment), spec: workload })
    const pod = await ask('POST', `${at}/pods`, { metadata: metadata('ReplicaSet', set), spec })
    assert.deepEqual([deployment.status, set.status, pod.status], [201, 201, 201])
  }
  await build('taken')
  await ask('DELETE', `${apps}/deployments/taken?propagationPolicy=Foreground`)
  for (const url of [`${at}/pods/taken`, `${apps}/replicasets/taken`, `${apps}/deployments/taken`]) await gone(url)
  await build('left')
  await ask('DELETE', `${apps}/replicasets/left?propagationPolicy=Orphan`)
  await gone(`${apps}/replicasets/left`)
  assert.equal((await ask('GET', `${at}/pods/left`)).body.metadata.ownerReferences, undefined)
})

test('the server answers other requests while 2,000 dependents are deleted', async () => {
  const at = await namespace('many')
  const owner = await make(at, 'owner')
  for (let i = 0; i < 2000; i++) await make(at, `child-${i}`, ownedBy(owner))
  await ask('DELETE', `${at}/owner`)
  const counts = new Set<number>()
  await until(`${at}?limit=1`, ({ body }) => {
    counts.add(body.metadata.remainingItemCount ?? 0)
    return body.items.every((item: any) => !item.metadata.name.startsWith('child'))
  })
  assert.ok(counts.size > 20, `${counts.size} answers meanwhile`)
})

test('without the controller nothing is collected', async () => {
  const without = createServer({ log: silentLogger, controllers: ['*', '-garbagecollector'] })
  await without.start()
  try {
    const at = `${core}/default/configmaps`
    await ask('POST', at, { metadata: { name: 'ghost', ...ownedBy({ name: 'never', uid: 'never-was' }) } }, without)
    for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate)
    assert.equal((await ask('GET', `${at}/ghost`, undefined, without)).status, 200)
  } finally {
    await without.stop()
  }
})

test('garbage that an earlier run left behind is collected after the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-gc-'))
  const run = async (controllers: string[], work: (of: BinnacleServer) => Promise<void>) => {
    const one = createServer({ log: silentLogger, storageBackend: 'lmdb', dataDir, controllers })
    await one.start()
    await work(one).finally(() => one.stop())
  }
  const at = `${core}/default/configmaps`
  try {
    await run(['namespace-controller'], async of => {
      const { body } = await ask('POST', at, { metadata: { name: 'owner' } }, of)
      await ask('POST', at, { metadata: { name: 'child', ...ownedBy({ name: 'owner', uid: body.metadata.uid }) } }, of)
      await ask('DELETE', `${at}/owner?propagationPolicy=Foreground`, undefined, of)
      assert.equal((await ask('GET', `${at}/owner`, undefined, of)).status, 200)
    })
    await run(['*'], async of => {
      await gone(`${at}/child`, of)
      await gone(`${at}/owner`, of)
    })
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

test('an object that is made anew under the name of one that is to be collected stays', async t => {
  const collector = 'system:serviceaccount:kube-system:generic-garbage-collector'
  let at = ''
  let attempts = 0
  const own = createServer({
    log: silentLogger,
    admissionPlugins: [
      {
        name: 'MakesAnew',
        operations: ['DELETE'],
        resources: ['configmaps'],
        async validate({ name, context: { user } }) {
          if (name !== 'child' || user.name !== collector || attempts++ > 0) return
          // while the collector deletes the object, a user does so first, and makes another
          await ask('DELETE', `${at}/child`, undefined, own)
          await ask('POST', at, { metadata: { name: 'child', labels: { made: 'anew' } } }, own)
        }
      }
    ]
  })
  await own.start()
  t.after(() => own.stop())
  assert.equal((await ask('POST', core, { metadata: { name: 'anew' } }, own)).status, 201)
  at = `${core}/anew/configmaps`
  const { body: owner } = await ask('POST', at, { metadata: { name: 'owner' } }, own)
  const dependent = (name: string) => ({ metadata: { name, ...ownedBy(owner.metadata) } })
  for (const name of ['child', 'other']) await ask('POST', at, dependent(name), own)
  await ask('DELETE', `${at}/owner`, undefined, own)
  await gone(`${at}/other`, own)
  await until(`${at}/child`, ({ body }) => body.metadata?.labels?.made === 'anew', own)
  // the collector has done its work once it has collected another
  await ask('POST', at, { metadata: { name: 'sentinel', ownerReferences: [reference({ name: 'nobody', uid: 'nothing' })] } }, own)
  await gone(`${at}/sentinel`, own)
  assert.equal(attempts, 1)
  assert.equal((await ask('GET', `${at}/child`, undefined, own)).body.metadata.labels.made, 'anew')
})
