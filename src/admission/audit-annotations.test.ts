/** Keys and values as kube-apiserver writes them into audit events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuditLevel, RequestRecord } from '../apimachinery/request/record.js'
import { annotate, annotateFailedOpen, annotateMutation, annotatePatch, annotateValidationFailures } from './audit-annotations.js'

function record(level: AuditLevel = AuditLevel.Metadata): RequestRecord {
  const made = new RequestRecord('id', 0)
  made.auditLevel = level
  return made
}
const call = { configuration: 'c', webhook: 'w.example.com', round: 1, index: 2 } as const
const written = (made: RequestRecord) => Object.fromEntries(made.annotations)

test('a key that a webhook chose must be a name with a domain', () => {
  const made = record()
  for (const key of ['example.com/a', 'w/b', 'c', 'a/b/c', 'a//b', '/a', 'a/', 'a b/c', 'a/b c']) annotate(made, key, 'v')
  assert.deepEqual(written(made), { 'example.com/a': 'v', 'w/b': 'v' })
  annotate(undefined, 'a/b', 'v')
})

test('each call of a mutating webhook says whether it changed the object', () => {
  const made = record()
  annotateMutation(made, call, true)
  annotateMutation(made, { ...call, round: 0, webhook: '<&>' }, false)
  assert.deepEqual(written(made), {
    'mutation.webhook.admission.k8s.io/round_1_index_2': '{"configuration":"c","webhook":"w.example.com","mutated":true}',
    'mutation.webhook.admission.k8s.io/round_0_index_2': '{"configuration":"c","webhook":"\\u003c\\u0026\\u003e","mutated":false}'
  })
})

test('the patch of a webhook is shown from the level Request on', () => {
  const patch = [{ op: 'add', path: '/data', value: { b: '1', a: '2' } }]
  for (const [level, shown] of [
    [AuditLevel.None, false],
    [AuditLevel.Metadata, false],
    [AuditLevel.Request, true],
    [AuditLevel.RequestResponse, true]
  ] as const) {
    const made = record(level)
    annotatePatch(made, call, patch)
    const text =
      '{"configuration":"c","webhook":"w.example.com","patch":[{"op":"add","path":"/data","value":{"a":"2","b":"1"}}],"patchType":"JSONPatch"}'
    assert.deepEqual(written(made), shown ? { 'patch.webhook.admission.k8s.io/round_1_index_2': text } : {})
  }
  annotatePatch(undefined, call, patch)
})

test('a webhook that could not be called and let the request pass is named', () => {
  const made = record()
  annotateFailedOpen(made, call)
  annotateFailedOpen(made, { webhook: 'v', index: 3 })
  annotateFailedOpen(undefined, call)
  assert.deepEqual(written(made), {
    'failed-open.mutation.webhook.admission.k8s.io/round_1_index_2': 'w.example.com',
    'failed-open.validating.webhook.admission.k8s.io/round_0_index_3': 'v'
  })
})

test('the failures of policies that audit are kept, up to fifty', () => {
  const failure = { message: 'no', policy: 'p', binding: 'b', expressionIndex: 1, validationActions: ['Audit', 'Warn'] }
  const text = (policy: string) =>
    `{"message":"no","policy":"${policy}","binding":"b","expressionIndex":1,"validationActions":["Audit","Warn"]}`
  const key = 'validation.policy.admission.k8s.io/validation_failure'
  const annotated = (...failures: (typeof failure)[]) => {
    const made = record()
    annotateValidationFailures(made, failures)
    return written(made)
  }
  assert.deepEqual(annotated(failure, { ...failure, policy: 'q' }), { [key]: `[${text('p')},${text('q')}]` })
  assert.deepEqual(annotated(), {})
  assert.equal(JSON.parse(annotated(...Array<typeof failure>(60).fill(failure))[key]!).length, 50)
  annotateValidationFailures(undefined, [failure])
})
