import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readAggregated, readLegacy } from './discovered-resources.js'

const buffer = (object: unknown) => Buffer.from(JSON.stringify(object))
const none = { group: '', version: '', kind: '' }

it('reads aggregated discovery, and of it what the API has', () => {
  const resource = { resource: 'things', scope: 'Namespaced', singularResource: 'thing', verbs: ['get', 7], future: true }
  const found = readAggregated(
    buffer({
      kind: 'APIGroupDiscoveryList',
      items: [{ metadata: { name: 'a' }, versions: [{ version: 'v1', resources: [resource, null], freshness: 'Current' }] }, 3]
    })
  )
  assert.deepEqual(
    [...found],
    [['a/v1', [{ resource: 'things', responseKind: none, scope: 'Namespaced', singularResource: 'thing', verbs: ['get'] }]]]
  )
  assert.throws(() => readAggregated(buffer({ kind: 'APIGroupList' })))
})

it('makes of a list of resources what aggregated discovery would say', () => {
  const kind = { group: '', version: '', kind: 'Thing' }
  const list = (...resources: object[]) => readLegacy(buffer({ kind: 'APIResourceList', resources }))
  const scale = { name: 'things/scale', namespaced: true, group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] }
  assert.deepEqual(
    list(scale, { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['list'], shortNames: ['t'] }),
    [
      {
        resource: 'things',
        responseKind: kind,
        scope: 'Namespaced',
        singularResource: 'thing',
        verbs: ['list'],
        shortNames: ['t'],
        subresources: [
          { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get'] }
        ]
      }
    ]
  )
  assert.deepEqual(list(scale)[0]!.responseKind, none)
  assert.throws(() => list(scale, { name: 'things', namespaced: false }), /do not match/)
})
