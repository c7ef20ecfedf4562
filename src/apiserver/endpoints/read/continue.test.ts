import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatusError } from '../../../apimachinery/status/status.js'
import { decodeContinue, encodeContinue } from './continue.js'

const token = (json: string | Buffer) => Buffer.from(json).toString('base64url')
const invalid = 'invalid continue token: continue key is not valid: '

function problem(text: string): string {
  try {
    decodeContinue(text, 'ns/')
    return 'none'
  } catch (error) {
    assert.ok(error instanceof StatusError && error.code === 400)
    return error.message.replace(invalid, '')
  }
}

test('a token is read in every JSON form that Go accepts', () => {
  assert.deepEqual(decodeContinue(encodeContinue(5, 'a'), 'ns/'), { revision: 5, start: 'ns/a' })
  assert.deepEqual(decodeContinue(encodeContinue(undefined, 'a'), ''), { revision: undefined, start: 'a' })
  for (const json of [
    '{"V":"meta.k8s.io/v1","RV":5,"START":"a"}',
    ' {"v":"x","start":"b","v":"meta.k8s.io\\/v1","more":{"rv":[1,"}"]},"rv":5,"start":"/a","rv":null}',
    '{"v":"meta.k8s.io/v1","rv":5,"\u017ftart":"a"}'
  ])
    assert.deepEqual(decodeContinue(token(json), 'ns/'), { revision: 5, start: 'ns/a' }, json)
  const folded = token('{"v":"meta.k8s.io/v1","rv":5,"start":"a"}')
  assert.equal(decodeContinue(`${folded.slice(0, 4)}\r\n${folded.slice(4)}\n`, '').start, 'a')
  assert.equal(decodeContinue(token('{"v":"meta.k8s.io/v1","rv":5,"start":"/"}'), 'ns/').start, 'ns/')
  const large = decodeContinue(token('{"v":"meta.k8s.io/v1","rv":9223372036854775807,"start":"a"}'), '').revision
  assert.equal(large, 9223372036854775807n)
})

test("an invalid token gets kube-apiserver's message", () => {
  const version = '"v":"meta.k8s.io/v1"'
  const cases: [string, string][] = [
    ['x', 'illegal base64 data at input byte 0'],
    ['YQ==', 'illegal base64 data at input byte 2'],
    ['eyJ+', 'illegal base64 data at input byte 3'],
    ['YWFhY', 'illegal base64 data at input byte 4'],
    [token(Buffer.from([0xc3, 0xa9])), "invalid character 'Ã' looking for beginning of value"],
    [token(Buffer.from([0x7b, 0xa8])), "invalid character '¨' looking for beginning of object key string"],
    [token('null'), 'server does not recognize this encoded version '],
    [token('[]'), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    [token('"x"'), 'json: cannot unmarshal string into Go value of type storage.continueToken'],
    [token('{"v":true}'), 'json: cannot unmarshal bool into Go struct field continueToken.v of type string'],
    [token(`{${version},"rv":1e0}`), 'json: cannot unmarshal number 1e0 into Go struct field continueToken.rv of type int64'],
    [
      token(`{${version},"rv":9223372036854775808}`),
      'json: cannot unmarshal number 9223372036854775808 into Go struct field continueToken.rv of type int64'
    ],
    [
      token(`{"rv":"a",${version},"start":1}`),
      'json: cannot unmarshal string into Go struct field continueToken.rv of type int64'
    ],
    [token(`{${version}}`), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [token(`{${version},"rv":1}`), 'encoded start key empty (version meta.k8s.io/v1)'],
    ...['c/', '../x', 'a/../b', 'c//d', './c', '//'].map(
      start => [token(`{${version},"rv":1,"start":"${start}"}`), start] as [string, string]
    )
  ]
  for (const [text, expected] of cases) assert.equal(problem(text), expected, text)
})
