import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PolicyRule } from '../../../apimachinery/api/generated/rbac-v1.js'
import { type AuthorizationAttributes, aboutResource } from '../../../apimachinery/request/authorization.js'
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

  const resourceTable: readonly (readonly [resources: string[], asked: string, allowed: boolean])[] = [
    [['pods'], 'pods', true],
    [['jobs', 'pods'], 'pods', true],
    [['jobs'], 'pods', false],
    [['*'], 'pods', true],
    [['*'], 'pods/log', true],
    [['pods'], 'pods/log', false],
    [['pods/log'], 'pods', false],
    [['pods/log'], 'pods/log', true],
    [['jobs', 'pods/log'], 'pods/log', true],
    // the names of other resources and subresources that are as long
    [['jobs/log'], 'pods/log', false],
    [['pods/lag'], 'pods/log', false],
    [['podsslog'], 'pods/log', false],
    [['tripods/log', 'xpods/log', 'pod/log', 'pods/xlog'], 'pods/log', false],
    [['*/log'], 'pods/log', true],
    [['*/log'], 'pods', false],
    [['*/log'], 'pods/catalog', false],
    [['*/catalog'], 'pods/log', false],
    [['p/log', '*s/log', '**/log', '/log', 'log'], 'pods/log', false],
    [['pods/*', 'pods/*/log', '*/*'], 'pods/log', false],
    [[], 'pods', false],
    [[], 'pods/log', false]
  ]
  for (const [resources, asked, allowed] of resourceTable)
    it(`for ${resources.join(', ') || 'nothing'} ${allowed ? 'allows' : 'does not allow'} ${asked}`, () => {
      const [resource = '', subresource = ''] = asked.split('/')
      assert.equal(ruleAllows(rule(resources), about('get', resource, { subresource })), allowed)
    })

  it('without verbs, groups or resources allows nothing', () => {
    const parts: (keyof PolicyRule)[] = ['verbs', 'apiGroups', 'resources']
    for (const part of parts)
      for (const subresource of ['', 'log'])
        assert.equal(ruleAllows({ ...rule(['*']), [part]: undefined }, about('get', 'pods', { subresource })), false, part)
    assert.equal(ruleAllows({ verbs: ['get'] }, to('/metrics')), false)
  })

  it('with an empty list of names allows all names', () => {
    assert.equal(ruleAllows(rule(['pods'], { resourceNames: [] }), about('get', 'pods', { name: 'a' })), true)
  })

  it('matches paths, or all paths with a prefix', () => {
    const paths: PolicyRule = { verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*', '/a**'] }
    for (const path of ['/metrics', '/logs/', '/logs/x/y', '/a', '/ab']) assert.equal(ruleAllows(paths, to(path)), true, path)
    for (const path of ['/metrics/x', '/logs', '/']) assert.equal(ruleAllows(paths, to(path)), false, path)
    assert.equal(ruleAllows(rule(['*']), to('/metrics')), false)
  })
})
