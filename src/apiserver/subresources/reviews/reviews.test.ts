import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Authorizer } from '../../../apimachinery/request/authorization.js'
import { privilegedGroup } from '../../../apimachinery/request/privileged-group.js'
import type { StatusError } from '../../../apimachinery/status/status.js'
import { unionAuthorizer } from '../../../auth/authorization/union.js'
import type { Implementation } from '../implementation.js'
import { localSubjectAccessReview, subjectAccessReview } from './access-review.js'
import { selfSubjectRulesReview } from './self-subject-rules-review.js'
import { tokenReview } from './token-review.js'

const users: Record<string, any> = { t: { user: { name: 'alice', groups: [] } } }
const rule = { verbs: ['get'], nonResourceURLs: ['/apis/*'] }
const everyoneReads: Authorizer = {
  authorize: ({ verb, isResourceRequest }) =>
    verb === 'get' && !isResourceRequest ? { allowed: true, reason: 'because' } : { allowed: false, reason: 'only paths' },
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [rule], incomplete: false, problems: ['a', 'b', 'a'] })
}
const services: any = {
  authorizer: unionAuthorizer([privilegedGroup, everyoneReads]),
  authenticator: { reviewToken: async (token: string) => users[token] ?? { problems: ['invalid bearer token'] } },
  apiAudiences: ['api']
}
const operation: any = { services, user: { name: 'a', groups: ['system:authenticated'] }, now: 0 }
const request: any = { namespace: 'n', name: '', operation, validateAdmission: async () => {} }
const ask = async ({ create }: Implementation, object: any): Promise<any> => create!(request, { metadata: {}, ...object })
const refusal = (kind: Implementation, object: any): Promise<string> =>
  ask(kind, object).then(assert.fail, (e: StatusError) => e.message)

describe('reviews', () => {
  it('answer with the decision of the authorizer', async () => {
    const resourceAttributes = { verb: 'get', resource: 'pods' }
    assert.deepEqual(
      (await ask(subjectAccessReview, { spec: { user: 'x', groups: ['system:masters'], resourceAttributes } })).status,
      { allowed: true }
    )
    assert.deepEqual((await ask(subjectAccessReview, { spec: { user: 'x', resourceAttributes } })).status, {
      allowed: false,
      reason: 'only paths'
    })
    const path = { user: 'x', groups: ['system:authenticated'], nonResourceAttributes: { verb: 'get', path: '/apis/apps' } }
    assert.deepEqual((await ask(subjectAccessReview, { spec: path })).status, { allowed: true, reason: 'because' })
  })

  it('ignore selectors that they cannot read', async () => {
    const fieldSelector = { requirements: [{ key: 'a', operator: 'Near' }] }
    const { status } = await ask(subjectAccessReview, {
      spec: { user: 'x', resourceAttributes: { verb: 'list', resource: 'pods', fieldSelector } }
    })
    assert.equal(status.evaluationError, 'spec.resourceAttributes.fieldSelector ignored due to parse error')
  })

  it('are refused unless they ask exactly one question', async () => {
    assert.match(
      await refusal(subjectAccessReview, { spec: { user: 'x' } }),
      /exactly one of nonResourceAttributes or resourceAttributes/
    )
    assert.match(await refusal(subjectAccessReview, { spec: { resourceAttributes: {} } }), /at least one of user or group/)
    assert.match(
      await refusal(subjectAccessReview, { metadata: { name: 'n' }, spec: { user: 'x', resourceAttributes: {} } }),
      /metadata: .*must be empty/
    )
    const elsewhere = { user: 'x', resourceAttributes: { namespace: 'm' } }
    assert.match(
      await refusal(localSubjectAccessReview, { metadata: { namespace: 'n' }, spec: elsewhere }),
      /must match metadata.namespace/
    )
  })

  it('list the rules of a user', async () => {
    const { status } = await ask(selfSubjectRulesReview, { spec: { namespace: 'n' } })
    assert.deepEqual(status, {
      resourceRules: [],
      nonResourceRules: [rule],
      incomplete: false,
      evaluationError: '[a, b]'
    })
    assert.equal(await refusal(selfSubjectRulesReview, { spec: {} }), 'no namespace on request')
  })

  it('return the user of a token, for the requested audiences', async () => {
    const review = async (token: string, audiences?: string[]) => (await ask(tokenReview, { spec: { token, audiences } })).status
    assert.deepEqual(await review('t'), { authenticated: true, user: { username: 'alice' }, audiences: ['api'] })
    assert.deepEqual((await review('t', ['vault', 'api'])).audiences, ['api'])
    assert.deepEqual(await review('t', ['vault']), { user: {}, error: 'invalid bearer token' })
    assert.deepEqual(await review('other'), { user: {}, error: 'invalid bearer token' })
  })
})
