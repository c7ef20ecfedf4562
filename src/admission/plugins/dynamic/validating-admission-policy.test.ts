import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../../server/server.js'
import { silentLogger } from '../../../util/logger.js'

/** The audit events of requests. */
const events: any[] = []
const server = createServer({
  log: silentLogger,
  auditPolicy: { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] },
  auditWrite: event => void events.push(event)
})
before(() => server.start())
after(() => server.stop())

const user = { name: 'tester', groups: ['system:masters', 'system:authenticated'] }
const send = async (url: string, body: object) => {
  const { status, headers, ...answer } = await server.inject({ method: 'POST', url, user, body })
  return { status, warnings: headers.warning, body: answer.json() as any }
}
const group = '/apis/admissionregistration.k8s.io/v1'
const configMap = (data: object) => send('/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name: 'x' }, data })

async function bind(name: string, spec: object, validationActions: string[]): Promise<void> {
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
  const made = await send(`${group}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules }, ...spec }
  })
  assert.equal(made.status, 201, made.body.message)
  await send(`${group}/validatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name, validationActions } })
}

test('a policy denies or warns as its binding says, with the code of its reason', async () => {
  await bind('deny', { validations: [{ expression: '!has(object.data.bad)', message: 'no bad' }] }, ['Deny'])
  await bind('forbid', { validations: [{ expression: '!has(object.data.worse)', message: 'no worse', reason: 'Forbidden' }] }, [
    'Deny'
  ])
  await bind('warn', { validations: [{ expression: '!has(object.data.odd)', message: 'odd' }] }, ['Warn'])
  const denied = await configMap({ bad: 'x' })
  assert.equal(denied.status, 422)
  assert.match(denied.body.message, /ValidatingAdmissionPolicy 'deny' with binding 'deny' denied request: no bad$/)
  assert.equal((await configMap({ worse: 'x' })).status, 403)
  const warned = await configMap({ odd: 'x' })
  assert.equal(warned.status, 201)
  assert.match(String(warned.warnings), /Validation failed for ValidatingAdmissionPolicy 'warn' with binding 'warn': odd/)
  assert.equal((await configMap({ good: 'x' })).warnings, undefined)
})

test('a policy that cannot be evaluated denies, unless its failure policy is Ignore', async () => {
  const validations = [{ expression: '!has(object.data.number) || int(object.data.number) > 0' }]
  await bind('ignore', { validations, failurePolicy: 'Ignore' }, ['Deny'])
  assert.equal((await configMap({ number: 'x' })).status, 201)
  await bind('fail', { validations, failurePolicy: 'Fail' }, ['Deny'])
  assert.match(
    (await configMap({ number: 'x' })).body.message,
    /'fail' with binding 'fail' denied request: expression .* resulted in error/
  )
})

test('a policy audits a failed validation and lets the request pass, as its binding says', async () => {
  const key = 'validation.policy.admission.k8s.io/validation_failure'
  const failure = async (data: object) => {
    assert.equal((await configMap(data)).status, 201)
    return events.at(-1).annotations[key]
  }
  const validations = [{ expression: 'true' }, { expression: '!has(object.data.noted)', message: 'noted' }]
  await bind('audit', { validations }, ['Audit'])
  assert.deepEqual(JSON.parse(await failure({ noted: 'x' })), [
    { message: 'noted', policy: 'audit', binding: 'audit', expressionIndex: 1, validationActions: ['Audit'] }
  ])
  await bind('audit-too', { validations: [{ expression: '!has(object.data.noted)', message: 'too' }] }, ['Audit'])
  assert.deepEqual(
    JSON.parse(await failure({ noted: 'x' })).map(({ message }: { message: string }) => message),
    ['noted', 'too']
  )
  assert.equal(await failure({ good: 'x' }), undefined)
  // the failures of other actions are no annotations
  assert.equal(await failure({ odd: 'x' }), undefined)
})

test('a policy decides only about the objects that it selects', async () => {
  const objectSelector = { matchLabels: { never: 'set' } }
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
  await bind('select', { matchConstraints: { resourceRules, objectSelector }, validations: [{ expression: 'false' }] }, ['Deny'])
  assert.equal((await configMap({ good: 'x' })).status, 201)
})

test('a policy whose parameters are of an unknown kind denies, unless its failure policy is Ignore', async () => {
  const validations = [{ expression: 'false', message: 'never', reason: 'Forbidden' }]
  const paramKind = { apiVersion: 'example.com/v1', kind: 'Missing' }
  const matchConditions = [{ name: 'c', expression: 'has(object.data.param)' }]
  const spec = { validations, paramKind, matchConditions }
  const text = async () => (await configMap({ param: 'x' })).body
  await bind('unknown-ignore', { ...spec, failurePolicy: 'Ignore' }, ['Deny'])
  assert.equal((await text()).kind, 'ConfigMap')
  await bind('unknown-fail', { ...spec, failurePolicy: 'Fail' }, ['Deny'])
  assert.equal(
    (await text()).message,
    `configmaps "x" is forbidden: ValidatingAdmissionPolicy 'unknown-fail' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Missing'`
  )
})
