import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import { storageVersionMigration } from './storage-version-migration.js'

test('all that is wrong with the name of a resource is one error', () => {
  const errors = new FieldErrors()
  const resource = { group: 'A', resource: 'x.'.repeat(40) }
  storageVersionMigration.strategy!.validate!({ metadata: {}, spec: { resource } } as any, errors, {} as any)
  assert.deepEqual(
    errors.list.map(({ field }) => field),
    ['spec.resource.resource', 'spec.resource.group']
  )
  assert.match(errors.list[0]!.message, /: must be no more than 63 characters,a DNS-1035 label must consist of/)
})
