import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Decision } from '../../apimachinery/request/authorization.js'
import { InternalServerError } from '../../apimachinery/request/internal-server-error.js'
import { sentFields, sentLabels } from '../../apimachinery/selectors/sent.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { attributesOf, authorizationStage } from './stage.js'

const info = {
  verb: 'list',
  isResourceRequest: true,
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: '',
  namespace: 'ns',
  name: '',
  path: '/apis/apps/v1/namespaces/ns/deployments',
  fieldSelector: undefined,
  labelSelector: undefined
}
const contextOf = (more: object = {}): any => ({
  info: { ...info, ...more },
  user: { name: 'ann', groups: ['team'] },
  record: { time: (_: string, work: Promise<unknown>) => work }
})

describe('the question about a request', () => {
  it('has its user and all its parts', () => {
    const { fieldSelector, labelSelector, ...parts } = info
    assert.deepEqual(attributesOf(contextOf()), { ...parts, user: { name: 'ann', groups: ['team'] }, fieldSelector: undefined })
  })

  it('has its selectors, as far as they can be read', () => {
    const { fieldSelector, labelSelector } = attributesOf(
      contextOf({ fieldSelector: sentFields('spec.nodeName=n1'), labelSelector: sentLabels('a in (b)') })
    )
    assert.deepEqual(fieldSelector, [{ field: 'spec.nodeName', operator: '=', value: 'n1' }])
    assert.deepEqual(labelSelector, [{ key: 'a', operator: 'In', values: ['b'] }])
    const unread = attributesOf(contextOf({ fieldSelector: sentFields('a'), labelSelector: sentLabels('a in') }))
    assert.deepEqual([unread.fieldSelector, unread.labelSelector], [undefined, undefined])
  })
})

describe('a request', () => {
  const answer = 'answer'
  /** Sends a request to the stage; returns the answer or the error, and whether it came at once. */
  async function send(decision: Decision, late: boolean) {
    const context = contextOf()
    const stage = authorizationStage({ authorize: () => (late ? Promise.resolve(decision) : decision) })
    const handle = () => stage.handle(context, (() => answer) as any) as unknown
    if (!late) {
      try {
        return { result: handle(), decided: context.record.authorization }
      } catch (error) {
        return { result: error, decided: context.record.authorization }
      }
    }
    const result = await (handle() as Promise<unknown>).catch(error => error)
    return { result, decided: context.record.authorization }
  }

  for (const late of [false, true])
    it(`goes on only when it is allowed, ${late ? 'also later' : 'at once'}`, async () => {
      const allowed = { allowed: true, reason: '', error: 'of another authorizer' }
      assert.deepEqual(await send(allowed, late), { result: answer, decided: allowed })
      const { result: refused } = await send({ allowed: false, reason: 'why' }, late)
      assert.ok(refused instanceof StatusError)
      assert.equal(refused.code, 403)
      assert.match(refused.message, /cannot list resource "deployments" in API group "apps" in the namespace "ns": why$/)
      const { result: failed } = await send({ allowed: false, reason: 'why', error: 'failed' }, late)
      assert.ok(failed instanceof InternalServerError)
      assert.equal(failed.message, 'failed')
    })
})
