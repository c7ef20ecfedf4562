import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inFieldOrder } from './field-order.js'
import { loadSchema } from './load.js'

test('fields are written in the order in which Go declares them, and keys of maps sorted', () => {
  const service = { spec: { ports: [{ port: 1, targetPort: 2, protocol: 'TCP' }], selector: { b: '', a: '' } }, kind: 'Service' }
  assert.equal(
    JSON.stringify(inFieldOrder(loadSchema().type('core.v1.Service'), service)),
    '{"kind":"Service","spec":{"ports":[{"protocol":"TCP","port":1,"targetPort":2}],"selector":{"a":"","b":""}}}'
  )
})
