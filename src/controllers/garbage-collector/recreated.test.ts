/** The collector decides about an object, and meanwhile another object takes its name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { builtinKinds } from '../../kinds/index.js'
import { Registry } from '../../registry/registry.js'
import { Resource } from '../../registry/resource.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { WorkQueues } from '../../util/instruments/work-queues.js'
import { silentLogger } from '../../util/logger.js'
import { GarbageCollector } from './garbage-collector.js'

const uidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const owner = { name: 'owner', uid: uidOf(1) }
const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', ...owner }]
const atItsEnd = (finalizer: string) => ({
  ...owner,
  namespace: 'ns',
  finalizers: [finalizer],
  deletionTimestamp: '2026-01-01T00:00:00Z'
})
const child = { name: 'child', namespace: 'ns', uid: uidOf(2), ownerReferences }

/**
 * Runs the collector over ConfigMaps; returns the deletions that it asks for, and how it changes each object. `replaced` is the uid of
 * the object that has taken the name of one when the change is carried out.
 */
async function collect(objects: readonly { name: string; uid: string }[], replaced: ReadonlyMap<string, string>) {
  const store = openMemoryStore()
  const kind = builtinKinds.find(({ group, resource }) => group === '' && resource === 'configmaps')!
  const resource = new Resource({ kind, versions: kind.versions, store, types: loadSchema(), now: () => 0 })
  const registry = new Registry()
  registry.add(resource)
  for (const metadata of objects) {
    const key = `${resource.prefix}ns/${metadata.name}`
    await store.commit([{ key, value: resource.form.encode({ metadata }), attachment: { metadata } }])
  }
  const deletions: unknown[] = []
  const changed = new Map<string, any>()
  let wake = () => {}
  const client: any = {
    async delete(_: unknown, _namespace: string, name: string, options: object) {
      deletions.push({ name, revision: String(resource.get('ns', name)!.revision), ...options })
      wake()
    },
    async update(_: unknown, _namespace: string, name: string, edit: (object: object) => void) {
      const metadata: any = structuredClone(objects.find(object => object.name === name))
      edit({ metadata: Object.assign(metadata, { uid: replaced.get(name) ?? metadata.uid }) })
      changed.set(name, metadata)
      wake()
    }
  }
  const services: any = { registry, clock: new FakeClock(), queues: new WorkQueues(new Metrics()) }
  const collector = new GarbageCollector(services, client, silentLogger)
  const acts = (count: number) =>
    new Promise<void>(resolve => {
      wake = () => {
        if (deletions.length + changed.size >= count) resolve()
      }
    })
  return {
    deletions,
    changed,
    async run(count: number) {
      const done = acts(count)
      await collector.start()
      await done
      await collector.stop()
      await store.close()
    }
  }
}

test('an object is deleted only in the state that was checked, so not the one that has taken its name', async () => {
  const { deletions, run } = await collect([child], new Map())
  await run(1)
  const [{ revision, ...deletion }] = deletions as any
  assert.deepEqual(deletion, {
    name: 'child',
    propagationPolicy: 'Background',
    preconditions: { uid: child.uid, resourceVersion: revision }
  })
})

for (const isReplaced of [false, true])
  test(`an orphan ${isReplaced ? 'that was created anew keeps' : 'loses'} its references to the owner`, async () => {
    const replaced = new Map(isReplaced ? [['child', uidOf(9)]] : [])
    const { changed, run } = await collect([atItsEnd('orphan'), child], replaced)
    await run(2)
    assert.deepEqual(changed.get('child').ownerReferences, isReplaced ? ownerReferences : undefined)
    assert.equal(changed.get('owner').finalizers, undefined)
  })

for (const finalizer of ['orphan', 'foregroundDeletion'])
  for (const isReplaced of [false, true])
    test(`an owner ${isReplaced ? 'that was created anew keeps' : 'loses'} the finalizer ${finalizer}`, async () => {
      const replaced = new Map(isReplaced ? [['owner', uidOf(9)]] : [])
      const { changed, run } = await collect([atItsEnd(finalizer)], replaced)
      await run(1)
      assert.deepEqual(changed.get('owner').finalizers, isReplaced ? [finalizer] : undefined)
    })
