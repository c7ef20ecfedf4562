import assert from 'node:assert/strict'
import { it } from 'node:test'
import { RequestContext } from '../../../apimachinery/request/context.js'
import type { IncomingRequest } from '../../../apimachinery/request/message.js'
import { parseRequestInfo } from '../../../apimachinery/request/request-info.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { ImpersonationMetrics } from './impersonation-metrics.js'
import { impersonationStage } from './stage.js'

/** Runs the stage for a request with these headers; returns the code of what was thrown, or the context that the next stage sees. */
async function run(raw: readonly string[], authorize: (name: string) => Promise<{ allowed: boolean; reason: string }>) {
  const headers: Record<string, string> = {}
  for (let i = 0; i < raw.length; i += 2) headers[raw[i]!.toLowerCase()] = raw[i + 1]!
  const request = { method: 'GET', url: '/api/v1/pods', headers, rawHeaders: () => raw } as unknown as IncomingRequest
  const context = new RequestContext(request, 0, 'id')
  context.user = context.record.requester = { name: 'alice', groups: [] }
  context.info = parseRequestInfo('GET', '/api/v1/pods', new URLSearchParams())
  let thrown: any
  try {
    const stage = impersonationStage({ authorize: ({ name }) => authorize(name) }, new ImpersonationMetrics(new Metrics()))
    await stage.handle(context, () => ({ status: 200, headers: {} }))
  } catch (error) {
    thrown = error
  }
  const { record, user } = context
  return {
    thrown,
    user,
    requester: record.requester!.name,
    impersonated: record.impersonated,
    by: record.impersonationConstraint
  }
}
const yes = async () => ({ allowed: true, reason: '' })
const no = async () => ({ allowed: false, reason: '' })

it('a request without Impersonate headers is its own user, whatever the authorizer would say', async () => {
  const { user, impersonated, thrown } = await run(['Accept', '*/*'], no)
  assert.deepEqual([user!.name, impersonated, thrown], ['alice', undefined, undefined])
})

it('later stages see the impersonated user, and the record both', async () => {
  const { user, requester, impersonated, by } = await run(['Impersonate-User', 'bob'], yes)
  assert.deepEqual([user!.name, requester, impersonated!.name, by], ['bob', 'alice', 'bob', 'impersonate:user-info'])
})

it('who may not impersonate is refused, and stays who it was', async () => {
  const { user, impersonated, thrown } = await run(['Impersonate-User', 'bob'], no)
  assert.deepEqual([user!.name, impersonated, thrown.code], ['alice', undefined, 403])
  assert.equal(thrown.headers?.['x-content-type-options'], 'nosniff')
})

it('headers without a user are refused', async () => {
  for (const header of ['Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-K'])
    assert.equal((await run([header, 'x'], yes)).thrown.code, 400, header)
})

it('an authorizer that breaks is no refusal', async () => {
  const broken = async () => {
    throw new RangeError('a bug')
  }
  const { user, thrown } = await run(['Impersonate-User', 'bob'], broken)
  assert.ok(thrown instanceof RangeError)
  assert.equal(user!.name, 'alice')
})
