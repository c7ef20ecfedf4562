import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admissionEnvironment } from '../../apimachinery/cel/admission-environment.js'
import { compile } from '../../apimachinery/cel/program.js'
import type { AuthorizationAttributes, Decision } from '../../apimachinery/request/authorization.js'
import { authorizersFor, whenAnswered } from './authorizers.js'

const environment = admissionEnvironment({ authorizer: true })

/** Evaluates an expression with authorizers for a request by alice for deployments/scale; returns the value and the questions. */
async function ask(expression: string, decide: () => Decision | Promise<Decision> = () => ({ allowed: true, reason: 'why' })) {
  const asked: AuthorizationAttributes[] = []
  const authorize = (question: AuthorizationAttributes) => {
    asked.push(question)
    return decide()
  }
  const attributes = {
    resource: { group: 'apps', resource: 'deployments' },
    subresource: 'scale',
    namespace: 'n',
    name: 'd',
    context: { user: { name: 'alice', groups: [] }, services: { authorizer: { authorize } } }
  }
  const { all, requestResource } = authorizersFor(attributes as never)
  const { program, issues } = compile(expression, environment)
  assert.ok(program, issues)
  const values: Record<string, unknown> = { authorizer: all, 'authorizer.requestResource': requestResource }
  const value = await whenAnswered(() => program.evaluate(name => values[name] as never).value)
  return { value, asked }
}

describe('the authorizers of expressions', () => {
  it('ask about a resource for the user of the request', async () => {
    const { value, asked } = await ask(
      "authorizer.group('g').resource('r').subresource('s').namespace('m').name('x').check('get').allowed()"
    )
    assert.equal(value, true)
    const { user, verb, group, resource, subresource, namespace, name, isResourceRequest, fieldSelector, labelSelector } =
      asked[0]!
    assert.deepEqual([user.name, verb, group, resource, subresource, namespace, name], ['alice', 'get', 'g', 'r', 's', 'm', 'x'])
    assert.deepEqual([isResourceRequest, fieldSelector, labelSelector], [true, undefined, undefined])
  })

  it('ask about the resource of the request', async () => {
    const { asked } = await ask("authorizer.requestResource.check('custom').reason()")
    const { verb, group, resource, subresource, namespace, name } = asked[0]!
    assert.deepEqual([verb, group, resource, subresource, namespace, name], ['custom', 'apps', 'deployments', 'scale', 'n', 'd'])
  })

  it('ask with selectors', async () => {
    const { asked } = await ask(
      "authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('c=d').check('list').allowed()"
    )
    assert.deepEqual(
      asked[0]!.fieldSelector?.map(({ field, value }) => [field, value]),
      [['a', 'b']]
    )
    assert.deepEqual(
      asked[0]!.labelSelector?.map(({ key, values }) => [key, values]),
      [['c', ['d']]]
    )
  })

  it('ask about paths, and for service accounts', async () => {
    const path = (await ask("authorizer.path('/healthz').check('get').allowed()")).asked[0]!
    assert.deepEqual([path.isResourceRequest, path.path, path.verb, path.version], [false, '/healthz', 'get', ''])
    const { user } = (await ask("authorizer.serviceAccount('n', 'bot').path('/x').check('get').allowed()")).asked[0]!
    assert.deepEqual(user, {
      name: 'system:serviceaccount:n:bot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:n']
    })
  })

  it('ask each question once, and wait for answers', async () => {
    const check = "authorizer.path('/x').check('get').allowed()"
    const twice = `${check} && ${check}`
    assert.equal((await ask(twice)).asked.length, 1)
    const late = await ask(twice, async () => ({ allowed: true, reason: '' }))
    assert.deepEqual([late.value, late.asked.length], [true, 1])
    const both = await ask(`${check} && authorizer.path('/y').check('get').allowed()`, async () => ({
      allowed: true,
      reason: ''
    }))
    assert.equal(both.asked.length, 2)
    assert.equal((await ask(check, async () => ({ allowed: false, reason: '' }))).value, false)
    await assert.rejects(
      ask(check, () => Promise.reject(new RangeError('a bug'))),
      RangeError
    )
    await assert.rejects(async () => whenAnswered(() => assert.fail('a bug')), /a bug/)
  })
})
