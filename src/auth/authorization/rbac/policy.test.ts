/** The policy follows the roles and bindings of a registry. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Subject } from '../../../apimachinery/api/generated/rbac-v1.js'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { builtinKinds } from '../../../kinds/index.js'
import { Registry } from '../../../registry/registry.js'
import { Resource } from '../../../registry/resource.js'
import type { Store } from '../../../storage/contract.js'
import { openMemoryStore } from '../../../storage/memory/store.js'
import { rbacGroup } from './group.js'
import { RbacPolicy } from './policy.js'

const stores: Store[] = []
let store: Store
let registry: Registry
let policy: RbacPolicy

beforeEach(async () => {
  store = openMemoryStore()
  stores.push(store)
  registry = new Registry()
  for (const kind of builtinKinds)
    if (kind.group === rbacGroup) {
      const versions = kind.versions.filter(version => version.served !== false)
      const resource = new Resource({ kind, versions, store, types: loadSchema(), now: () => 0 })
      await resource.cache.load()
      registry.add(resource)
    }
  policy = new RbacPolicy(registry)
  policy.start()
})
after(() => Promise.all(stores.map(store => store.close())))

let uids = 0

async function put(plural: string, namespace: string, name: string, object: object | undefined): Promise<void> {
  const resource = registry.resource(rbacGroup, plural)
  const key = `${resource.prefix}${namespace === '' ? '' : `${namespace}/`}${name}`
  const uid = `00000000-0000-4000-8000-${String(uids++).padStart(12, '0')}`
  const metadata = { name, uid, ...(namespace === '' ? {} : { namespace }) }
  await store.commit([{ key, ...(object ? resource.stored({ metadata, ...object }) : { value: undefined }) }])
}

const toAnn: Subject = { kind: 'User', name: 'ann' }
const binding = (kind: string, name: string, ...subjects: Subject[]) => ({
  roleRef: { apiGroup: rbacGroup, kind, name },
  subjects
})
const rule = (verb: string) => ({ verbs: [verb], apiGroups: [''], resources: ['pods'] })
const ann = { name: 'ann', groups: [] }
const verbs = (namespace: string) => policy.rulesFor(ann, namespace).rules.map(({ verbs }) => verbs![0])

test('the rules of a user are those of all bindings, those of the whole cluster first', async () => {
  await put('roles', 'ns', 'own', { rules: [rule('get'), rule('list')] })
  await put('clusterroles', '', 'own', { rules: [rule('watch')] })
  await put('rolebindings', 'ns', 'a', binding('Role', 'own', toAnn))
  await put('rolebindings', 'ns', 'b', binding('ClusterRole', 'own', toAnn))
  await put('clusterrolebindings', '', 'c', binding('ClusterRole', 'own', toAnn))
  assert.deepEqual(verbs('ns'), ['watch', 'get', 'list', 'watch'])
  assert.deepEqual(verbs('other'), ['watch'])
  assert.deepEqual(verbs(''), ['watch'])
})

test('a role without rules grants nothing, and one that is missing is unresolved', async () => {
  await put('clusterroles', '', 'empty', { rules: null })
  await put('rolebindings', 'ns', 'a', binding('ClusterRole', 'empty', toAnn))
  await put('rolebindings', 'ns', 'b', binding('Role', 'gone', toAnn))
  assert.deepEqual(policy.rulesFor(ann, 'ns'), { rules: [], unresolved: [binding('Role', 'gone').roleRef] })
})

test('a binding counts until it is deleted, and the others in its namespace stay', async () => {
  await put('clusterroles', '', 'get', { rules: [rule('get')] })
  await put('clusterroles', '', 'list', { rules: [rule('list')] })
  await put('rolebindings', 'ns', 'a', binding('ClusterRole', 'get', toAnn))
  await put('rolebindings', 'ns', 'b', binding('ClusterRole', 'list', toAnn))
  await put('clusterroles', '', 'get', { rules: [rule('update')] })
  assert.deepEqual(verbs('ns'), ['update', 'list'])
  await put('rolebindings', 'ns', 'a', undefined)
  assert.deepEqual(verbs('ns'), ['list'])
  await put('rolebindings', 'ns', 'b', binding('ClusterRole', 'list'))
  assert.deepEqual(verbs('ns'), [])
  await put('rolebindings', 'ns', 'b', undefined)
  assert.equal(policy.within('ns'), undefined)
})

test('a policy that stopped follows no more changes', async () => {
  await put('clusterroles', '', 'get', { rules: [rule('get')] })
  policy.stop()
  await put('rolebindings', 'ns', 'a', binding('ClusterRole', 'get', toAnn))
  await put('clusterrolebindings', '', 'a', binding('ClusterRole', 'get', toAnn))
  assert.deepEqual(verbs('ns'), [])
})

test('where roles are not served nobody has any', () => {
  const empty = new RbacPolicy(new Registry())
  empty.start()
  assert.deepEqual(empty.rulesFor(ann, 'ns'), { rules: [], unresolved: [] })
  assert.equal(empty.rulesOf(binding('Role', 'a').roleRef, 'ns'), undefined)
})
