import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { builtinKinds } from '../../kinds/index.js'
import { Registry } from '../../registry/registry.js'
import { Resource } from '../../registry/resource.js'
import type { Store } from '../../storage/contract.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import { OwnerGraph } from './graph.js'

const stores: Store[] = []
let registry: Registry
let configMaps: Resource
let secrets: Resource
let graph: OwnerGraph
/** The keys that became due since the last check. */
let due: string[]
const taken = () => due.splice(0).sort()

beforeEach(() => {
  const store = openMemoryStore()
  stores.push(store)
  const resource = (name: string) => {
    const kind = builtinKinds.find(({ group, resource }) => group === '' && resource === name)!
    return new Resource({ kind, versions: kind.versions, store, types: loadSchema(), now: () => 0 })
  }
  configMaps = resource('configmaps')
  secrets = resource('secrets')
  registry = new Registry()
  registry.add(configMaps)
  due = []
  graph = new OwnerGraph(registry, key => due.push(key))
})
after(() => Promise.all(stores.map(store => store.close())))

let uids = 0

interface Named {
  readonly name: string
  readonly uid: string
}

async function put(resource: Resource, name: string, metadata: object = {}): Promise<Named> {
  const uid = `00000000-0000-4000-8000-${String(uids++).padStart(12, '0')}`
  const object = { metadata: { name, namespace: 'ns', uid, ...metadata } }
  const key = `${resource.prefix}ns/${name}`
  await stores.at(-1)!.commit([{ key, value: resource.form.encode(object), attachment: object }])
  return { name, uid: object.metadata.uid }
}

function remove(resource: Resource, name: string) {
  return stores.at(-1)!.commit([{ key: `${resource.prefix}ns/${name}`, value: undefined }])
}

const ownedBy = (kind: string, owner: Named) => ({ ownerReferences: [{ apiVersion: 'v1', kind, ...owner }] })

test('objects with present owners are not due, nor are objects without owners', async () => {
  await graph.follow()
  const owner = await put(configMaps, 'owner')
  await put(configMaps, 'child', ownedBy('ConfigMap', owner))
  assert.deepEqual(taken(), [])
  await remove(configMaps, 'owner')
  assert.deepEqual(taken(), ['/configmaps ns/child'])
})

test('objects that exist already are examined when the graph starts to follow their resource', async () => {
  await put(configMaps, 'child', ownedBy('ConfigMap', { name: 'never', uid: 'never-was' }))
  await graph.follow()
  assert.deepEqual(taken(), ['/configmaps ns/child'])
})

test('objects whose owner has an unknown kind are due again when the kind is served', async () => {
  await graph.follow()
  const owner = await put(secrets, 'owner')
  await put(configMaps, 'child', ownedBy('Secret', owner))
  assert.deepEqual(taken(), ['/configmaps ns/child'])
  const child = configMaps.get('ns', 'child')!
  assert.equal(graph.standing(child, child.lifecycle!.owners[0]!), 'unknown')
  graph.postpone('/configmaps ns/child')
  registry.add(secrets)
  await graph.follow()
  assert.deepEqual(taken(), ['/configmaps ns/child'])
  assert.equal(graph.standing(child, child.lifecycle!.owners[0]!), 'solid')
  await remove(secrets, 'owner')
  assert.deepEqual(taken(), ['/configmaps ns/child'])
})

test('the graph keeps nothing of deleted objects', async () => {
  await graph.follow()
  await put(configMaps, 'child', ownedBy('Secret', { name: 'owner', uid: 'some' }))
  graph.postpone('/configmaps ns/child')
  await remove(configMaps, 'child')
  taken()
  registry.add(secrets)
  await graph.follow()
  assert.deepEqual(taken(), [])
})

test('only objects whose reference resolves to the owner depend on it', async () => {
  await graph.follow()
  const owner = await put(configMaps, 'owner')
  await put(configMaps, 'child', ownedBy('ConfigMap', owner))
  await put(configMaps, 'mistaken', ownedBy('ConfigMap', { ...owner, name: 'another' }))
  const dependents = [...graph.dependentsOf(configMaps.get('ns', 'owner')!)]
  assert.deepEqual(
    dependents.map(({ member }) => member.object.name),
    ['child']
  )
})

test('a removed reference no longer counts', async () => {
  await graph.follow()
  const owner = await put(configMaps, 'owner')
  const child = await put(configMaps, 'child', ownedBy('ConfigMap', owner))
  await put(configMaps, 'child', { uid: child.uid })
  await remove(configMaps, 'owner')
  assert.deepEqual(taken(), [])
})

test('the registry tells its listeners about changes until they unsubscribe', () => {
  let changes = 0
  const leave = registry.onChange(() => changes++)
  registry.add(secrets)
  leave()
  registry.remove(secrets)
  assert.equal(changes, 1)
})
