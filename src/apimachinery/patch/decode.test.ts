import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DecodeOptions,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
  jsonPatchFieldErrors
} from './decode.js'

const checked = { checked: true }
const unchecked = { checked: false }

type Decode = (text: string, options: DecodeOptions) => unknown

const bad: [Decode, string, DecodeOptions, string][] = [
  [decodeJsonPatch, '[{', checked, 'error decoding patch: unexpected end of JSON input'],
  [decodeJsonPatch, '[{', unchecked, 'unexpected end of JSON input'],
  [
    decodeJsonPatch,
    '{}',
    checked,
    'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'
  ],
  [decodeJsonPatch, '7', unchecked, 'json: cannot unmarshal number into Go value of type jsonpatch.Patch'],
  [
    decodeJsonPatch,
    '["x"]',
    checked,
    'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'
  ],
  [decodeJsonPatch, '[true]', unchecked, 'json: cannot unmarshal bool into Go value of type jsonpatch.Operation'],
  [
    decodeJsonPatch,
    '[{"path":1}]',
    checked,
    'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string'
  ],
  [decodeMergePatch, 'a: b', checked, "error decoding patch: invalid character 'a' looking for beginning of value"],
  [decodeMergePatch, 'a: b', unchecked, 'Invalid JSON Patch'],
  [
    decodeMergePatch,
    '[]',
    checked,
    'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'
  ],
  [decodeMergePatch, '"x"', unchecked, 'Invalid JSON Patch'],
  [decodeMergePatch, 'null', checked, 'Invalid JSON Patch'],
  [decodeStrategicMergePatch, '', checked, 'unexpected end of JSON input'],
  [decodeStrategicMergePatch, '[]', checked, 'json: cannot unmarshal array into Go value of type map[string]interface {}']
]

for (const [decode, text, options, message] of bad) {
  test(`${decode.name} refuses ${JSON.stringify(text)} ${options.checked ? 'checked' : 'unchecked'}`, () => {
    assert.throws(() => decode(text, options), { code: 400, reason: 'BadRequest', message })
  })
}

test('null is a patch without operations', () => {
  assert.deepEqual(decodeJsonPatch('null', checked), [])
  assert.deepEqual(decodeJsonPatch('[null]', checked), [{}])
  assert.deepEqual(decodeStrategicMergePatch('null', checked), {})
})

test('a JSON patch has at most 10,000 operations', () => {
  const patch = (n: number) => JSON.stringify(Array.from({ length: n }, () => ({ op: 'test', path: '/a' })))
  assert.equal(decodeJsonPatch(patch(10_000), checked).length, 10_000)
  assert.throws(() => decodeJsonPatch(patch(10_002), checked), {
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10002'
  })
})

test('patches that nest too deeply are refused', () => {
  for (const decode of [decodeMergePatch, decodeStrategicMergePatch] as Decode[]) {
    assert.throws(() => decode(`${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`, checked), /exceeded max depth/)
  }
})

test('unknown and repeated members of a JSON patch are reported', () => {
  assert.deepEqual(
    jsonPatchFieldErrors('[{"op":"add","path":"/a","path":"/b","value":{"x":[{"y":1,"y":2}]},"foo":{"z":1,"z":1}}]'),
    [
      'json patch duplicate field "[0].path"',
      'json patch duplicate field "[0].value.x[0].y"',
      'json patch unknown field "[0].foo"'
    ]
  )
})
