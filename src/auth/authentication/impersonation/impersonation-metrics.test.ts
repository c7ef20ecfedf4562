import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aboutResource } from '../../../apimachinery/request/authorization.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { Impersonation } from './impersonation.js'
import { ImpersonationMetrics } from './impersonation-metrics.js'

const bob = { name: 'bob', uid: '', groups: [], extra: new Map() }

/** The metrics after alice has tried to become bob, with an authorizer that knows these verbs. */
async function attempt(...allowed: string[]): Promise<string[]> {
  const metrics = new Metrics()
  const authorize = ({ verb }: { verb: string }) => ({
    allowed: allowed.includes(verb),
    denied: verb === 'impersonate' && !allowed.includes(verb),
    reason: ''
  })
  const request = aboutResource({ user: { name: 'alice', groups: [] }, verb: 'get', group: '', resource: 'pods' })
  await new Impersonation({ authorize }, new ImpersonationMetrics(metrics)).become(bob, request).catch(() => {})
  return (await metrics.text()).split('\n').filter(line => /^apiserver_impersonation_.*_(total|count)\{.* [1-9]/.test(line))
}

const of = 'apiserver_impersonation'
const both = (name: string, decision: string, mode: string, times = 1) =>
  ['total', 'duration_seconds_count'].map(what => `${of}_${name}_${what}{decision="${decision}",mode="${mode}"} ${times}`)

test('attempts are counted by the mode that allowed them, and questions by the mode that asked them', async () => {
  const userInfo = await attempt('impersonate-on:user-info:get', 'impersonate:user-info')
  assert.deepEqual(
    userInfo.sort(),
    [...both('attempts', 'allowed', 'user-info'), ...both('authorization_attempts', 'allowed', 'user-info', 2)].sort()
  )
  const legacy = await attempt('impersonate')
  const refused = both('authorization_attempts', 'no-opinion', 'user-info')
  assert.deepEqual(
    legacy.sort(),
    [...both('attempts', 'allowed', 'legacy'), ...refused, ...both('authorization_attempts', 'allowed', 'legacy')].sort()
  )
  const none = await attempt()
  assert.deepEqual(
    none.sort(),
    [...both('attempts', 'denied', ''), ...refused, ...both('authorization_attempts', 'denied', 'legacy')].sort()
  )
})
