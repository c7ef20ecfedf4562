import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EncryptedResources } from './resources.js'
import type { Transformer } from './transformer.js'

const builtin = new Map([
  ['secrets', { group: '', resource: 'secrets' }],
  ['services/specs', { group: '', resource: 'services' }],
  ['minions', { group: '', resource: 'nodes' }],
  ['deployments', { group: 'apps', resource: 'deployments' }],
  ['apiregistration.k8s.io/apiservices', { group: 'apiregistration.k8s.io', resource: 'apiservices' }]
])

function found(configured: readonly string[], ...paths: string[]): (string | undefined)[] {
  const resources = new EncryptedResources('/registry', builtin)
  resources.use(new Map(configured.map(name => [name, { name } as unknown as Transformer])))
  // a second look finds the same
  return paths.map(path => {
    const first = resources.of(path)
    assert.deepEqual(resources.of(path), first)
    return first && `${(first.transformer as any).name} for ${first.resource}`
  })
}

test('a key is encrypted as its resource says, else as its group, else as all', () => {
  const paths = ['/registry/secrets/a/b', '/registry/minions/a', '/registry/deployments/a/b', '/registry/services/specs/a/b']
  assert.deepEqual(found(['secrets.', '*.apps', '*.*'], ...paths), [
    'secrets. for secrets',
    '*.* for nodes',
    '*.apps for deployments.apps',
    '*.* for services'
  ])
  assert.deepEqual(found(['*.'], ...paths), ['*. for secrets', '*. for nodes', undefined, '*. for services'])
  assert.deepEqual(found(['nodes.', 'services.'], ...paths), [undefined, 'nodes. for nodes', undefined, 'services. for services'])
})

test('custom resources have the group of their path', () => {
  assert.deepEqual(
    found(
      ['widgets.example.com', '*.other.com', '*.apiregistration.k8s.io'],
      '/registry/example.com/widgets/a/b',
      '/registry/example.com/gadgets/a/b',
      '/registry/other.com/x/b',
      '/registry/apiregistration.k8s.io/apiservices/v1.'
    ),
    [
      'widgets.example.com for widgets.example.com',
      undefined,
      '*.other.com for x.other.com',
      '*.apiregistration.k8s.io for apiservices.apiregistration.k8s.io'
    ]
  )
})

test('what has no API is never encrypted, nor are keys elsewhere', () => {
  const paths = [
    '/registry/ranges/serviceips',
    '/registry/masterleases/10.0.0.1',
    '/registry/secrets',
    '/registry/',
    '/registryx/secrets/a',
    'compact_rev_key',
    ''
  ]
  assert.deepEqual(
    found(['*.*'], ...paths),
    paths.map(() => undefined)
  )
})

test('the number of paths that are remembered is bounded', () => {
  const resources = new EncryptedResources('/registry', builtin)
  resources.use(new Map([['*.*', {} as Transformer]]))
  for (let i = 0; i < 30_000; i++) assert.ok(resources.of(`/registry/g${i}.com/x/a`))
})
