import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { builtinKinds } from '../../kinds/index.js'
import { Registry } from '../../registry/registry.js'
import { Resource } from '../../registry/resource.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import type { RemoteDependent, RemoteGarbage } from '../remote-content.js'
import { RemoteDependents, remoteDependentsMs } from './remote-dependents.js'

const store = openMemoryStore()
after(() => store.close())

const kind = builtinKinds.find(({ group, resource }) => group === '' && resource === 'configmaps')!
const configMaps = new Resource({ kind, versions: kind.versions, store, types: loadSchema(), now: () => 0 })
const registry = new Registry()
registry.add(configMaps)

const owner = (name: string, uid: string, kind = 'ConfigMap') => ({
  apiVersion: kind === 'ConfigMap' ? 'v1' : 'a.example.com/v1',
  kind,
  name,
  uid
})

const thereUid = '11111111-1111-4111-8111-111111111111'

const object = { metadata: { name: 'there', namespace: 'ns', uid: thereUid } }

const solid = [owner('there', thereUid), owner('gone', 'gone')]
const gone = [owner('gone', 'gone'), owner('gone', 'x', 'Thing')]
const recreated = [owner('there', 'earlier')]
const elsewhere = [owner('there', 'x', 'Thing')]

/** `latest`: objects that have changed since they were listed or watched; undefined for those that are gone. */
function collector(
  polled: Readonly<Record<string, OwnerReference[]>> = {},
  latest: Readonly<Record<string, OwnerReference[] | undefined>> = {}
) {
  const seen = { deleted: [] as string[], left: [] as string[], due: [] as string[], unblocked: [] as string[] }
  const dependent = (uid: string, owners: OwnerReference[], isDeleting = false): RemoteDependent => ({
    uid,
    namespace: 'ns',
    owners,
    isDeleting,
    async latest() {
      if (!(uid in latest)) return dependent(uid, owners, isDeleting)
      return latest[uid] && dependent(uid, latest[uid])
    },
    delete: async () => void seen.deleted.push(uid),
    leave: async from => void seen.left.push(`${uid} ${from}`)
  })
  const remote: RemoteGarbage = {
    isEmpty: false,
    standing: async ({ name }) => (name === 'gone' ? 'absent' : 'unknown'),
    isFollowed: ({ name }) => name === 'gone',
    async *dependents() {
      for (const [uid, owners] of Object.entries(polled)) yield dependent(uid, owners)
    },
    follow: () => ({ close() {} })
  }
  const dependents = new RemoteDependents(
    registry,
    remote,
    uid => void seen.due.push(uid),
    (_, { uid }) => void seen.unblocked.push(uid)
  )
  return { dependents, dependent, seen }
}

before(async () => {
  await store.commit([{ key: `${configMaps.prefix}ns/there`, value: configMaps.form.encode(object), attachment: object }])
})

it('deletes objects of other servers that have no owner, when it lists them', async () => {
  const { dependents, seen } = collector({ solid, gone, recreated, elsewhere })
  await dependents.collect(new AbortController().signal)
  assert.deepEqual(seen.deleted, ['gone', 'recreated'])
})

it('checks an object that it holds when the object or an owner changes', async () => {
  const { dependents, dependent, seen } = collector()
  for (const [uid, owners] of Object.entries({ solid, gone, elsewhere })) dependents.hold(dependent(uid, owners))
  assert.deepEqual(seen.due, ['solid', 'gone', 'elsewhere'])
  const again = []
  for (const uid of [...seen.due, 'unheard of']) again.push(await dependents.check(uid))
  assert.deepEqual(seen.deleted, ['gone'])
  // nobody tells when an owner that cannot be watched goes
  assert.deepEqual(again, [undefined, undefined, remoteDependentsMs, undefined])
  seen.due = []
  dependents.ownerChanged(thereUid)
  dependents.ownerChanged('nobody')
  assert.deepEqual(seen.due, ['solid'])
  dependents.drop('solid')
  dependents.hold(dependent('gone', []))
  dependents.hold(dependent('elsewhere', gone, true))
  seen.due = []
  for (const uid of [thereUid, 'gone', 'x']) dependents.ownerChanged(uid)
  assert.deepEqual(seen.due, ['elsewhere', 'elsewhere'])
  assert.equal(await dependents.check('elsewhere'), undefined)
  assert.deepEqual(seen.deleted, ['gone'])
})

it('reads an object again before it deletes it', async () => {
  const lists = { left: gone, adopted: gone, away: gone, still: gone }
  const { dependents, dependent, seen } = collector(lists, { left: [], adopted: solid, away: undefined, still: recreated })
  await dependents.collect(new AbortController().signal)
  assert.deepEqual(seen.deleted, ['still'])
  for (const uid of Object.keys(lists)) dependents.hold(dependent(uid, gone))
  for (const uid of Object.keys(lists)) await dependents.check(uid)
  assert.deepEqual(seen.deleted, ['still', 'still'])
})

it('knows which owners wait for objects of other servers, and leaves objects behind', async () => {
  const blocking = (uid: string) => [{ ...owner('there', uid), blockOwnerDeletion: true }]
  const { dependents, dependent, seen } = collector({ polled: solid, other: recreated })
  dependents.hold(dependent('a', blocking('1')))
  dependents.hold(dependent('b', [owner('there', '2')]))
  assert.deepEqual(
    ['1', '2', '3'].map(uid => dependents.blocks(uid)),
    [true, false, false]
  )
  dependents.hold(dependent('a', [...blocking('1'), ...blocking('2')], true))
  assert.deepEqual([dependents.blocks('2'), seen.unblocked], [true, []])
  dependents.hold(dependent('a', blocking('2')))
  dependents.drop('a')
  assert.deepEqual([dependents.blocks('2'), seen.unblocked], [false, ['1', '2']])
  await dependents.orphan('2')
  await dependents.orphan(thereUid)
  assert.deepEqual(seen.left, ['b 2', `polled ${thereUid}`])
})
