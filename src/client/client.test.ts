import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createServer, defineKind, type KubeObject, StatusError } from '../index.js'
import { builtinKinds } from '../kinds/index.js'
import { silentLogger } from '../util/logger.js'
import { portless, widgets } from './testing/portless.js'

interface Course extends KubeObject {
  spec: { seats: number }
  status?: { booked: number }
}

const course = defineKind<Course>({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [
    {
      name: 'v1',
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      subresources: { status: {} }
    }
  ]
})

const refusal = (code: number) => (error: unknown) => {
  assert.ok(error instanceof StatusError)
  assert.equal(error.code, code)
  return true
}

describe('the client', () => {
  test('reads and writes objects of built-in kinds with their types', async t => {
    const server = await portless(t)
    const maps = server.client().of('v1', 'ConfigMap')
    const made = await maps.create({ metadata: { name: 'a', labels: { app: 'x' } }, data: { colour: 'red' } })
    assert.equal(made.metadata.namespace, 'default')
    assert.equal((await maps.get('a')).data?.colour, 'red')
    assert.equal((await maps.get(made)).metadata.uid, made.metadata.uid)
    await maps.update({ ...made, data: { colour: 'blue' } })
    await assert.rejects(maps.update({ ...made, data: { colour: 'green' } }), refusal(409))
    assert.equal((await maps.patch('a', { data: { size: '1' } })).data?.size, '1')
    const patched = await maps.patch('a', [{ op: 'remove', path: '/data/size' }])
    assert.deepEqual(patched.data, { colour: 'blue' })
    const list = await maps.list({ namespace: 'default', labelSelector: { app: 'x' } })
    assert.deepEqual(
      list.items.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name]),
      [['ConfigMap', 'v1', 'a']]
    )
    await maps.delete('a')
    assert.equal(await maps.find('a'), undefined)
    await assert.rejects(maps.get('a'), refusal(404))
    await assert.rejects(maps.find('a', { namespace: 'other', query: { resourceVersion: 'x' } }), refusal(500))
  })

  test('applies, with a field manager of its own, and with force', async t => {
    const server = await portless(t)
    const [one, two] = ['one', 'two'].map(fieldManager => server.client({ fieldManager }).of('v1', 'ConfigMap'))
    const applied = await one!.apply({ metadata: { name: 'a' }, data: { colour: 'red' } })
    assert.equal(applied.metadata.managedFields?.[0]?.manager, 'one')
    const other = { metadata: { name: 'a' }, data: { colour: 'blue' } }
    await assert.rejects(two!.apply(other), refusal(409))
    assert.equal((await two!.apply(other, { force: true })).data?.colour, 'blue')
    assert.equal((await two!.apply({ ...other, data: { colour: 'grey' } }, { dryRun: true })).data?.colour, 'grey')
    assert.equal((await two!.get('a')).data?.colour, 'blue')
  })

  test('merges lists by their keys in a strategic merge patch', async t => {
    const pods = (await portless(t)).client().of('v1', 'Pod')
    await pods.create({ metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } })
    const labelled = await pods.patch('web', { spec: { containers: [{ name: 'web', image: 'nginx:2' }] } }, { type: 'strategic' })
    assert.equal(labelled.spec.containers![0]!.image, 'nginx:2')
    assert.ok(labelled.spec.containers![0]!.terminationMessagePath)
  })

  test('reaches subresources', async t => {
    const server = await portless(t, { kinds: [course] })
    const client = server.client()
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] }
    }
    const deployments = client.of('apps/v1', 'Deployment')
    await deployments.create({ metadata: { name: 'web' }, spec: { selector: { matchLabels: { app: 'web' } }, template } })
    const scale = await deployments.subresource('scale').patch('web', { spec: { replicas: 3 } })
    assert.equal(scale.spec.replicas, 3)
    await client.of(course).create({ metadata: { name: 'algebra' }, spec: { seats: 20 } })
    const booked = await client
      .of(course)
      .subresource('status')
      .apply(
        { metadata: { name: 'algebra' } },
        {
          metadata: { name: 'algebra' },
          status: { booked: 3 }
        }
      )
    assert.deepEqual([booked.spec.seats, booked.status?.booked], [20, 3])
    const accounts = client.of('v1', 'ServiceAccount')
    await accounts.create({ metadata: { name: 'builder' } })
    const { status } = await accounts.subresource('token').create('builder', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {}
    })
    assert.match(status.token, /^ey/)
  })

  test('finds kinds of custom resources by asking, and again when they have changed', async t => {
    const server = await portless(t)
    const client = server.client()
    const untyped = client.untyped('example.com/v1', 'Widget')
    await assert.rejects(untyped.list(), refusal(404))
    await client.apply(widgets())
    await untyped.create({ metadata: { name: 'a' }, size: 1 })
    assert.equal((await untyped.get('a')).size, 1)
    await client.of('apiextensions.k8s.io/v1', 'CustomResourceDefinition').delete('widgets.example.com')
    while (await untyped.find('a').catch(() => undefined));
    await client.apply(widgets('gadgets'))
    await untyped.list().catch(() => {})
    await untyped.create({ metadata: { name: 'b' } })
    const { status } = await client.request({ url: '/apis/example.com/v1/namespaces/default/gadgets/b' })
    assert.equal(status, 200)
    await assert.rejects(client.untyped('example.com/v1', 'Gadget').list(), /no kind Gadget in example.com\/v1/)
  })

  test('deletes selected objects of one or of all namespaces', async t => {
    const server = await portless(t)
    const client = server.client()
    await client.of('v1', 'Namespace').create({ metadata: { name: 'team' } })
    const secrets = client.of('v1', 'Secret')
    for (const namespace of ['default', 'team'])
      for (const app of ['a', 'b']) await secrets.create({ metadata: { name: app, namespace, labels: { app } } })
    const left = async () => (await secrets.list()).items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    await secrets.deleteCollection({ namespace: 'team', labelSelector: 'app=a' })
    assert.deepEqual(await left(), ['default/a', 'default/b', 'team/b'])
    await secrets.deleteCollection({ labelSelector: 'app=b' })
    assert.deepEqual(await left(), ['default/a'])
  })

  test('acts as other users, with their permissions', async t => {
    const server = await portless(t)
    await assert.rejects(server.as('alice', ['devs']).of('v1', 'Secret').list({ namespace: 'default' }), refusal(403))
    await server.apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: devs}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: devs}
`)
    assert.deepEqual((await server.as('alice', ['devs']).of('v1', 'Secret').list({ namespace: 'default' })).items, [])
    const who = async (name: string) => {
      const reviews = server.as(name).of('authentication.k8s.io/v1', 'SelfSubjectReview')
      return (await reviews.create({})).status.userInfo?.groups
    }
    const ofAccounts = ['system:serviceaccounts', 'system:serviceaccounts:team', 'system:authenticated']
    assert.deepEqual(await who('system:serviceaccount:team:builder'), ofAccounts)
    assert.deepEqual(await who('bob'), ['system:authenticated'])
  })

  test('has the type of every built-in kind', () => {
    const text = readFileSync(new URL('../../src/apimachinery/api/generated/kinds.ts', import.meta.url), 'utf8')
    for (const { group, kind, versions } of builtinKinds)
      for (const { name, type, apiVersion } of versions) {
        if (apiVersion !== undefined) continue
        const version = group === '' ? name : `${group}/${name}`
        const members = new RegExp(`^  '${version}': \\{\\n(?:    .*\\n)*?    ${kind}: .*${type.split('.')[2]}$`, 'm')
        assert.match(text, members, `run scripts/generate/kind-types.mjs: ${version} ${kind}`)
      }
  })

  test('ends requests and watches with a signal, and refuses later ones', async t => {
    const server = await portless(t)
    const abort = new AbortController()
    const bound = server.client().with({ signal: abort.signal })
    await bound.of('v1', 'ConfigMap').create({ metadata: { name: 'a' } })
    // webhooks aside, nothing answers late: a fault does
    server.faults.add({ resource: 'configmaps', verb: 'get', delay: 60_000 })
    const slow = bound.of('v1', 'ConfigMap').get('a')
    const watching = (async () => {
      for await (const _ of bound.of('v1', 'Secret').watch()) assert.fail('there is no Secret')
    })()
    abort.abort(new Error('enough'))
    await assert.rejects(slow, /enough/)
    await assert.rejects(bound.of('v1', 'ConfigMap').find('a'), /enough/)
    await watching.catch(error => assert.match(String(error), /enough/))
  })

  test('tells of what writes have returned, but for reads, deletions and dry runs', async t => {
    const server = await portless(t)
    const told: string[] = []
    const client = server.client().with({
      written: ({ kind, metadata }) => told.push(`${kind} ${metadata.name} ${metadata.resourceVersion ? 'stored' : ''}`)
    })
    const maps = client.of('v1', 'ConfigMap')
    const made = await maps.create({ metadata: { name: 'a' } })
    await maps.create({ metadata: { name: 'dry' } }, { dryRun: true })
    await maps.update({ ...made, data: { a: 'b' } })
    await maps.patch('a', { data: { a: 'c' } })
    await maps.apply({ metadata: { name: 'b' }, data: { a: 'd' } })
    await client
      .with({})
      .of('v1', 'Namespace')
      .subresource('status')
      .patch('default', { metadata: { labels: { a: 'b' } } })
    await maps.get('a')
    await maps.list()
    await maps.delete('a')
    assert.deepEqual(told, [...Array(3).fill('ConfigMap a stored'), 'ConfigMap b stored', 'Namespace default stored'])
  })

  test('waits for a server that is starting', async t => {
    const server = createServer({ listen: false, log: silentLogger })
    t.after(() => server.stop())
    const client = server.client()
    const started = server.start()
    using informer = client.of('v1', 'Namespace').informer()
    assert.ok((await client.of('v1', 'Namespace').list()).items.length > 0)
    await informer.synced
    await started
  })

  test('is refused by a server that does not run', async t => {
    const server = await portless(t)
    const client = server.client()
    await server.stop()
    await assert.rejects(client.of('v1', 'Pod').list(), /not running/)
  })
})
