import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { makeKey, startIssuer, type TestIssuer } from '../../../testkit/issuer.js'
import { systemClock } from '../../../util/clock.js'
import { silentLogger } from '../../../util/logger.js'
import { TokenError } from '../authenticator.js'
import { JwtAuthenticator } from './jwt-authenticator.js'
import { validateConfiguration } from './validate.js'

let issuer: TestIssuer
before(async () => {
  issuer = await startIssuer()
})
after(() => issuer.close())

async function start(t: TestContext) {
  const { url, certificateAuthority } = issuer
  const config = {
    issuer: { url, certificateAuthority, audiences: ['me'] },
    claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'groups', prefix: 'g:' }, uid: {} }
  }
  const authenticator = new JwtAuthenticator({
    jwt: validateConfiguration({ jwt: [config] }).jwt,
    apiAudiences: [],
    signingAlgorithms: ['ES256'],
    clock: systemClock,
    log: silentLogger,
    metrics: { authenticated() {}, keysFetched() {}, issuerRemoved() {} }
  })
  await authenticator.start()
  t.after(() => authenticator.stop())
  const groupsOf = async (claims: object) => (await authenticator.authenticateToken(await issuer.token(claims)))!.user.groups
  /** Asks until the issuer of the claim is known. */
  const groupsAt = async (path: string, more: object = {}): Promise<readonly string[]> => {
    for (;;) {
      try {
        return await groupsOf({ ...sourceAt(path), ...more })
      } catch (error) {
        if (!/verifier not initialized/.test((error as Error).message)) throw error
      }
    }
  }
  return { groupsOf, groupsAt }
}

const sourceAt = (path: string, token = 'abc') => ({
  _claim_names: { groups: 'src' },
  _claim_sources: { src: { endpoint: issuer.url + path, access_token: token } }
})

/** Answers a path with a token that holds these claims. */
const answer = (path: string, claims: object, key?: ReturnType<typeof makeKey>) =>
  issuer.answers.set(path, async (_, response) => {
    response.end(await issuer.token(claims, key))
  })

const expanding = 'oidc: could not expand distributed claims: '
const refuses = (found: Promise<unknown>, message: string | RegExp) =>
  assert.rejects(found, error => {
    assert.ok(error instanceof TokenError, String(error))
    if (typeof message === 'string') assert.equal(error.message, expanding + message)
    else assert.match(error.message, message)
    return true
  })

describe('groups that stand elsewhere', () => {
  it('are fetched with the access token of their source', async t => {
    const { groupsAt } = await start(t)
    const seen: unknown[] = []
    issuer.answers.set('/groups', async (request, response) => {
      seen.push(request.headers.authorization)
      response.end(await issuer.token({ groups: ['a', 'b'] }))
    })
    assert.deepEqual(await groupsAt('/groups'), ['g:a', 'g:b'])
    assert.equal(seen.at(-1), 'Bearer abc')
    await groupsAt('/groups', sourceAt('/groups', ''))
    assert.equal(seen.at(-1), undefined)
  })

  it('are not fetched when the token has groups, or nobody says where they are', async t => {
    const { groupsOf } = await start(t)
    const asked = issuer.requests.filter(path => path === '/groups').length
    assert.deepEqual(await groupsOf({ ...sourceAt('/groups'), groups: ['own'] }), ['g:own'])
    assert.deepEqual(await groupsOf({}), [])
    assert.deepEqual(await groupsOf({ ...sourceAt('/groups'), _claim_names: { other: 'src' } }), [])
    assert.deepEqual(await groupsOf({ ...sourceAt('/groups'), _claim_sources: { src: { JWT: 'x' } } }), [])
    assert.equal(issuer.requests.filter(path => path === '/groups').length, asked)
  })

  it('make the first token fail, because their issuer has to be asked', async t => {
    const { groupsOf } = await start(t)
    answer('/first', { groups: [] })
    const message = `verifying untrusted issuer ${issuer.url} failed: verifier not initialized for issuer: "${issuer.url}"`
    await refuses(groupsOf(sourceAt('/first')), message)
  })

  it('are refused when they are not signed for this server', async t => {
    const { groupsAt } = await start(t)
    answer('/stranger', { groups: [] }, makeKey('one'))
    const unsigned = 'verify distributed claim token: failed to verify signature: failed to verify id token signature'
    await refuses(groupsAt('/stranger'), unsigned)
    answer('/expired', { groups: [], exp: 1 })
    await refuses(groupsAt('/expired'), /verify distributed claim token: oidc: token is expired/)
    answer('/audience', { groups: [], aud: 'you' })
    await refuses(groupsAt('/audience'), 'verify distributed claim token: oidc: expected audience "me" got ["you"]')
  })

  it('are refused when they are not there', async t => {
    const { groupsAt, groupsOf } = await start(t)
    answer('/none', {})
    const none = `jwt returned by distributed claim endpoint "${issuer.url}/none" did not contain claim: groups`
    await refuses(groupsAt('/none'), none)
    const missing = 'while getting distributed claim "groups": error while getting distributed claim JWT: 404 Not Found'
    await refuses(groupsOf(sourceAt('/nothing')), missing)
    issuer.answers.set('/broken', 'x')
    const broken = `getting untrusted issuer from endpoint ${issuer.url}/broken failed for claim "groups": malformed token`
    await refuses(groupsOf(sourceAt('/broken')), broken)
    const nowhere = sources({ src: { endpoint: 'https://127.0.0.1:1/x' } })
    await refuses(
      groupsOf(nowhere),
      /while getting distributed claim "groups": Get "https:\/\/127.0.0.1:1\/x": dial tcp .*connection refused/
    )
  })

  it('need a source that the token describes', async t => {
    const { groupsOf } = await start(t)
    await refuses(groupsOf({ _claim_names: { groups: 'src' } }), /oidc: verify token: oidc: source does not exist/)
    await refuses(groupsOf({ _claim_names: {} }), 'oidc: no claim sources')
  })
})

const sources = (sources: object) => ({ _claim_names: { groups: 'src' }, _claim_sources: sources })
