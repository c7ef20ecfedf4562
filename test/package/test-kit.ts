// A test file that uses the installed package's test kit: scripts/release/package.mjs compiles it strictly against the published types, and
// runs it on the published code.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import {
  type BinnacleServer,
  type CertificateUser,
  type ClientOptions,
  createServer,
  defineKind,
  defineReconciler,
  type Fault,
  type FaultHit,
  type FaultRule,
  type ForkOptions,
  type HostOptions,
  type Informer,
  type KubeClient,
  type KubeObject,
  kindRef,
  type ManifestOptions,
  type ManifestSource,
  type ReconcileContext,
  type ReconcileResult,
  type Reconciler,
  type RecordedRequest,
  type Recorder,
  type RecorderOptions,
  type ResourceClient,
  type ServerOptions,
  type ServiceAccountReference,
  type Snapshot,
  StatusError,
  type WatchEvent,
  type WatchFault
} from 'binnacle'
import {
  ControllableClock,
  FakeClock,
  type TestHooks,
  type UntilCondition,
  type UntilOptions,
  type UseServerOptions,
  until,
  useServer
} from 'binnacle/testing'

interface Course extends KubeObject {
  spec: { seats: number }
  status?: { room: string }
}
const course = defineKind<Course>({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [
    {
      name: 'v1',
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { seats: { type: 'integer' } } },
            status: { type: 'object', properties: { room: { type: 'string' } } }
          }
        }
      }
    }
  ]
})
const rooms: Reconciler<Course> = defineReconciler({
  for: course,
  owns: [kindRef('v1', 'ConfigMap')],
  async reconcile(object: Course, { client }: ReconcileContext): Promise<ReconcileResult> {
    if (object.status?.room === 'R1') return undefined
    await client
      .of(course)
      .subresource('status')
      .patch(object, { status: { room: 'R1' } })
    return { requeueAfter: 60_000 }
  }
})

const clock = new FakeClock(Date.UTC(2030, 0, 1))
const recording: RecorderOptions = { requests: 100 }
const given: ServerOptions = { clock, seed: 'kit', recorder: recording, kinds: [course], reconcilers: [rooms], listen: false }
const manifest: ManifestSource = ['kind: ConfigMap\napiVersion: v1\nmetadata: {name: seed}\ndata: {colour: blue}\n']
const applied: ManifestOptions = { namespace: 'default' }
const options: UseServerOptions = { ...given, isolate: 'fork', setup: server => server.apply(manifest, applied) }
const hooks: TestHooks = { before, after, beforeEach, afterEach }

describe('the test kit', () => {
  const server = useServer(options, hooks)

  for (const round of [1, 2])
    test(`isolates tests (${round})`, async () => {
      const client: KubeClient = server.client()
      const seed = await client.of('v1', 'ConfigMap').get('seed')
      assert.equal(seed.data?.colour, 'blue')
      assert.equal(seed.metadata.creationTimestamp, '2030-01-01T00:00:00Z')
      await client.of('v1', 'ConfigMap').delete('seed')
    })

  test('reconciles own kinds, waits, watches and informs', async () => {
    const asAlice: ClientOptions = { user: { name: 'alice', groups: ['system:masters'] }, fieldManager: 'kit' }
    const courses: ResourceClient<Course> = server.client(asAlice).of(course)
    const informer: Informer<Course> = courses.informer()
    await informer.synced
    const seen: string[] = []
    const watching = (async () => {
      for await (const { type, object } of courses.watch() as AsyncIterable<WatchEvent<Course>>) {
        seen.push(`${type} ${object.metadata.name}`)
        if (object.status) return
      }
    })()
    const made = await courses.create({ metadata: { name: 'algebra' }, spec: { seats: 30 } })
    const hasRoom: UntilCondition<Course> = ({ status }) => status?.room === 'R1'
    const patience: UntilOptions = { timeout: 20_000 }
    const ready = await until(server.client(), made, hasRoom, patience)
    assert.equal(ready.status?.room, 'R1')
    await watching
    assert.deepEqual(seen, ['ADDED algebra', 'MODIFIED algebra'])
    assert.equal(informer.get('algebra')?.spec.seats, 30)
    informer.stop()
  })

  test('has faults and a record', async () => {
    const recorder: Recorder = server.recorder!
    const mark = recorder.mark()
    const watch: WatchFault = { afterEvents: 1, do: 'expire' }
    const rule: FaultRule = { verb: 'get', resource: 'configmaps', times: 1, status: 409 }
    const fault: Fault = server.faults.add(rule)
    server.faults.add({ resource: 'configmaps', watch })
    await assert.rejects(server.client().of('v1', 'ConfigMap').get('seed'), (error: unknown) => {
      return error instanceof StatusError && error.code === 409
    })
    await fault.done
    const [hit]: readonly FaultHit[] = fault.hits
    assert.equal(hit?.action, 'status 409')
    const [request]: readonly RecordedRequest[] = recorder.requests({ since: mark })
    assert.deepEqual([request?.verb, request?.status, request?.faults], ['get', 409, ['status 409']])
    server.faults.clear()
  })
})

test('snapshots, forks, hosted servers and kubeconfigs', async () => {
  const own = new ControllableClock()
  await using server: BinnacleServer = createServer({ clock: own, recorder: true })
  await server.start()
  await server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } })
  await using seeded: Snapshot = await server.snapshot()
  const forkOptions: ForkOptions = { listen: false }
  const hostOptions: HostOptions = { snapshot: seeded }
  await using fork = await seeded.fork(forkOptions)
  const hosted = await server.host('one', hostOptions)
  for (const one of [fork, hosted]) await one.client().of('v1', 'Namespace').delete('team')
  await server.client().of('v1', 'Namespace').get('team')
  await server.restore(seeded)
  const alice: CertificateUser = { user: 'alice', groups: ['devs'] }
  const builder: ServiceAccountReference = { serviceAccount: 'kube-system/builder' }
  assert.match(hosted.kubeconfig(alice), /servers\/one/)
  await server.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder', namespace: 'kube-system' } })
  assert.match(await server.kubeconfig(builder), /token:/)
  await assert.rejects(server.as('alice').of('v1', 'Secret').list(), StatusError)
})
