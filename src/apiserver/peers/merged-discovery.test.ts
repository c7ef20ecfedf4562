import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DiscoveredGroup, DiscoveredResource } from '../endpoints/discovery-document.js'
import { mergedDiscovery } from './merged-discovery.js'

const resource = (name: string, more: Partial<DiscoveredResource> = {}): DiscoveredResource => ({
  resource: name,
  responseKind: { group: '', version: '', kind: name },
  scope: 'Namespaced',
  singularResource: '',
  verbs: ['get', 'list'],
  ...more
})

type Versions = Record<string, readonly (string | DiscoveredResource)[]>

const group = (name: string, versions: Versions): DiscoveredGroup => ({
  metadata: { name },
  versions: Object.entries(versions).map(([version, resources]) => ({
    version,
    resources: resources.map(each => (typeof each === 'string' ? resource(each) : each)),
    freshness: 'Current'
  }))
})

const merged = (own: DiscoveredGroup[], others: Record<string, DiscoveredGroup[]>) =>
  mergedDiscovery('m', own, new Map(Object.entries(others)))

/** "apps/v1/deployments" */
const names = (groups: readonly DiscoveredGroup[]) =>
  groups.flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources = [] }) => resources.map(r => `${metadata.name}/${version}/${r.resource}`))
  )

describe('the discovery of all servers', () => {
  const own = [group('apps', { v1: ['deployments', 'scales'] }), group('zoo', { v1: ['lions'] })]

  it('is that of this server where there are no others', () => {
    assert.equal(merged(own, {}), own)
  })

  it('has the groups, versions and resources of all', () => {
    const others = {
      a: [group('apps', { v2: ['deployments'], v1: ['deployments', 'widgets'] }), group('new', { v1: ['things'] })],
      z: [group('zoo', { v1: ['lions', 'tigers'] })]
    }
    assert.deepEqual(names(merged(own, others)), [
      'apps/v2/deployments',
      'apps/v1/deployments',
      'apps/v1/scales',
      'apps/v1/widgets',
      'new/v1/things',
      'zoo/v1/lions',
      'zoo/v1/tigers'
    ])
  })

  it('is the same on each server', () => {
    const other = [group('zoo', { v1: ['tigers'] }), group('apps', { v1: ['deployments'] })]
    assert.deepEqual(mergedDiscovery('a', own, new Map([['b', other]])), mergedDiscovery('b', other, new Map([['a', own]])))
  })

  it('joins what servers can do with a resource, and keeps what they agree on as it is', () => {
    const status = { subresource: 'status', responseKind: { group: '', version: '', kind: 'x' }, verbs: ['get'] }
    const scale = { ...status, subresource: 'scale' }
    const a = resource('x', { verbs: ['watch', 'get'], shortNames: ['a'], subresources: [status] })
    const b = resource('x', { verbs: ['patch', 'get'], shortNames: ['b'], subresources: [scale] })
    const same = resource('y', { verbs: ['watch', 'get'] })
    const [found] = merged([group('g', { v1: [b, same] })], { a: [group('g', { v1: [a, { ...same }] })] })
    assert.deepEqual(found!.versions[0]!.resources, [
      { ...a, verbs: ['get', 'patch', 'watch'], subresources: [scale, status] },
      same
    ])
  })

  it('keeps versions without resources', () => {
    const stale = { metadata: { name: 'g' }, versions: [{ version: 'v1', freshness: 'Stale' }] }
    assert.deepEqual(merged([stale], { a: [stale] }), [stale])
  })
})
