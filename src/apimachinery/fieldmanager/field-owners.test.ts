import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fieldOwners } from './field-owners.js'

const entries: any = [
  {
    manager: 'kubectl',
    operation: 'Apply',
    apiVersion: 'apps/v1',
    time: '2026-01-01T00:00:00Z',
    fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:template': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } } } }
  },
  {
    manager: 'autoscaler',
    operation: 'Update',
    subresource: 'scale',
    apiVersion: 'apps/v1',
    fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:replicasets': {} } }
  },
  { manager: 'broken', operation: 'Update', fieldsV1: 'nothing' }
]

describe('the owners of fields', () => {
  it('are all managers that have them', () => {
    const [{ path, owners }] = fieldOwners(entries, 'spec.replicas') as [any]
    assert.equal(path, '.spec.replicas')
    assert.deepEqual(owners, [
      { manager: 'kubectl', operation: 'Apply', subresource: '', apiVersion: 'apps/v1', time: '2026-01-01T00:00:00Z' },
      { manager: 'autoscaler', operation: 'Update', subresource: 'scale', apiVersion: 'apps/v1', time: undefined }
    ])
  })

  it('are told of a field and those below it, and not of others that begin alike', () => {
    const paths = (field?: string) => fieldOwners(entries, field).map(({ path }) => path)
    assert.deepEqual(paths('.spec.replicas'), ['.spec.replicas'])
    assert.deepEqual(paths('spec.template'), ['.spec.template[name="web"]', '.spec.template[name="web"].image'])
    assert.equal(paths().length, 4)
  })

  it('of a field that nobody owns are those of the nearest one above it', () => {
    assert.deepEqual(
      fieldOwners(entries, '.spec.template[name="web"].ports[0]').map(({ path }) => path),
      ['.spec.template[name="web"]']
    )
    assert.deepEqual(fieldOwners(entries, 'status'), [])
    assert.deepEqual(fieldOwners(undefined), [])
  })
})
