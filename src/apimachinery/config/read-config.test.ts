import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ConfigKind, readConfig, readConfigLeniently } from './read-config.js'
import { bool, duration, int32, list, pointer, string, struct, typeMeta } from './types.js'

const gate = struct('v1.Gate', { name: string, open: pointer(bool), wait: pointer(duration), size: int32 })
const gates: ConfigKind = {
  kind: 'Gates',
  versions: {
    'example.com/v1': struct('v1.Gates', { ...typeMeta, main: gate, others: list(gate), last: pointer(gate) })
  },
  others: { Walls: 'example.Walls' }
}
const head = 'apiVersion: example.com/v1\nkind: Gates\n'
const read = (text: string) => readConfig(head + text, gates).object

describe('configuration files', () => {
  it('are YAML or JSON', () => {
    assert.deepEqual(read('main: {name: a, wait: 1m}\nothers: [{open: false}]').main, { name: 'a', wait: '1m' })
    const { object } = readConfig('{"kind":"Gates","apiVersion":"example.com/v1","main":{"name":"j"}}', gates)
    assert.equal(object.main.name, 'j')
  })

  it('distinguish absent from empty for pointers', () => {
    assert.deepEqual(read('others: [{open: false, size: 0}]').others, [{ open: false }])
    assert.deepEqual(read(''), { apiVersion: 'example.com/v1', kind: 'Gates', main: {} })
    assert.deepEqual(read('last: {}').last, {})
  })

  // as kube-apiserver 1.36.2 words them for --authentication-config
  for (const [why, text, message] of [
    ['nothing', '', 'empty config data'],
    ['no kind', 'a: b', "Object 'Kind' is missing in 'a: b'"],
    ['no version', 'kind: Gates', "Object 'apiVersion' is missing in 'kind: Gates'"],
    ['too many slashes', 'kind: Gates\napiVersion: a/b/c', 'unexpected GroupVersion string: a/b/c'],
    [
      'an unknown kind',
      'kind: Doors\napiVersion: example.com/v1',
      'no kind "Doors" is registered for version "example.com/v1" in scheme "pkg/runtime/scheme.go:111"'
    ],
    [
      'an unknown version',
      'kind: Gates\napiVersion: example.com/v7',
      'no kind "Gates" is registered for version "example.com/v7" in scheme "pkg/runtime/scheme.go:111"'
    ],
    ['another kind', 'kind: Walls\napiVersion: example.com/v1', 'expected Gates, got *example.Walls'],
    [
      'unknown fields',
      `${head}foo: 1\nothers: [{x: 1}]`,
      'strict decoding error: unknown field "foo", unknown field "others[0].x"'
    ],
    [
      'duplicate fields',
      `${head}others: []\nothers: []`,
      'strict decoding error: yaml: unmarshal errors:\n  line 4: key "others" already set in map'
    ],
    ['wrong types', `${head}others: 7`, 'json: cannot unmarshal number into Go struct field Gates.others of type []v1.Gate'],
    ['bad durations', `${head}last: {wait: soon}`, 'time: invalid duration "soon"'],
    ['unfinished JSON', '{"kind":', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    ['unfinished YAML', '"', 'yaml: found unexpected end of stream']
  ] as const)
    it(`are refused for ${why}`, () => assert.throws(() => readConfig(text, gates), { message }))

  it('keep prototype names as keys', () => {
    assert.throws(() => read('__proto__: {x: 1}'), { message: 'strict decoding error: unknown field "__proto__"' })
  })

  it('may be empty where the kind is known', () => {
    const assumed = { ...gates, assumed: 'example.com/v1' }
    for (const text of ['null', '---\n']) assert.deepEqual(readConfigLeniently(text, assumed), readConfigLeniently('{}', assumed))
  })

  it('may be read leniently', () => {
    const { object, strictErrors } = readConfigLeniently(`${head}foo: 1\nmain: {name: a}`, gates)
    assert.deepEqual([object.main.name, strictErrors], ['a', ['unknown field "foo"']])
  })
})
