/** kube-apiserver prints the values of enums as JSON, and other strings quoted as Go does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldErrors, Path } from './field.js'
import { goJson, plainText } from './go-value.js'
import { validateLabelSelector } from './label-selector.js'

test('JSON escapes what HTML knows, and separators of lines', () => {
  assert.equal(goJson('<a>&\u2028\u2029"\u200b'), '"\\u003ca\\u003e\\u0026\\u2028\\u2029\\"\u200b"')
})

test('an enum is shown as JSON, a plain string quoted', () => {
  const errors = new FieldErrors()
  errors.notSupported('protocol', '<TCP>', ['TCP'])
  errors.notSupported('kind', plainText('<Role>'), ['Role'])
  validateLabelSelector({ matchExpressions: [{ key: '<k>', operator: '>' }] }, Path.of('selector'), errors)
  assert.deepEqual(
    errors.list.slice(0, 4).map(({ message }) => message.replace(/: name part.*/, '')),
    [
      'Unsupported value: "\\u003cTCP\\u003e": supported values: "TCP"',
      'Unsupported value: "<Role>": supported values: "Role"',
      'Invalid value: "\\u003e": not a valid selector operator',
      'Invalid value: "<k>"'
    ]
  )
})
