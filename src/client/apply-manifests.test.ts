import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { StatusError, UserError } from '../index.js'
import { portless, widgets } from './testing/portless.js'

async function folder(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'binnacle-apply-'))
  t.after(() => rm(path, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return path
}

const map = (name: string, namespace?: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(namespace ? { namespace } : {}) }
})
const namesOf = (objects: readonly any[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`)

describe('apply', () => {
  test('takes what kubectl get -o yaml has printed, writes its status, and says what it leaves out', async t => {
    const server = await portless(t)
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const spec = { selector: { matchLabels: { a: 'b' } }, template }
    const [first] = await server.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec })
    const printed = { ...first, status: { replicas: 3, readyReplicas: 2 } } as any
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: printed.metadata.uid }
    const gone = { ...owner, name: 'gone', uid: 'gone' }
    const metadata = { name: 'owned', creationTimestamp: '2026-01-01T00:00:00Z', ownerReferences: [owner, gone] }
    const told: string[] = []
    const other = await portless(t)
    const onWarning = (text: string) => told.push(text)
    const list = { apiVersion: 'v1', kind: 'List', items: [printed, { ...map('owned'), metadata }] }
    const [config, deployment] = ((await other.apply(list, { onWarning })) as any[]).reverse()
    assert.deepEqual([deployment.status.replicas, deployment.status.readyReplicas], [3, 2])
    assert.notEqual(deployment.metadata.uid, printed.metadata.uid)
    assert.deepEqual(config.metadata.ownerReferences, [{ ...owner, uid: deployment.metadata.uid }])
    assert.match(told[1]!, /^item 2, ConfigMap "owned": left out metadata.creationTimestamp, metadata.ownerReferences$/)
    assert.match(told[0]!, /^item 1, Deployment "default\/web": left out metadata.managedFields, metadata.uid, .*generation$/)
  })

  test('applies what kubectl get all -A -o yaml has printed: without namespaces, and Pods before their owners', async t => {
    const created = { creationTimestamp: '2026-01-01T00:00:00Z', namespace: 'shop' }
    const labels = { 'batch.kubernetes.io/controller-uid': 'u-job', 'controller-uid': 'u-job', 'job-name': 'j' }
    const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] }
    const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u-job', controller: true }]
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...created, name: 'j-1', uid: 'u-pod', labels, ownerReferences },
      spec
    }
    const selector = { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-job' } }
    const template = { metadata: { labels: { ...labels, own: 'yes' } }, spec }
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { ...created, name: 'j', uid: 'u-job' },
      spec: { selector, template },
      status: { active: 1, ready: 0 }
    }
    const server = await portless(t)
    const list = { apiVersion: 'v1', kind: 'List', items: [pod, job] }
    const [appliedPod, appliedJob] = (await server.apply(list, { onWarning() {} })) as any[]
    const { uid } = appliedJob.metadata
    assert.notEqual(uid, 'u-job')
    assert.equal(appliedJob.status.active, 1)
    assert.deepEqual(appliedJob.spec.selector.matchLabels, { 'batch.kubernetes.io/controller-uid': uid })
    assert.deepEqual(appliedJob.spec.template.metadata.labels.own, 'yes')
    assert.equal(appliedPod.metadata.ownerReferences[0].uid, uid)
    assert.equal(appliedPod.metadata.labels['controller-uid'], uid)
    assert.equal(appliedPod.metadata.labels['batch.kubernetes.io/controller-uid'], uid)
    // nobody means a namespace that a manifest written by hand misspells
    await assert.rejects(server.apply(map('m', 'misspelled')), /namespaces "misspelled" not found/)
  })

  test('applies the others when one is refused, where somebody hears of it', async t => {
    const server = await portless(t)
    const bad = { ...map('Bad Name'), data: { a: 'b' } }
    await assert.rejects(server.apply([bad, map('good')]))
    const errors: string[] = []
    const applied = await server.apply([bad, map('good')], { onError: error => errors.push(error.message) })
    assert.deepEqual(namesOf(applied), ['ConfigMap default/good'])
    assert.equal(errors.length, 1)
    assert.match(errors[0]!, /^ConfigMap "Bad Name": .*Invalid value/)
  })

  test('leaves the resourceVersion of a manifest that no server has printed', async t => {
    const server = await portless(t)
    const [first] = (await server.apply(map('m'))) as any[]
    const stale = { ...map('m'), data: { a: 'b' }, metadata: { name: 'm', resourceVersion: '1' } }
    await assert.rejects(server.apply(stale), /object has been modified/)
    await server.apply({ ...stale, metadata: { name: 'm', resourceVersion: first.metadata.resourceVersion } })
  })

  test('applies what others need first, and returns the objects in the order given', async t => {
    const server = await portless(t)
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'team' } }
    const applied = await server.apply([
      { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'team' }, size: 1 },
      { ...pod, spec: { containers: [{ name: 'web', image: 'nginx' }], priorityClassName: 'urgent' } },
      { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'urgent' }, value: 10 },
      widgets(),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }
    ])
    assert.deepEqual(namesOf(applied), [
      'Widget team/w',
      'Pod team/web',
      'PriorityClass urgent',
      'CustomResourceDefinition widgets.example.com',
      'Namespace team'
    ])
  })

  test('reads YAML with several documents, and lists', async t => {
    const server = await portless(t)
    const text = `# a comment
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  text: |
    one
    ---- two
---
# nothing here
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: kube-system}}
--- # the last
apiVersion: v1
kind: ConfigMapList
items:
- metadata: {name: d}
`
    const applied = await server.apply(text, { namespace: 'kube-public' })
    assert.deepEqual(namesOf(applied), [
      'ConfigMap kube-public/a',
      'ConfigMap kube-public/b',
      'ConfigMap kube-system/c',
      'ConfigMap kube-public/d'
    ])
    assert.equal(applied[0]!.data.text, 'one\n---- two\n')
    assert.deepEqual(namesOf(await server.apply('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"e"}}')), [
      'ConfigMap default/e'
    ])
  })

  test('reads files and folders', async t => {
    const server = await portless(t)
    const path = await folder(t, {
      'b.yaml': JSON.stringify(map('b')),
      'a.yml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
      'c.json': JSON.stringify(map('c')),
      'README.md': '# not a manifest'
    })
    assert.deepEqual(
      namesOf(await server.apply(path)),
      ['a', 'b', 'c'].map(name => `ConfigMap default/${name}`)
    )
    const some = [join(path, 'c.json'), pathToFileURL(join(path, 'a.yml')), map('d')]
    assert.deepEqual(
      namesOf(await server.apply(some)),
      ['c', 'a', 'd'].map(name => `ConfigMap default/${name}`)
    )
  })

  test('takes fields over from other managers, unless it may not', async t => {
    const server = await portless(t)
    const object = { ...map('a'), data: { colour: 'red' } }
    await server.client({ fieldManager: 'other' }).apply(object)
    const mine = { ...object, data: { colour: 'blue' } }
    await assert.rejects(server.apply(mine, { force: false }), /Apply failed with 1 conflict/)
    assert.equal((await server.apply(mine))[0]!.data.colour, 'blue')
  })

  test('names file, document and object in errors', async t => {
    const server = await portless(t)
    const good = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n'
    const path = await folder(t, {
      'refused.yaml': `${good}---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 0}]}\n`,
      'broken.yaml': `${good}---\n{ a: [`,
      'nameless.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n',
      'kindless.yaml': 'metadata: {name: a}\n'
    })
    await assert.rejects(server.apply(join(path, 'refused.yaml')), (error: unknown) => {
      assert.ok(error instanceof StatusError)
      assert.equal(error.code, 422)
      assert.ok(error.message.startsWith(`${join(path, 'refused.yaml')}, document 2, Service "web": Service "web" is invalid`))
      return true
    })
    const says = (name: string, text: string) =>
      assert.rejects(server.apply(join(path, name)), (error: unknown) => {
        assert.ok(error instanceof UserError)
        assert.ok(error.message.startsWith(`${join(path, name)}${text}`), error.message)
        return true
      })
    await says('broken.yaml', ', document 2: yaml: ')
    await says('nameless.yaml', ', Pod: has no name')
    await says('kindless.yaml', ': has no apiVersion')
    await says('missing.yaml', ': ')
  })
})
