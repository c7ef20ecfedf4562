import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { systemClock } from '../../util/clock.js'
import { type AuthenticationResult, type TokenAuthenticator, TokenError } from './authenticator.js'
import { parseTokenFile } from './token-file.js'
import { createAuthenticator } from './union.js'

const der = (pem: string): Buffer => Buffer.from(pem.replace(/-----.*-----|\n/g, ''), 'base64')
const pki = await loadOrCreatePki({ servingNames: ['localhost'], now: Date.now() })
const adminCertificate = [der(pki.admin.certificate)]
const wrongCertificate = [der(pki.serving.certificate)]

const tokens = [
  parseTokenFile(
    'tokens.csv',
    'alice-token,alice,u1,dev\nodd-token,odd,u2,system:authenticated\nanonymous-token,system:anonymous,u3\n'
  )
]
const options = { clientCAs: pki.clientCAs, tokens, anonymous: true, clock: systemClock }
const union = createAuthenticator(options)

const name = (result: AuthenticationResult): string => ('problems' in result ? 'unauthorized' : result.user.name)
const ask = (
  authorization: string | undefined,
  certificates: readonly Buffer[] = [],
  authenticator = union
): AuthenticationResult => {
  const result = authenticator.authenticate({
    headers: { authorization },
    rawHeaders: () => [],
    peerCertificates: () => certificates
  })
  return result instanceof Promise ? assert.fail('must answer at once') : result
}

describe('the user of a request', () => {
  it('is the user of the token, in the group system:authenticated', () => {
    assert.deepEqual(ask('Bearer alice-token'), { user: { name: 'alice', uid: 'u1', groups: ['dev', 'system:authenticated'] } })
  })

  it('is the same object each time, by which others remember what they know of it', () => {
    assert.equal(ask('Bearer alice-token'), ask('Bearer alice-token'))
  })

  it('is of the first of several Authorization headers', () => {
    const headers = { authorization: ['Bearer alice-token', 'Bearer odd-token'] }
    assert.equal(name(union.authenticate({ headers, rawHeaders: () => [] }) as AuthenticationResult), 'alice')
  })

  it('is asked for everywhere before a token is refused, with all reasons', async () => {
    const refusing = (problem: string, annotations?: Record<string, string>): TokenAuthenticator => ({
      authenticateToken: () => {
        throw new TokenError(problem, annotations)
      }
    })
    const later = (problem: string): TokenAuthenticator => ({
      authenticateToken: async () => {
        throw new TokenError(problem)
      }
    })
    const broken = (error: Error): TokenAuthenticator[] => [
      { authenticateToken: () => Promise.reject(error) },
      {
        authenticateToken: () => {
          throw error
        }
      }
    ]
    const request = { headers: { authorization: 'Bearer alice-token' }, rawHeaders: () => [] }
    const of = (...list: TokenAuthenticator[]) => createAuthenticator({ ...options, tokens: list })
    const found = await of(refusing('a'), later('b'), ...tokens).authenticate(request)
    assert.equal(name(found), 'alice')
    assert.deepEqual(await of(refusing('a', { k: 'v' }), later('b')).authenticate(request), {
      problems: ['invalid bearer token', 'a', 'b'],
      annotations: { k: 'v' }
    })
    assert.deepEqual(await of(refusing('a')).reviewToken('x', []), { problems: ['invalid bearer token', 'a'] })
    for (const one of broken(new RangeError('a bug')))
      await assert.rejects(async () => of(one, ...tokens).authenticate(request), RangeError)
  })

  it('of a TokenReview without a token is anonymous, if that is allowed', async () => {
    const anonymous = { user: { name: 'system:anonymous', groups: ['system:unauthenticated'] }, audiences: ['a'] }
    assert.deepEqual(await union.reviewToken(' ', ['a']), anonymous)
    const strict = createAuthenticator({ ...options, anonymous: false })
    assert.deepEqual(await strict.reviewToken(' ', ['a']), { problems: [] })
    assert.deepEqual(ask(undefined, [], strict), { problems: ['there are no credentials'] })
  })

  it('is the user of the certificate, even when the request has a token as well', () => {
    for (const header of [undefined, 'Bearer alice-token', 'Bearer wrong']) {
      const result = ask(header, adminCertificate)
      assert.equal(name(result), 'kubernetes-admin')
      assert.deepEqual('user' in result && result.user.groups, ['system:masters', 'system:authenticated'])
    }
  })

  it('is anonymous without credentials', () => {
    for (const header of [undefined, '', 'Bearer', 'Basic YTpi']) {
      assert.deepEqual(ask(header), { user: { name: 'system:anonymous', groups: ['system:unauthenticated'] } })
    }
  })

  it('is anonymous with a warning after two spaces', () => {
    const result = ask('Bearer  alice-token')
    assert.equal(name(result), 'system:anonymous')
    assert.equal('user' in result && result.warnings?.length, 1)
  })

  it('is refused with wrong credentials, unless other credentials are right', () => {
    assert.deepEqual(ask('Bearer wrong'), { problems: ['invalid bearer token'] })
    assert.deepEqual(ask(undefined, wrongCertificate), { problems: ['the client certificate is not valid'] })
    assert.deepEqual(ask('Bearer wrong', wrongCertificate), { problems: ['invalid bearer token'] })
    assert.equal(name(ask('Bearer alice-token', wrongCertificate)), 'alice')
  })

  it('is refused without credentials when anonymous requests are off', () => {
    const strict = createAuthenticator({ ...options, anonymous: false })
    for (const header of [undefined, 'Bearer', 'Bearer  alice-token']) assert.equal(name(ask(header, [], strict)), 'unauthorized')
    assert.equal(name(ask('Bearer alice-token', [], strict)), 'alice')
  })

  it('is anonymous only on some paths when there are conditions', async () => {
    const some = createAuthenticator({ ...options, anonymousPaths: new Set(['/healthz']) })
    const request = { rawHeaders: () => [], peerCertificates: () => [] }
    const at = (url: string | undefined, authorization?: string) =>
      name(some.authenticate({ ...request, headers: { authorization }, url }) as AuthenticationResult)
    for (const url of ['/healthz', '/healthz?verbose', '/%68ealthz']) assert.equal(at(url), 'system:anonymous')
    for (const url of ['/healthz/', '/Healthz', '/api?/healthz', '', undefined]) assert.equal(at(url), 'unauthorized', url)
    assert.equal(at('/healthz', 'Bearer wrong'), 'unauthorized')
    assert.equal(at('/api', 'Bearer alice-token'), 'alice')
    assert.deepEqual(await some.reviewToken(' ', []), { problems: [] })
    const none = createAuthenticator({ ...options, anonymous: false, anonymousPaths: new Set(['/healthz']) })
    assert.equal(name(none.authenticate({ ...request, headers: {}, url: '/healthz' }) as AuthenticationResult), 'unauthorized')
  })

  it('does not get system:authenticated twice, and not at all as the anonymous user', () => {
    assert.deepEqual(ask('Bearer odd-token'), { user: { name: 'odd', uid: 'u2', groups: ['system:authenticated'] } })
    assert.deepEqual(ask('Bearer anonymous-token'), { user: { name: 'system:anonymous', uid: 'u3', groups: [] } })
  })

  it('is found by the first authenticator that knows the token, even asynchronously', async () => {
    const asked: string[] = []
    const slow = (own: string): TokenAuthenticator => ({
      authenticateToken: async token => {
        asked.push(own)
        return token === own ? { user: { name: own, groups: [] }, audiences: ['api'] } : undefined
      }
    })
    const authenticator = createAuthenticator({ ...options, tokens: [...tokens, slow('a'), slow('b'), slow('c')] })
    const authenticate = (token: string) =>
      authenticator.authenticate({ headers: { authorization: `Bearer ${token}` }, rawHeaders: () => [] })
    assert.deepEqual(await authenticate('b'), { user: { name: 'b', groups: ['system:authenticated'] }, audiences: ['api'] })
    assert.deepEqual(asked, ['a', 'b'])
    assert.deepEqual(await authenticate('x'), { problems: ['invalid bearer token'] })
  })
})
