import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PolicyRule } from '../../api/generated/rbac-v1.js'
import { type AuthorizationAttributes, aboutResource } from '../../request/authorization.js'
import { ruleAllows } from './rules.js'

const user = { name: 'u', groups: [] }
const about = (verb: string, resource: string, more: Partial<AuthorizationAttributes> = {}) =>
  aboutResource({ user, verb, group: '', resource, ...more })
const to = (path: string) => ({ ...about('get', ''), isResourceRequest: false, path })
const rule = (resources: string[], more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources,
  ...more
})

describe('a rule', () => {
  it('matches verb, group, resource and name together', () => {
    const named = rule(['pods'], { resourceNames: ['a'] })
    assert.equal(ruleAllows(named, about('get', 'pods', { name: 'a' })), true)
    assert.equal(ruleAllows(named, about('get', 'pods', { name: 'b' })), false)
    assert.equal(ruleAllows(named, about('get', 'pods')), false)
    assert.equal(ruleAllows(named, about('delete', 'pods', { name: 'a' })), false)
    assert.equal(ruleAllows(named, about('get', 'pods', { name: 'a', group: 'apps' })), false)
    assert.equal(ruleAllows(rule(['*'], { verbs: ['*'], apiGroups: ['*'] }), about('made-up', 'x', { group: 'y' })), true)
  })

  it('matches subresources of one resource, or of all resources', () => {
    const log = { subresource: 'log' }
    assert.equal(ruleAllows(rule(['pods']), about('get', 'pods', log)), false)
    assert.equal(ruleAllows(rule(['pods/log']), about('get', 'pods', log)), true)
    assert.equal(ruleAllows(rule(['pods/log']), about('get', 'pods')), false)
    assert.equal(ruleAllows(rule(['*/log']), about('get', 'pods', log)), true)
    assert.equal(ruleAllows(rule(['*/log']), about('get', 'pods', { subresource: 'catalog' })), false)
    assert.equal(ruleAllows(rule(['tripods/log', 'xpods/log']), about('get', 'pods', log)), false)
    assert.equal(ruleAllows(rule(['pods/*']), about('get', 'pods', log)), false)
    assert.equal(ruleAllows(rule(['*']), about('get', 'pods', log)), true)
  })

  it('matches paths, or all paths with a prefix', () => {
    const paths: PolicyRule = { verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*', '/a**'] }
    for (const path of ['/metrics', '/logs/', '/logs/x/y', '/a', '/ab']) assert.equal(ruleAllows(paths, to(path)), true, path)
    for (const path of ['/metrics/x', '/logs', '/']) assert.equal(ruleAllows(paths, to(path)), false, path)
    assert.equal(ruleAllows(rule(['*']), to('/metrics')), false)
  })
})
