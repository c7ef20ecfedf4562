import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CachedObject } from '../storage/cached-object.js'
import { turnsDuring } from '../testkit/turns.js'
import { gather } from './cluster-role-aggregation.js'

const roles = Array.from({ length: 100 }, (_, i) => ({ name: `r${i}`, labels: { part: `p${i}` } }) as unknown as CachedObject)
const rulesOf = ({ name }: CachedObject) => [{ verbs: ['get'], resources: [name] }]
const selecting = (parts: readonly string[]) => ({ clusterRoleSelectors: parts.map(part => ({ matchLabels: { part } })) })

test('rules come in the order of the selectors, each once, and none from the role itself', async () => {
  const rules = await gather(roles, 'r2', selecting(['p7', 'p2', 'p3', 'p7']), rulesOf)
  assert.deepEqual(
    rules.map(({ resources }) => resources),
    [['r7'], ['r3']]
  )
})

test('others have their turns while 30,000 selectors are tried', async () => {
  const none = selecting(Array.from({ length: 30_000 }, (_, i) => `none${i}`))
  const turns = await turnsDuring(() => gather(roles, 'own', none, rulesOf))
  assert.ok(turns > 5, `${turns} turns`)
})
