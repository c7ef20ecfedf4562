/** Runs the official JavaScript client as its users do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as k8s from '@kubernetes/client-node'
import { createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger })
const config = new k8s.KubeConfig()
before(async () => {
  await server.start()
  config.loadFromString(server.kubeconfig())
})
after(() => server.stop())

test('lists, creates, patches and deletes', async () => {
  const core = config.makeApiClient(k8s.CoreV1Api)
  await core.createNamespace({ body: { metadata: { name: 'js' } } })
  const created = await core.createNamespacedConfigMap({ namespace: 'js', body: { metadata: { name: 'a' }, data: { k: 'v' } } })
  assert.ok(created.metadata?.uid)
  assert.ok(created.metadata?.creationTimestamp instanceof Date)
  const patched = await core.patchNamespacedConfigMap(
    { name: 'a', namespace: 'js', body: { data: { more: '1' } } },
    k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch)
  )
  assert.deepEqual(patched.data, { k: 'v', more: '1' })
  const list = await core.listNamespacedConfigMap({ namespace: 'js' })
  assert.ok(list.items.some(item => item.metadata?.name === 'a'))
  await core.deleteNamespacedConfigMap({ name: 'a', namespace: 'js' })
  await assert.rejects(core.readNamespacedConfigMap({ name: 'a', namespace: 'js' }), (error: any) => error.code === 404)
})

test('an informer receives the changes', async () => {
  const core = config.makeApiClient(k8s.CoreV1Api)
  await core.createNamespace({ body: { metadata: { name: 'informer' } } })
  const informer = k8s.makeInformer(config, '/api/v1/namespaces/informer/secrets', () =>
    core.listNamespacedSecret({ namespace: 'informer' })
  )
  const seen: string[] = []
  let wake = () => {}
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event, (secret: k8s.V1Secret) => {
      seen.push(`${event} ${secret.metadata?.name}`)
      wake()
    })
  }
  const until = async (entry: string) => {
    while (!seen.includes(entry)) await new Promise<void>(resolve => (wake = resolve))
  }
  await informer.start()
  await core.createNamespacedSecret({ namespace: 'informer', body: { metadata: { name: 's' }, stringData: { a: 'b' } } })
  await until('add s')
  await core.patchNamespacedSecret(
    { name: 's', namespace: 'informer', body: { metadata: { labels: { x: 'y' } } } },
    k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.StrategicMergePatch)
  )
  await until('update s')
  await core.deleteNamespacedSecret({ name: 's', namespace: 'informer' })
  await until('delete s')
  await informer.stop()
})

test('a server-side refusal arrives as an error with its Status', async () => {
  const core = config.makeApiClient(k8s.CoreV1Api)
  await assert.rejects(
    core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'Bad_Name' } } }),
    (error: any) => {
      assert.equal(error.code, 422)
      assert.match(String(error.body), /RFC 1123/)
      return true
    }
  )
})
