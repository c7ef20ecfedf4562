import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createServer } from '../server/server.js'
import type { CachedObject } from '../storage/cached-object.js'
import { eventually } from '../testkit/eventually.js'
import { send } from '../testkit/send.js'
import { turnsDuring } from '../testkit/turns.js'
import { type Clock, systemClock } from '../util/clock.js'
import { equalJson } from '../util/json.js'
import { silentLogger } from '../util/logger.js'
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

/** Starts a server with roles that aggregate each the next one, in a ring. */
async function ring(t: TestContext, size: number, clock: Clock = systemClock) {
  const server = createServer({ log: silentLogger, clock, controllers: ['clusterrole-aggregation-controller'] })
  await server.start()
  t.after(() => server.stop())
  const url = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
  const write = async (method: string, path: string, body?: unknown) => (await send(server, method, path, body)).body
  for (let i = 0; i < size; i++) {
    const rules = [{ verbs: ['get'], nonResourceURLs: [`/r${i}`] }]
    await write('POST', url, { metadata: { name: `r${i}`, labels: { part: String(i) } }, rules })
  }
  // at once, so that each is at work before another has ended
  const aggregating = Array.from({ length: size }, (_, i) => {
    const clusterRoleSelectors = [{ matchLabels: { part: String((i + 1) % size) } }]
    return write('PATCH', `${url}/r${i}`, { aggregationRule: { clusterRoleSelectors } })
  })
  await Promise.all(aggregating)
  return (name: string) => write('GET', `${url}/${name}`)
}

test('two roles that aggregate each other come to have the same rules', async t => {
  const read = await ring(t, 2)
  const seen = async () => [(await read('r0')).rules, (await read('r1')).rules]
  await eventually('both roles have the rules of one', seen, ([one, other]) => equalJson(one, other))
})

test('roles that pass their rules on in a ring are written so often and then wait for their turns', async t => {
  const noTurns: Clock = { now: () => Date.UTC(2030, 0, 1), setTimeout: () => ({ cancel() {} }) }
  const read = await ring(t, 3, noTurns)
  const version = async () => Number((await read('r0')).metadata.resourceVersion)
  const first = await version()
  let last = first
  let unchanged = 0
  await eventually('no role is written any more', version, seen => {
    unchanged = seen === last ? unchanged + 1 : 0
    last = seen
    return unchanged > 50
  })
  const written = last - first
  assert.ok(written > 50 && written < 150, `${written} writes`)
})
