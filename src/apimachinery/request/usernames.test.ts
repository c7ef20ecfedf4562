import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nodeIdentity, nodeOf, serviceAccountOf } from './usernames.js'

describe('names of users', () => {
  it('stand for service accounts when they have both parts, of the right form', () => {
    assert.deepEqual(serviceAccountOf('system:serviceaccount:n:bot.x'), { namespace: 'n', name: 'bot.x' })
    for (const name of [
      'n:bot',
      'system:serviceaccount:n',
      'system:serviceaccount:n:bot:x',
      'system:serviceaccount:N:bot',
      'system:serviceaccount:n:Bot',
      'system:serviceaccount:n.x:bot',
      'system:serviceaccountx:n:bot',
      'system.serviceaccount.n:bot',
      'system:serviceaccount:n-:bot',
      'system:serviceaccount:n:bot-',
      'system:serviceaccount::bot',
      'system:serviceaccount:n:'
    ])
      assert.equal(serviceAccountOf(name), undefined, name)
  })

  it('stand for nodes when they have the prefix, and count with the group only', () => {
    assert.equal(nodeOf('system:node:a.b'), 'a.b')
    for (const name of ['a', 'system:node:A', 'system:node:', 'system:node:a-', 'system.node.b'])
      assert.equal(nodeOf(name), undefined, name)
    const groups = ['system:nodes']
    assert.equal(nodeIdentity({ name: 'system:node:a', groups }), 'a')
    assert.equal(nodeIdentity({ name: 'system:node:a', groups: [] }), undefined)
    assert.equal(nodeIdentity({ name: 'a', groups }), undefined)
  })
})
