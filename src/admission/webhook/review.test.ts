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
    [answer({ patch: '*' }), 'illegal base64 data at input byte 0']
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
