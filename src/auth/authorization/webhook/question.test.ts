import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { questionText } from './question.js'

const user: UserInfo = { name: 'u', uid: 'i', groups: ['g', 'h'], extra: { a: ['1'], b: ['2', '3'] } }
const question: AuthorizationAttributes = {
  user,
  isResourceRequest: true,
  ...{ verb: 'get', group: 'g', version: 'v', resource: 'r', subresource: 's', namespace: 'n', name: 'o', path: '/p' }
}
const selectors: Partial<AuthorizationAttributes> = {
  fieldSelector: [{ field: 'a', operator: '=', value: 'b' }],
  labelSelector: [{ key: 'a', operator: 'In', values: ['b'] }]
}
const text = questionText(question)

describe('the text of a question', () => {
  it('is the same for the same question', () => {
    assert.equal(questionText(question), text)
    assert.equal(questionText({ ...question, user: { ...user } }), text)
    assert.equal(questionText({ ...question, user: { ...user, extra: { b: ['2', '3'], a: ['1'] } } }), text)
    assert.equal(questionText({ ...question, path: '/q' }), text)
    assert.equal(questionText({ ...question, fieldSelector: [], labelSelector: [] }), text)
    assert.equal(
      questionText({ ...question, ...selectors, labelSelector: [] }),
      questionText({ ...question, ...selectors, labelSelector: undefined })
    )
  })

  for (const field of ['verb', 'group', 'version', 'resource', 'subresource', 'namespace', 'name'] as const)
    it(`differs by ${field}`, () => {
      assert.notEqual(questionText({ ...question, [field]: 'x' }), text)
      assert.notEqual(questionText({ ...question, [field]: '' }), text)
    })

  it('differs by each part of the user', () => {
    for (const other of [
      ...[{ name: 'x' }, { uid: 'x' }, { uid: undefined }, { groups: ['g'] }, { groups: ['h', 'g'] }, { extra: undefined }],
      ...[{ extra: { a: ['1'], b: ['3', '2'] } }, { extra: { a: ['1'], c: ['2', '3'] } }]
    ])
      assert.notEqual(questionText({ ...question, user: { ...user, ...other } }), text, JSON.stringify(other))
  })

  it('differs by selectors', () => {
    const texts = [
      question,
      { ...question, ...selectors },
      { ...question, fieldSelector: selectors.fieldSelector },
      { ...question, labelSelector: selectors.labelSelector },
      { ...question, fieldSelector: [{ field: 'a', operator: '!=', value: 'b' }] as const },
      { ...question, labelSelector: [{ key: 'a', operator: 'NotIn', values: ['b'] }] as const }
    ].map(questionText)
    assert.equal(new Set(texts).size, texts.length)
  })

  it('differs by path and verb outside of the API', () => {
    const path = { ...question, isResourceRequest: false }
    const texts = [question, path, { ...path, path: '/q' }, { ...path, verb: 'post' }].map(questionText)
    assert.equal(new Set(texts).size, 4)
    assert.equal(questionText({ ...path, name: 'x' }), questionText(path))
  })

  it('cannot be forged by characters that separate', () => {
    assert.notEqual(
      questionText({ ...question, resource: 'a","b', subresource: '' }),
      questionText({ ...question, resource: 'a', subresource: 'b' })
    )
  })
})
