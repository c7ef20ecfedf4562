import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { builtinKinds } from '../../kinds/index.js'
import { Registry } from '../../registry/registry.js'
import { Resource } from '../../registry/resource.js'
import { loadSchema } from '../../schema/load.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import type { RemoteGarbage } from '../remote-content.js'
import { RemoteDependents } from './remote-dependents.js'

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

it('deletes objects of other servers that have had no owner twice', async () => {
  const object = { metadata: { name: 'there', namespace: 'ns', uid: thereUid } }
  await store.commit([{ key: `${configMaps.prefix}ns/there`, value: configMaps.form.encode(object), attachment: object }])
  const deleted: string[] = []
  const objects = {
    kept: [owner('there', thereUid), owner('gone', 'gone')],
    gone: [owner('gone', 'gone'), owner('gone', 'x', 'Thing')],
    recreated: [owner('there', 'earlier')],
    elsewhere: [owner('there', 'x', 'Thing')]
  }
  const remote: RemoteGarbage = {
    isEmpty: false,
    standing: async ({ name }) => (name === 'gone' ? 'absent' : 'unknown'),
    async *dependents() {
      for (const [uid, owners] of Object.entries(objects))
        yield { uid, namespace: 'ns', owners, delete: async () => void deleted.push(uid) }
    }
  }
  const dependents = new RemoteDependents(registry, remote)
  const { signal } = new AbortController()
  await dependents.collect(signal)
  assert.deepEqual(deleted, [])
  await dependents.collect(signal)
  assert.deepEqual(deleted, ['gone', 'recreated'])
})
