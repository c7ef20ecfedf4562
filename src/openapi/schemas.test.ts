import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSchema } from '../schema/load.js'
import { Descriptions } from './descriptions.js'
import { type Dialect, SchemaWriter, v2, v3 } from './schemas.js'
import { openApiName } from './type-names.js'

function propertiesOf(type: string, dialect: Dialect): Record<string, any> {
  const name = openApiName(type)
  const writer = new SchemaWriter(loadSchema(), dialect, new Descriptions({ types: {}, parameters: {} }))
  return writer.closure([name])[name]!.properties as Record<string, any>
}

test('what lists and maps consist of has a default in v3: the zero value of its Go type', () => {
  const meta = propertiesOf('meta.v1.ObjectMeta', v3)
  assert.deepEqual(meta.labels.additionalProperties, { type: 'string', default: '' })
  const owner = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference' }
  assert.deepEqual(meta.ownerReferences.items, { default: {}, allOf: [owner] })
  // a slice of bytes, and what has a schema of its own
  assert.deepEqual(propertiesOf('core.v1.Secret', v3).data.additionalProperties, { type: 'string', format: 'byte' })
  assert.ok(propertiesOf('core.v1.ResourceRequirements', v3).limits.additionalProperties.$ref)
})

test('v2 has no defaults', () => {
  assert.deepEqual(propertiesOf('meta.v1.ObjectMeta', v2).labels.additionalProperties, { type: 'string' })
})
