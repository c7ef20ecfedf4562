import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MapValue } from '../../apimachinery/cel/values/value.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { builtinKinds } from '../../kinds/index.js'
import { Registry } from '../../registry/registry.js'
import { Resource } from '../../registry/resource.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import type { AdmissionAttributes } from '../admission.js'
import { activationOf, describeRequest, namespaceValue } from './activation.js'

const registry = new Registry()
const store = openMemoryStore()
for (const kind of builtinKinds)
  if (['deployments', 'pods', 'namespaces'].includes(kind.resource))
    registry.add(new Resource({ kind, versions: kind.versions, store, types: loadSchema(), now: Date.now }))

const deployments = registry.find('apps', 'v1', 'deployments')!
const attributes = (more: object = {}, context: object = {}) =>
  ({
    operation: 'CREATE',
    resource: deployments,
    subresource: '',
    namespace: 'ns',
    name: 'web',
    ...more,
    context: { version: 'v1', user: { name: 'ann', groups: ['team'] }, dryRun: false, query: new URLSearchParams(), ...context }
  }) as unknown as AdmissionAttributes
const describe = (more: object = {}, context: object = {}) =>
  describeRequest(attributes(more, context), { resource: deployments, version: 'v1' }) as any

test('a request is described with its resource, kind, user and options', () => {
  const kind = { group: 'apps', version: 'v1', kind: 'Deployment' }
  const resource = { group: 'apps', version: 'v1', resource: 'deployments' }
  assert.deepEqual(describe(), {
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    name: 'web',
    namespace: 'ns',
    operation: 'CREATE',
    userInfo: { username: 'ann', groups: ['team'] },
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' }
  })
})

test('a subresource has its own kind, and what is empty is left out', () => {
  const scale = describe(
    { subresource: 'scale', name: '', namespace: '' },
    { user: { name: '', groups: [], uid: '', extra: {} } }
  )
  assert.deepEqual([scale.subResource, scale.requestSubResource], ['scale', 'scale'])
  assert.deepEqual(scale.kind, { group: 'autoscaling', version: 'v1', kind: 'Scale' })
  assert.deepEqual(scale.userInfo, {})
  for (const field of ['name', 'namespace']) assert.ok(!(field in scale), field)
  const status = describe({ subresource: 'status' })
  assert.equal(status.kind.kind, 'Deployment')
  const user = { name: 'ann', groups: [], uid: 'u', extra: { a: ['b'] } }
  assert.deepEqual(describe({}, { user }).userInfo, { username: 'ann', uid: 'u', extra: { a: ['b'] } })
})

test('the options are those of the request', () => {
  const options = (more: object, context: object = {}) => describe(more, context).options
  const query = new URLSearchParams('dryRun=All&fieldManager=m&fieldValidation=Strict')
  const own = { apiVersion: 'meta.k8s.io/v1' }
  assert.deepEqual(options({ operation: 'UPDATE' }, { query }), {
    kind: 'UpdateOptions',
    ...own,
    dryRun: ['All'],
    fieldManager: 'm',
    fieldValidation: 'Strict'
  })
  assert.equal(options({ operation: 'CONNECT' }), null)
  assert.deepEqual(options({ operation: 'DELETE' }), { kind: 'DeleteOptions', ...own })
  const deleteOptions = { gracePeriodSeconds: 0, propagationPolicy: 'Orphan', preconditions: { uid: 'u' } }
  assert.deepEqual(options({ operation: 'DELETE' }, { deleteOptions, dryRun: true }), {
    kind: 'DeleteOptions',
    ...own,
    ...deleteOptions,
    dryRun: ['All']
  })
  // the uid of a Namespace is a precondition
  const oldObject = { metadata: { uid: 'found' } }
  const namespaces = registry.find('', 'v1', 'namespaces')!
  const deletes = { operation: 'DELETE', resource: namespaces, oldObject }
  assert.deepEqual(options(deletes).preconditions, { uid: 'found' })
  assert.deepEqual(options(deletes, { deleteOptions: { preconditions: { uid: 'asked' } } }).preconditions, { uid: 'asked' })
  const others = [deployments, registry.find('', 'v1', 'pods')!, { ...deployments, resource: 'namespaces' }]
  for (const resource of others) assert.equal(options({ ...deletes, resource }).preconditions, undefined)
})

test('the variables of an expression are the values of the request', () => {
  const authorizers: any = { all: 'all', requestResource: 'own' }
  const values: any = { object: 'o', oldObject: 'old', request: 'r', params: 'p', namespaceObject: 'n', authorizers }
  const names = [
    'object',
    'oldObject',
    'request',
    'params',
    'namespaceObject',
    'authorizer',
    'authorizer.requestResource',
    'variables'
  ]
  const all = activationOf(values, () => 'v' as any)
  assert.deepEqual(names.map(all), ['o', 'old', 'r', 'p', 'n', 'all', 'own', 'v'])
  assert.equal(all('other'), undefined)
  const few = activationOf({ object: 'o', oldObject: null, request: 'r' } as any)
  assert.deepEqual(names.map(few), ['o', null, 'r', null, null, undefined, undefined, undefined])
})

/** The fields of a map, and of the maps in it. */
const plain = (value: unknown): unknown =>
  value instanceof MapValue ? Object.fromEntries([...value.keys()].map(key => [key, plain(value.get(key))])) : value

test('the namespace of an object is shown without what concerns only the server', () => {
  const metadata = { name: 'ns', labels: { a: 'b' }, managedFields: [{}], ownerReferences: [{}], selfLink: '/ns' }
  const registry = {
    of: () => ({
      get: (_: string, name: string) => (name === 'ns' ? { name } : undefined),
      peek: () => ({ metadata, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } })
    })
  }
  const shown = (more: object = {}) => namespaceValue(attributes(more, { services: { registry } }))
  const { metadata: own, status } = plain(shown()) as any
  assert.deepEqual([own, status], [{ name: 'ns', labels: { a: 'b' } }, { phase: 'Active' }])
  const namespaces = { group: '', resource: 'namespaces' }
  for (const more of [{ namespace: '' }, { namespace: 'gone' }, { resource: namespaces }]) assert.equal(shown(more), null)
  for (const resource of [
    { ...namespaces, group: 'example.com' },
    { ...namespaces, resource: 'pods' }
  ])
    assert.notEqual(shown({ resource }), null)
})
