import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldErrors } from '../validation/field.js'
import { validateManagerName } from '../validation/manager-name.js'
import { managerName } from './managed-fields.js'

/** The header that carries the bytes of a text. */
const header = (text: string) => Buffer.from(text).toString('latin1')

test('without a name it is the printable User-Agent up to its slash, cut to 128 bytes', () => {
  assert.equal(managerName('m', 'kubectl/v1'), 'm')
  assert.equal(managerName('', 'kubectl/v1.36 (linux)'), 'kubectl')
  assert.equal(managerName(undefined, header('café\t\u200b/1')), 'café')
  assert.equal(managerName(undefined, '/'), 'unknown')
  assert.equal(managerName(undefined, undefined), 'unknown')
  assert.equal(managerName(undefined, 'x'.repeat(129)), 'x'.repeat(128))
  assert.equal(managerName(undefined, header('é'.repeat(65))), 'é'.repeat(64))
})

test('a name has at most 128 bytes, and only printable characters', () => {
  const wrong = (name: string) => {
    const errors = new FieldErrors()
    validateManagerName(name, 'fieldManager', errors)
    return errors.list.map(error => error.message)
  }
  assert.deepEqual(wrong('é'.repeat(64)), [])
  assert.equal(wrong('x'.repeat(129)).length, 1)
  assert.match(wrong('a\u200b')[0]!, /invalid character U\+200B \(at position 1\)$/)
})
