import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aboutResource } from '../../../apimachinery/request/authorization.js'
import { reviewBody } from './review.js'
import { reviewSpec } from './review-spec.js'

const bare = { name: 'u', groups: [] }
const question = aboutResource({ user: bare, verb: 'list', group: 'apps', resource: 'deployments' })

describe('the spec of a review', () => {
  it('leaves out what is empty', () => {
    assert.equal(
      JSON.stringify(reviewSpec(question)),
      '{"resourceAttributes":{"verb":"list","group":"apps","version":"*","resource":"deployments"},"user":"u"}'
    )
    const path = { ...question, isResourceRequest: false, path: '/x', verb: 'get' }
    assert.equal(JSON.stringify(reviewSpec(path)), '{"nonResourceAttributes":{"path":"/x","verb":"get"},"user":"u"}')
    assert.equal(
      JSON.stringify(reviewSpec({ ...path, user: { ...bare, name: '', uid: '', extra: {} }, path: '', verb: '' })),
      '{"nonResourceAttributes":{}}'
    )
  })

  it('has all of a request in its place', () => {
    const spec = reviewSpec({
      user: { name: 'u', uid: 'i', groups: ['g'], extra: { b: ['1'], A: [] } },
      isResourceRequest: true,
      ...{ verb: 'get', group: 'g', version: 'v', resource: 'r', subresource: 's', namespace: 'n', name: 'o', path: '/p' }
    })
    assert.equal(
      JSON.stringify(spec),
      '{"resourceAttributes":{"namespace":"n","verb":"get","group":"g","version":"v","resource":"r","subresource":"s","name":"o"},"user":"u","groups":["g"],"extra":{"A":[],"b":["1"]},"uid":"i"}'
    )
  })

  it('has the requirements of selectors', () => {
    const { resourceAttributes } = reviewSpec({
      ...question,
      fieldSelector: [
        { field: 'a', operator: '=', value: 'b' },
        { field: 'c', operator: '!=', value: '' }
      ],
      labelSelector: [
        { key: 'd', operator: 'NotIn', values: ['e', 'f'] },
        { key: 'g', operator: 'Exists', values: [] },
        { key: 'h', operator: 'In', values: ['i'] }
      ]
    })
    assert.deepEqual(resourceAttributes!.fieldSelector, {
      requirements: [
        { key: 'a', operator: 'In', values: ['b'] },
        { key: 'c', operator: 'NotIn', values: [''] }
      ]
    })
    assert.deepEqual(resourceAttributes!.labelSelector, {
      requirements: [
        { key: 'd', operator: 'NotIn', values: ['e', 'f'] },
        { key: 'g', operator: 'Exists' },
        { key: 'h', operator: 'In', values: ['i'] }
      ]
    })
    const empty = reviewSpec({ ...question, fieldSelector: [], labelSelector: [] }).resourceAttributes!
    assert.ok(!('fieldSelector' in empty) && !('labelSelector' in empty))
  })
})

describe('a review', () => {
  it('calls the groups of the user groups in v1, and group in v1beta1', () => {
    const spec = reviewSpec({ ...question, user: { name: 'u', groups: ['g'] } })
    const { user, groups, ...about } = spec
    const status = { allowed: false }
    const body = (version: 'v1' | 'v1beta1') => JSON.parse(JSON.stringify(reviewBody(spec, version)))
    const plain = JSON.parse(JSON.stringify(about))
    assert.deepEqual(body('v1'), {
      ...{ kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', metadata: {}, status },
      spec: { ...plain, user, groups }
    })
    assert.deepEqual(body('v1beta1').spec, { ...plain, user, group: groups })
    assert.equal(body('v1beta1').apiVersion, 'authorization.k8s.io/v1beta1')
  })
})
