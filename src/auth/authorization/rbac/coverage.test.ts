import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PolicyRule } from '../../../apimachinery/api/generated/rbac-v1.js'
import { random, some } from '../../../testkit/random.js'
import { describeRules, uncovered } from './coverage.js'

const rule = (verbs: string[], resources: string[], ...resourceNames: string[]): PolicyRule => ({
  verbs,
  apiGroups: [''],
  resources,
  ...(resourceNames.length > 0 ? { resourceNames } : {})
})
const missing = (owned: PolicyRule[], ...wanted: PolicyRule[]) => describeRules(uncovered(owned, wanted).rules)

describe('the permissions that a user lacks', () => {
  it('are described by resource, with all verbs', () => {
    assert.equal(
      missing([rule(['get'], ['pods'])], rule(['get', 'list', 'watch'], ['secrets', 'pods']), rule(['update'], ['pods'])),
      '{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch" "update"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list" "watch"]}'
    )
  })

  it('are none when several rules together cover a rule', () => {
    assert.equal(missing([rule(['get'], ['pods']), rule(['list'], ['*'])], rule(['get', 'list'], ['pods'])), '')
    assert.equal(missing([rule(['get'], ['*/scale'])], rule(['get'], ['deployments/scale'])), '')
    assert.equal(missing([rule(['get'], ['secrets'], 'a', 'b')], rule(['get'], ['secrets'], 'b')), '')
  })

  for (const [owned, wanted, covered] of [
    ['pods', 'pods', true],
    ['pods', 'pods/log', false],
    ['pods/log', 'pods', false],
    ['jobs/log', 'pods/log', false],
    ['pods/lag', 'pods/log', false],
    ['*', 'pods/log', true],
    ['*', '*/log', true],
    ['*/log', 'pods/log', true],
    ['*/log', '*/log', true],
    ['*/log', 'pods', false],
    ['*/log', 'log', false],
    ['*/log', '*', false],
    ['pods/*', 'pods/log', false],
    ['pods', '*', false]
  ] as const)
    it(`${covered ? 'do not include' : 'include'} ${wanted} when the user may use ${owned}`, () => {
      assert.equal(missing([rule(['get'], [owned])], rule(['get'], [wanted])) === '', covered)
    })

  it('are those of verbs, groups and names that the user has not', () => {
    const all: PolicyRule = { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'] }
    const cases: readonly (readonly [owned: Partial<PolicyRule>, covered: boolean])[] = [
      [{}, true],
      [{ verbs: ['list'] }, false],
      [{ verbs: ['*'] }, true],
      [{ apiGroups: [''] }, false],
      [{ apiGroups: ['*'] }, true],
      [{ resourceNames: ['b'] }, false],
      [{ resourceNames: ['*'] }, false],
      [{ resourceNames: [] }, true]
    ]
    for (const [owned, covered] of cases)
      assert.equal(missing([{ ...all, ...owned }], all) === '', covered, JSON.stringify(owned))
  })

  it('are all of a rule without names when the user may use only some names', () => {
    assert.equal(
      missing([rule(['get'], ['secrets'], 'a')], rule(['get'], ['secrets'])),
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'
    )
  })

  it('include the star when the user has only some of its values', () => {
    assert.equal(
      missing([rule(['get', 'list'], ['pods'])], rule(['*'], ['pods'])),
      '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'
    )
    const paths = (verbs: string[], ...nonResourceURLs: string[]) => ({ verbs, nonResourceURLs })
    assert.equal(
      missing([paths(['get'], '/logs/*')], paths(['get', 'post'], '/logs/a', '/*')),
      '{NonResourceURLs:["/*"], Verbs:["get"]}\n{NonResourceURLs:["/*"], Verbs:["post"]}\n{NonResourceURLs:["/logs/a"], Verbs:["post"]}'
    )
  })

  it('are those of every single permission of the rules', () => {
    const next = random(1)
    const any = (): PolicyRule => ({
      verbs: some(next, ['get', 'list', 'watch', '*']),
      apiGroups: some(next, ['', 'apps', '*']),
      resources: some(next, ['pods', 'pods/log', '*/log', 'secrets', '*']),
      resourceNames: next(2) === 0 ? [] : some(next, ['a', 'b'])
    })
    const owns = (rule: PolicyRule, { verbs, apiGroups, resources, resourceNames }: PolicyRule) =>
      [
        [rule.verbs, verbs],
        [rule.apiGroups, apiGroups]
      ].every(([have, [want]]: any) => have.includes('*') || have.includes(want)) &&
      ['*', resources![0]!, resources![0]!.replace(/^[^/]*\//, '*/')].some(r => rule.resources!.includes(r)) &&
      (!rule.resourceNames?.length || (!!resourceNames?.length && rule.resourceNames.includes(resourceNames[0]!)))
    for (let round = 0; round < 2000; round++) {
      const owned = [any(), any(), any()]
      const wanted = any()
      const single: PolicyRule[] = []
      for (const group of wanted.apiGroups!)
        for (const resource of wanted.resources!)
          for (const verb of wanted.verbs!)
            for (const name of wanted.resourceNames?.length ? wanted.resourceNames : [undefined])
              single.push({
                verbs: [verb],
                apiGroups: [group],
                resources: [resource],
                ...(name === undefined ? {} : { resourceNames: [name] })
              })
      assert.deepEqual(
        uncovered(owned, [wanted]).rules,
        single.filter(permission => !owned.some(rule => owns(rule, permission))),
        JSON.stringify({ owned, wanted })
      )
    }
  })

  it('are found in rules that stand for billions of permissions', () => {
    const many = (prefix: string) => Array.from({ length: 1500 }, (_, i) => `${prefix}${i}`)
    const huge: PolicyRule = { verbs: many('v'), apiGroups: many('g'), resources: many('r'), resourceNames: many('n') }
    assert.deepEqual(uncovered([huge], [huge]), { rules: [], incomplete: false })
    assert.deepEqual(uncovered([{ ...huge, verbs: ['*'] }, huge], [huge]), { rules: [], incomplete: false })
    // parts that only together cover the rule
    const halves = [0, 750].map(from => ({ ...huge, verbs: huge.verbs!.slice(from, from + 750) }))
    assert.deepEqual(uncovered(halves, [huge]), { rules: [], incomplete: false })
    const nothing = uncovered([], [huge])
    assert.equal(nothing.rules.length, 10_000)
    assert.equal(nothing.incomplete, true)
    const all = { ...huge, resourceNames: [...huge.resourceNames!, 'last'] }
    assert.equal(uncovered(halves, [all]).incomplete, true)
  })

  it('are searched for within a budget', () => {
    // each value is covered by a different set of rules
    const values = (prefix: string) => Array.from({ length: 400 }, (_, i) => `${prefix}${i}`)
    const but = (prefix: string, i: number) => values(prefix).filter(value => value !== `${prefix}${i}`)
    const owned = values('').flatMap((_, i) => [
      { verbs: but('v', i), apiGroups: values('g'), resources: values('r') },
      { verbs: values('v'), apiGroups: but('g', i), resources: values('r') },
      { verbs: values('v'), apiGroups: values('g'), resources: but('r', i) }
    ])
    const found = uncovered(owned, [{ verbs: values('v'), apiGroups: values('g'), resources: values('r') }])
    assert.deepEqual(found, { rules: [], incomplete: true })
  })

  it('are found for paths with many stars', () => {
    const stars = '*'.repeat(500_000)
    const path = (url: string): PolicyRule => ({ verbs: ['get'], nonResourceURLs: [url] })
    assert.equal(uncovered([path(`/${stars}x${stars}`)], [path(`/${stars}y`)]).rules.length, 1)
  })
})
