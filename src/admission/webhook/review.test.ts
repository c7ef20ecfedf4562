import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnswer, UnreadableAnswer, WrongAnswer } from './review.js'

const identity = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' }
const answer = (response: unknown, more = {}) => JSON.stringify({ ...identity, response, ...more })
const read = (text: string, version: 'v1' | 'v1beta1' = 'v1', mutating = true) => readAnswer(text, version, 'u', mutating)

test('answers that cannot be read', () => {
  const cases: readonly [string, string][] = [
    ['{"kind"', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    [
      answer({ uid: 'u', allowed: 'yes' }),
      'json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool'
    ],
    [answer('x'), 'json: cannot unmarshal string into Go struct field AdmissionReview.response of type v1.AdmissionResponse'],
    [
      answer({}, { kind: 'Foo' }),
      'no kind "Foo" is registered for version "admission.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"'
    ],
    [
      answer({}, { apiVersion: 'admission.k8s.io/v1beta1' }),
      'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion'
    ],
    [answer({ patch: '*' }), 'illegal base64 data at input byte 0'],
    ...[2 ** 31, -(2 ** 31) - 1, 1.5].map((code): [string, string] => [
      answer({ status: { code } }),
      `json: cannot unmarshal number ${code} into Go struct field Status.response.status.code of type int32`
    ]),
    [
      answer({ status: { details: [] } }),
      'json: cannot unmarshal array into Go struct field Status.response.status.details of type v1.StatusDetails'
    ],
    [
      answer({ status: { metadata: 5 } }),
      'json: cannot unmarshal number into Go struct field Status.response.status.metadata of type v1.ListMeta'
    ],
    [
      answer({ status: { details: 0 } }).replace(':0', `:${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
      "couldn't get version/kind; json parse error: exceeded max depth"
    ]
  ]
  for (const [text, message] of cases) assert.throws(() => read(text), new UnreadableAnswer(message))
})

test('answers that do not fit the review', () => {
  const uid = 'u'
  const patch = Buffer.from('[]').toString('base64')
  const cases: readonly [string, string][] = [
    [answer(undefined), 'webhook response was absent'],
    [answer({ uid: 'x' }), 'expected response.uid="u", got "x"'],
    [answer({ uid, patch }), 'webhook returned response.patch but not response.patchType'],
    [
      answer({ uid }, { kind: undefined }),
      'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1, Kind='
    ]
  ]
  for (const [text, message] of cases) assert.throws(() => read(text), new WrongAnswer(message))
  const patched = answer({ uid, patch, patchType: 'JSONPatch' })
  assert.throws(() => read(patched, 'v1', false), new WrongAnswer('validating webhook may not return response.patch'))
})

test('v1beta1 accepts any uid, and an answer may be YAML', () => {
  assert.equal(read('response: {allowed: true, warnings: [a]}', 'v1beta1').allowed, true)
  assert.deepEqual(read('response: {allowed: true, warnings: [a]}', 'v1beta1').warnings, ['a'])
})

const v1 = 'admission.k8s.io/v1, Kind=AdmissionReview'
const typeError = (what: string, field: string, type: string) =>
  `json: cannot unmarshal ${what} into Go struct field AdmissionResponse.response.${field} of type ${type}`
const uid = 'u'
const encoded = (text: string) => Buffer.from(text).toString('base64')

for (const [what, text, mutating, error] of [
  [
    'no object',
    '[]',
    true,
    /^couldn't get version\/kind; json parse error: json: cannot unmarshal array into Go value of type struct/
  ],
  ['a number', '5', true, /cannot unmarshal number into Go value/],
  [
    'a kind that is no text',
    answer({}, { kind: 5 }),
    true,
    /cannot unmarshal number into Go struct field \.kind of type string$/
  ],
  [
    'a version that is no text',
    answer({}, { apiVersion: true }),
    true,
    /cannot unmarshal bool into Go struct field \.apiVersion of type string$/
  ],
  [
    'an unknown version',
    answer({}, { apiVersion: 'admission.k8s.io/v2' }),
    true,
    /^no kind "AdmissionReview" is registered for version "admission.k8s.io\/v2"/
  ],
  [
    'a Status',
    answer({}, { apiVersion: 'v1', kind: 'Status' }),
    true,
    /^converting \(v1\.Status\) to \(v1\.AdmissionReview\): unknown conversion$/
  ],
  ['a uid that is no text', answer({ uid: 5 }), true, typeError('number', 'uid', 'string')],
  ['a status that is no object', answer({ uid, status: 'x' }), true, typeError('string', 'status', 'v1.Status')],
  [
    'a code that is no integer',
    answer({ uid, status: { code: 1.5 } }),
    true,
    'json: cannot unmarshal number 1.5 into Go struct field Status.response.status.code of type int32'
  ],
  [
    'a message that is no text',
    answer({ uid, status: { message: {} } }),
    true,
    'json: cannot unmarshal object into Go struct field Status.response.status.message of type string'
  ],
  ['warnings that are no list', answer({ uid, warnings: 'x' }), true, typeError('string', 'warnings', '[]string')],
  ['warnings that are no texts', answer({ uid, warnings: [5] }), true, typeError('number', 'warnings', 'string')],
  [
    'annotations that are no map',
    answer({ uid, auditAnnotations: [] }),
    true,
    typeError('array', 'auditAnnotations', 'map[string]string')
  ],
  [
    'annotations that are no texts',
    answer({ uid, auditAnnotations: { a: 5 } }),
    true,
    typeError('number', 'auditAnnotations', 'string')
  ],
  ['a patch of half base64', answer({ uid, patch: 'abc' }), true, 'illegal base64 data at input byte 3'],
  ['a patch with a blank', answer({ uid, patch: 'ab c' }), true, 'illegal base64 data at input byte 2']
] as const)
  test(`an answer with ${what} cannot be read`, () =>
    assert.throws(
      () => read(text, 'v1', mutating),
      (given: Error) => {
        assert.ok(given instanceof UnreadableAnswer)
        if (typeof error === 'string') assert.equal(given.message, error)
        else assert.match(given.message, error)
        return true
      }
    ))

for (const [what, response, more, mutating, message] of [
  ['null', null, {}, true, 'webhook response was absent'],
  ['no uid', {}, {}, true, 'expected response.uid="u", got ""'],
  ['no version', { uid }, { apiVersion: undefined }, true, `expected webhook response of ${v1}, got /, Kind=AdmissionReview`],
  [
    'a type without a patch',
    { uid, patchType: 'JSONPatch' },
    {},
    true,
    'webhook returned response.patchType but not response.patch'
  ],
  ['an empty type', { uid, patch: encoded('[]'), patchType: '' }, {}, true, 'webhook returned invalid response.patchType of ""'],
  [
    'a type where nothing may change',
    { uid, patchType: 'JSONPatch' },
    {},
    false,
    'validating webhook may not return response.patchType'
  ],
  [
    'an empty type where nothing may change',
    { uid, patchType: '' },
    {},
    false,
    'validating webhook may not return response.patchType'
  ]
] as const)
  test(`an answer with ${what} does not fit the review`, () =>
    assert.throws(() => read(answer(response, more), 'v1', mutating), new WrongAnswer(message)))

test('an answer has what it says, and nothing else', () => {
  const nothing = { allowed: false, result: undefined, warnings: [], auditAnnotations: {}, patch: '', patchType: '' }
  assert.deepEqual(read(answer({ uid })), nothing)
  assert.deepEqual(read(answer({ uid, warnings: null, auditAnnotations: null, patch: null, status: null })), nothing)
  const metadata = { resourceVersion: '1' }
  const details = { retryAfterSeconds: 1 }
  const status = { status: 'Failure', message: 'm', reason: 'r', code: 418, metadata, details }
  const full = { uid, allowed: true, warnings: ['a', null], auditAnnotations: { k: 'v', n: null }, status }
  assert.deepEqual(read(answer({ ...full, patch: encoded('[1]'), patchType: 'JSONPatch' })), {
    allowed: true,
    warnings: ['a', ''],
    auditAnnotations: { k: 'v', n: '' },
    result: status,
    patch: '[1]',
    patchType: 'JSONPatch'
  })
  const more = { details: { ...details, more: { x: 1 }, causes: [{ message: 'm', more: 1 }] }, metadata: { more: {} } }
  const bare = read(answer({ uid, status: more })).result
  const known = { retryAfterSeconds: 1, causes: [{ message: 'm' }] }
  assert.deepEqual(bare, { status: '', message: '', reason: '', code: 0, metadata: {}, details: known })
})

test('v1beta1 knows no patch types, and changes nothing where it may not', () => {
  const beta = { apiVersion: 'admission.k8s.io/v1beta1' }
  const patch = encoded('[]')
  const found = (response: object, mutating: boolean) => {
    const { patch, patchType } = read(answer(response, beta), 'v1beta1', mutating)
    return [patch, patchType]
  }
  assert.deepEqual(found({ patch }, true), ['[]', 'JSONPatch'])
  assert.deepEqual(found({ patch }, false), ['', ''])
  assert.deepEqual(found({ patchType: 'x' }, true), ['', ''])
  assert.equal(read(answer({ uid: 'other' }, { apiVersion: undefined, kind: undefined }), 'v1beta1').allowed, false)
})

test('a patch of many megabytes is read', () => {
  const patch = JSON.stringify([{ op: 'add', path: '/data/a', value: 'x'.repeat(9_000_000) }])
  assert.equal(read(answer({ uid, patch: encoded(patch), patchType: 'JSONPatch' })).patch, patch)
  for (const wrong of ['A===', '====', 'AA=A', 'AAA'])
    assert.throws(() => read(answer({ uid, patch: wrong, patchType: 'JSONPatch' })), UnreadableAnswer)
})
