import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError, collectParams, paramResource } from './params.js'

const object = (namespace: string, name: string, labels: object = {}) => ({ namespace, name, labels })
const objects = [object('ns', 'a', { x: 'y' }), object('ns', 'b'), object('other', 'a', { x: 'y' })]
const resourceOf = (namespaced: boolean, more: object = {}): any => ({
  group: 'example.com',
  kind: { kind: 'Param' },
  versions: new Set(['v1']),
  memoryVersion: { name: 'v1' },
  namespaced,
  get: (namespace: string, name: string) => objects.find(o => o.namespace === namespace && o.name === name),
  cache: {
    ready: true,
    range: (prefix: string) => objects.filter(o => `${o.namespace}/${o.name}`.startsWith(prefix))
  },
  peek: (cached: unknown) => cached,
  parse: (cached: unknown) => cached,
  inVersion: (cached: unknown, version: string) => ({ cached, version }),
  ...more
})
const namespaced = { resource: resourceOf(true), version: 'v1' }
const cluster = { resource: resourceOf(false), version: 'v1' }
const places = (params: readonly unknown[]) => params.map(param => `${(param as any).namespace}/${(param as any).name}`)

test('parameters are found by name or by labels, in the namespace of the binding or of the request', () => {
  const found = (ref: object, namespace = 'ns') => places(collectParams(namespaced, ref as never, namespace))
  assert.deepEqual(found({ name: 'a' }), ['ns/a'])
  assert.deepEqual(found({ name: 'a', namespace: 'other' }), ['other/a'])
  assert.deepEqual(found({ name: 'a', namespace: 'other' }, ''), ['other/a'])
  assert.deepEqual(found({ name: 'c' }), [])
  assert.deepEqual(found({ selector: {} }), ['ns/a', 'ns/b'])
  assert.deepEqual(found({ selector: { matchLabels: { x: 'y' } } }), ['ns/a'])
  assert.deepEqual(places(collectParams(cluster, { selector: { matchLabels: { x: 'y' } } } as never, 'ns')), ['ns/a', 'other/a'])
})

test('without parameters a policy is evaluated once', () => {
  assert.deepEqual(collectParams(undefined, { name: 'a' } as never, 'ns'), [null])
  assert.deepEqual(collectParams(namespaced, undefined, 'ns'), [null])
})

test('a binding may deny where there are no parameters', () => {
  const collect = (ref: object) => () => collectParams(namespaced, ref as never, 'ns')
  assert.throws(collect({ name: 'c', parameterNotFoundAction: 'Deny' }), ConfigurationError)
  assert.deepEqual(collect({ name: 'c', parameterNotFoundAction: 'Allow' })(), [])
  assert.deepEqual(places(collect({ name: 'a', parameterNotFoundAction: 'Deny' })()), ['ns/a'])
})

test('a namespace must be given for parameters in namespaces, and for no others', () => {
  assert.throws(() => collectParams(namespaced, { name: 'a' } as never, ''), /cannot use namespaced paramRef/)
  assert.throws(
    () => collectParams(cluster, { name: 'a', namespace: 'ns' } as never, ''),
    /must not be provided for a cluster-scoped/
  )
})

test('parameters have the version that the policy names', () => {
  const params = collectParams({ ...namespaced, version: 'v2' }, { name: 'a' } as never, 'ns')
  assert.deepEqual(params, [{ cached: objects[0], version: 'v2' }])
})

test('the kind of parameters is found by group, version and kind, and its objects are loaded', async () => {
  let loads = 0
  const cache = { ready: false, load: async () => void loads++ }
  const core = resourceOf(true, { group: '', kind: { kind: 'ConfigMap' } })
  const registry: any = { served: () => [core, resourceOf(true, { cache })] }
  const find = async (apiVersion: string | undefined, kind: string | undefined) =>
    (await paramResource({ apiVersion, kind } as never, registry)).resource
  assert.equal((await find('example.com/v1', 'Param')).kind.kind, 'Param')
  assert.equal(loads, 1)
  assert.equal(await find('v1', 'ConfigMap'), core)
  assert.equal(loads, 1)
  for (const [apiVersion, kind, shown] of [
    ['example.com/v2', 'Param', 'example.com/v2, Kind=Param'],
    ['v1', 'Param', '/v1, Kind=Param'],
    ['example.com/v1', 'ConfigMap', 'example.com/v1, Kind=ConfigMap'],
    [undefined, undefined, '/, Kind=']
  ] as const)
    await assert.rejects(
      find(apiVersion, kind),
      new ConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`)
    )
})
