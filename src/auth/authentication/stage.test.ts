import assert from 'node:assert/strict'
import { it } from 'node:test'
import { RequestContext } from '../../apimachinery/request/context.js'
import type { IncomingRequest } from '../../apimachinery/request/message.js'
import type { AuthenticationResult } from './authenticator.js'
import { authenticationStage } from './stage.js'

async function run(result: AuthenticationResult | Promise<AuthenticationResult>, endsSessions?: boolean) {
  let known = 0
  let ended = 0
  const onAuthenticated = () => void known++
  const request = {
    method: 'GET',
    url: '/',
    headers: {},
    peerCertificates: () => [],
    onAuthenticated,
    endSession: () => void ended++
  } as unknown as IncomingRequest
  const context = new RequestContext(request, 0, 'id')
  const stage = authenticationStage({ authenticate: () => result } as never, undefined, endsSessions)
  let status = 0
  try {
    status = (await stage.handle(context, () => ({ status: 200, headers: {} }))).status
  } catch (error) {
    status = (error as { code: number }).code
  }
  return { status, record: context.record, user: context.user, known, ended }
}

it('the record of a request says who sent it, or why the credentials show nobody', async () => {
  const alice = { name: 'alice', groups: [] }
  for (const result of [{ user: alice }, Promise.resolve({ user: alice })]) {
    const { status, record, user } = await run(result)
    assert.deepEqual([status, record.requester, user], [200, alice, alice])
    assert.deepEqual(record.authentication, { authenticated: true, reason: '' })
  }
  const { status, record } = await run({ problems: ['invalid bearer token', 'it has expired'] })
  assert.deepEqual([status, record.requester], [401, undefined])
  assert.deepEqual(record.authentication, { authenticated: false, reason: 'invalid bearer token, it has expired' })
})

it("a connection is a known client's when a user has been shown, who is not anonymous", async () => {
  assert.equal((await run({ user: { name: 'alice', groups: [] } })).known, 1)
  assert.equal((await run({ user: { name: 'system:anonymous', groups: [] } })).known, 0)
  assert.equal((await run({ problems: [] })).known, 0)
})

it('a client whom nobody knows has one request for each HTTP/2 connection', async () => {
  const anonymous = { user: { name: 'system:anonymous', groups: [] } }
  assert.equal((await run({ user: { name: 'alice', groups: [] } })).ended, 0)
  assert.equal((await run(anonymous)).ended, 1)
  assert.equal((await run({ problems: [] })).ended, 1)
  for (const result of [anonymous, { problems: [] }]) assert.equal((await run(result, false)).ended, 0)
})

it('annotations of credentials reach the audit event, whether they are right or wrong', async () => {
  const annotations = { 'authentication.k8s.io/legacy-token': 'x' }
  for (const result of [
    { user: { name: 'alice', groups: [] }, annotations },
    { problems: [], annotations }
  ]) {
    const { record } = await run(result)
    assert.deepEqual(Object.fromEntries(record.annotations ?? []), annotations)
  }
  assert.deepEqual(Object.fromEntries((await run({ problems: [] })).record.annotations ?? []), {})
})
