/** Tokens of issuers, right and wrong, as kube-apiserver 1.36.2 answers them. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it, type TestContext } from 'node:test'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { discoveryPath, makeKey, signToken, startIssuer, type TestIssuer } from '../../../testkit/issuer.js'
import { silentLogger } from '../../../util/logger.js'
import { TokenError } from '../authenticator.js'
import type { JwtMetrics } from './issuer.js'
import { JwtAuthenticator } from './jwt-authenticator.js'
import { validateConfiguration } from './validate.js'

const subject = { username: { claim: 'sub', prefix: '' }, groups: {}, uid: {} }
const noMetrics: JwtMetrics = { authenticated() {}, keysFetched() {}, issuerRemoved() {} }
const minute = 60_000

const compiled = (...issuers: { issuer: TestIssuer; more?: object }[]) => {
  const jwt = issuers.map(({ issuer: { url, certificateAuthority }, more = {} }) => ({
    issuer: { url, certificateAuthority, audiences: ['me'] },
    claimMappings: subject,
    ...more
  }))
  const { jwt: made, errors } = validateConfiguration({ jwt })
  assert.deepEqual(errors.list, [])
  return made
}

interface Given {
  readonly issuers?: readonly { issuer: TestIssuer; more?: object }[]
  readonly clock?: FakeClock
  readonly metrics?: JwtMetrics
  readonly signingAlgorithms?: readonly string[]
}

const anyAlgorithm = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']

/** Starts an authenticator, and waits until it knows its issuers unless one is down. */
async function start(t: TestContext, given: Given = {}) {
  const { issuers = [{ issuer }], clock = new FakeClock(Date.now()), metrics = noMetrics } = given
  const { signingAlgorithms = anyAlgorithm } = given
  const log: string[] = []
  const logger = { ...silentLogger, error: (message: string) => void log.push(message) }
  const options = { jwt: compiled(...issuers), apiAudiences: ['api'], signingAlgorithms, clock, log: logger, metrics }
  const authenticator = new JwtAuthenticator(options)
  await authenticator.start()
  t.after(() => authenticator.stop())
  const user = async (token: string) => (await authenticator.authenticateToken(token))!.user
  return { authenticator, clock, log, user }
}

const refuses = (found: unknown, message: RegExp | string) =>
  assert.rejects(found as Promise<unknown>, error => {
    assert.ok(error instanceof TokenError, String(error))
    if (typeof message === 'string') assert.equal(error.message, message)
    else assert.match(error.message, message)
    return true
  })

let issuer: TestIssuer
let other: TestIssuer
before(async () => {
  issuer = await startIssuer()
  other = await startIssuer()
})
after(() => Promise.all([issuer.close(), other.close()]))

describe('a token of an issuer', () => {
  it('authenticates the user whom its claims describe', async t => {
    const { user } = await start(t)
    assert.deepEqual(await user(await issuer.token({ jti: 'x1' })), {
      name: 'jane',
      groups: [],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=x1'] }
    })
  })

  for (const algorithm of anyAlgorithm)
    it(`may be signed with ${algorithm}`, async t => {
      const signer = await startIssuer()
      t.after(() => signer.close())
      signer.keys[0] = makeKey('k', algorithm)
      const { user } = await start(t, { issuers: [{ issuer: signer }] })
      assert.equal((await user(await signer.token())).name, 'jane')
    })

  it('is left to others when it names another issuer, or none', async t => {
    const { authenticator } = await start(t)
    const tokens = ['', 'a', 'a.b', 'a.b.c', '{"a":1}', await other.token(), await issuer.token({ iss: undefined })]
    tokens.push(await signToken('[]', issuer.keys[0]!), await signToken('null', issuer.keys[0]!), await issuer.token({ iss: 5 }))
    tokens.push(`${await issuer.token()}.x`, 'x'.repeat(1_000_000), `${'.'.repeat(100_000)}`)
    for (const token of tokens) assert.equal(authenticator.authenticateToken(token), undefined, token.slice(0, 80))
  })

  it('is left to others when a review asks for audiences of others', async t => {
    const { authenticator } = await start(t)
    const token = await issuer.token()
    assert.equal(authenticator.authenticateToken(token, ['vault', 'me']), undefined)
    assert.equal((await authenticator.authenticateToken(token, ['vault', 'api']))!.user.name, 'jane')
  })

  it('is checked by its own issuer when there are several', async t => {
    const { user, authenticator } = await start(t, { issuers: [{ issuer }, { issuer: other }] })
    assert.equal((await user(await issuer.token({ sub: 'a' }))).name, 'a')
    assert.equal((await user(await other.token({ sub: 'b' }))).name, 'b')
    const mixed = await other.token({ iss: issuer.url })
    await refuses(authenticator.authenticateToken(mixed), /failed to verify id token signature$/)
  })
})

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const verifying = 'oidc: verify token: '
const algorithmProblem = (got: string) =>
  `${verifying}oidc: id token signed with unsupported algorithm, expected ["ES256" "ES384" "ES512" "PS256" "PS384" "PS512" "RS256" "RS384" "RS512"] got "${got}"`
const signatureProblem = `${verifying}failed to verify signature: failed to verify id token signature`

describe('a token is refused', () => {
  const tampered = async () => {
    const [header, , signature] = (await issuer.token()).split('.')
    return `${header}.${base64({ iss: issuer.url, aud: 'me', sub: 'admin', exp: inSeconds(60) })}.${signature}`
  }
  const unsigned = async (header: object, signature = '') => {
    const [, payload] = (await issuer.token()).split('.')
    return `${base64(header)}.${payload}.${signature}`
  }
  /** The public key, which everybody knows, as a secret. */
  const confused = async () => {
    const text = await unsigned({ alg: 'HS256', kid: 'one' })
    const secret = issuer.keys[0]!.publicKey.export({ type: 'spki', format: 'pem' })
    return `${text}${createHmac('sha256', secret).update(text.slice(0, -1)).digest('base64url')}`
  }
  const rows: [string, () => Promise<string>, string | RegExp][] = [
    ['with other claims than were signed', tampered, signatureProblem],
    ['without a signature', () => unsigned({ alg: 'ES256', kid: 'one' }), signatureProblem],
    ['with the algorithm none', () => unsigned({ alg: 'none' }), algorithmProblem('none')],
    ['without an algorithm', () => unsigned({}), algorithmProblem('')],
    ['with the public key as a secret', confused, algorithmProblem('HS256')],
    ['with an algorithm of another key', () => unsigned({ alg: 'RS256', kid: 'one' }, 'AAAA'), signatureProblem],
    ['with an unknown key', () => issuer.token({}, makeKey('unknown')), signatureProblem],
    ['with another key of the same id', () => issuer.token({}, makeKey('one')), signatureProblem],
    ['with the id of no key', () => issuer.token({}, issuer.keys[0], { kid: 'two' }), signatureProblem],
    ['with critical headers', () => unsigned({ alg: 'ES256', crit: ['x'], x: 1 }, 'AAAA'), signatureProblem],
    [
      'with a key id of the wrong type',
      () => unsigned({ alg: 'ES256', kid: 5 }),
      `${verifying}oidc: malformed jwt: failed to unmarshal key ID: json: cannot unmarshal number into Go value of type string: "5"`
    ],
    [
      'with a secret key in its header',
      () => unsigned({ alg: 'ES256', jwk: { kty: 'oct', k: 'AAAA' } }),
      `${verifying}oidc: malformed jwt: go-jose/go-jose: invalid embedded jwk, must be public key`
    ],
    [
      'with a signature that is no base64',
      () => unsigned({ alg: 'ES256' }, '!'),
      `${verifying}oidc: malformed jwt: illegal base64 data at input byte 0`
    ],
    [
      'that has expired',
      () => issuer.token({ exp: 1 }),
      `${verifying}oidc: token is expired (Token Expiry: 1970-01-01 00:00:01 +0000 UTC)`
    ],
    [
      'that never expires',
      () => issuer.token({ exp: undefined }),
      `${verifying}oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)`
    ],
    ['that expires beyond all times', () => issuer.token({ exp: 1e19 }), /token is expired/],
    ['that expired a moment ago', () => issuer.token({ exp: inSeconds(-2) }), /token is expired/],
    ['that is valid in two minutes', () => issuer.token({ nbf: inSeconds(120) }), /before the nbf \(not before\) time: /],
    ['for another audience', () => issuer.token({ aud: 'you' }), `${verifying}oidc: expected audience "me" got ["you"]`],
    ['for no audience', () => issuer.token({ aud: undefined }), `${verifying}oidc: expected audience "me" got []`],
    [
      'with an expiry of the wrong type',
      () => issuer.token({ exp: true }),
      `${verifying}oidc: failed to unmarshal claims: json: cannot unmarshal bool into Go struct field idToken.exp of type json.Number`
    ],
    ['without its user', () => issuer.token({ sub: undefined }), 'oidc: parse username claims "sub": claim not present']
  ]
  for (const [why, token, message] of rows)
    it(why, async t => {
      const { authenticator } = await start(t)
      await refuses(authenticator.authenticateToken(await token()), message)
    })

  it('with critical headers that are signed', async t => {
    const { authenticator } = await start(t)
    const { CompactSign } = await import('jose')
    const token = await new CompactSign(Buffer.from(JSON.stringify({ iss: issuer.url, aud: 'me', sub: 'x', exp: inSeconds(60) })))
      .setProtectedHeader({ alg: 'ES256', kid: 'one', crit: ['x'], x: 1 })
      .sign(issuer.keys[0]!.privateKey, { crit: { x: true } })
    await refuses(authenticator.authenticateToken(token), signatureProblem)
  })

  it('with an algorithm that is not allowed', async t => {
    const { authenticator } = await start(t, { signingAlgorithms: ['RS256'] })
    const message = `${verifying}oidc: id token signed with unsupported algorithm, expected ["RS256"] got "ES256"`
    await refuses(authenticator.authenticateToken(await issuer.token()), message)
  })
})

describe('a token is accepted', () => {
  const rows: [string, () => Promise<string>][] = [
    ['with one of several audiences', () => issuer.token({ aud: ['you', 'me'] })],
    ['that is valid in half a minute, because clocks differ', () => issuer.token({ nbf: inSeconds(30) })],
    ['with an expiry in a text', () => issuer.token({ exp: String(inSeconds(60)) })],
    ['without a key id', () => issuer.token({}, issuer.keys[0], { kid: undefined })]
  ]
  for (const [why, token] of rows)
    it(why, async t => {
      const { user } = await start(t)
      assert.equal((await user(await token())).name, 'jane')
    })

  it('for any audience of several', async t => {
    const more = {
      issuer: {
        url: issuer.url,
        certificateAuthority: issuer.certificateAuthority,
        audiences: ['a', 'me'],
        audienceMatchPolicy: 'MatchAny'
      }
    }
    const { user, authenticator } = await start(t, { issuers: [{ issuer, more }] })
    assert.equal((await user(await issuer.token())).name, 'jane')
    const wrong = authenticator.authenticateToken(await issuer.token({ aud: ['b', 'c'] }))
    await refuses(wrong, `${verifying}oidc: expected audience in ["a" "me"] got ["b" "c"]`)
  })
})

describe('the keys of an issuer', () => {
  const own = async (t: TestContext) => {
    const issuer = await startIssuer()
    t.after(() => issuer.close())
    return issuer
  }
  const fetches = ({ requests }: TestIssuer) => requests.filter(path => path === '/keys').length

  it('are fetched with the first token, once for all that wait', async t => {
    const issuer = await own(t)
    const { user } = await start(t, { issuers: [{ issuer }] })
    assert.equal(fetches(issuer), 0)
    const tokens = await Promise.all(['a', 'b', 'c'].map(sub => issuer.token({ sub })))
    const users = await Promise.all(tokens.map(user))
    assert.deepEqual(
      users.map(({ name }) => name),
      ['a', 'b', 'c']
    )
    await user(tokens[0]!)
    assert.equal(fetches(issuer), 1)
  })

  it('are fetched again when a token names a new one, and forgotten when the issuer drops them', async t => {
    const issuer = await own(t)
    const { user } = await start(t, { issuers: [{ issuer }] })
    const before = await issuer.token()
    await user(before)
    issuer.keys[0] = makeKey('two')
    assert.equal((await user(await issuer.token({ sub: 'new' }))).name, 'new')
    await refuses(user(before), signatureProblem)
    assert.equal(fetches(issuer), 3)
  })

  it('are kept for as long as the issuer says', async t => {
    const issuer = await own(t)
    const keys = JSON.stringify({ keys: [] })
    issuer.answers.set('/keys', (_, response) => response.setHeader('cache-control', 'public, max-age=120').end(keys))
    const { user, clock } = await start(t, { issuers: [{ issuer }] })
    await refuses(user(await issuer.token()), signatureProblem)
    issuer.answers.delete('/keys')
    clock.advance(89_000)
    await refuses(user(await issuer.token()), signatureProblem)
    assert.equal(fetches(issuer), 1)
    // half a minute before the end
    clock.advance(2_000)
    assert.equal((await user(await issuer.token())).name, 'jane')
  })

  it('verify while the issuer is away, and a token waits for none', async t => {
    const issuer = await own(t)
    const { user } = await start(t, { issuers: [{ issuer }] })
    const token = await issuer.token()
    await user(token)
    await issuer.close()
    assert.equal((await user(token)).name, 'jane')
    const unknown = await issuer.token({}, makeKey('two'))
    await refuses(
      user(unknown),
      /^oidc: verify token: failed to verify signature: fetching keys oidc: get keys failed Get "https:.*\/keys": dial tcp 127.0.0.1:\d+: connect: connection refused$/
    )
  })

  it('are all unreadable when one is', async t => {
    const issuer = await own(t)
    const fetching = `${verifying}failed to verify signature: fetching keys oidc: `
    for (const [answer, message] of [
      [
        '{"keys":[{"kty":"x"}]}',
        'failed to decode keys: got Content-Type = application/json, but could not unmarshal as JSON: go-jose/go-jose: unknown json web key type \'x\' {"keys":[{"kty":"x"}]}'
      ],
      [
        '{"keys":[{"kty":"RSA"}]}',
        'failed to decode keys: got Content-Type = application/json, but could not unmarshal as JSON: go-jose/go-jose: invalid RSA key, missing n/e values {"keys":[{"kty":"RSA"}]}'
      ]
    ]) {
      issuer.answers.set('/keys', answer!)
      const { user } = await start(t, { issuers: [{ issuer }] })
      await refuses(user(await issuer.token()), fetching + message)
    }
    issuer.answers.set('/keys', (_, response) => response.writeHead(500).end('broken'))
    const { user } = await start(t, { issuers: [{ issuer }] })
    await refuses(user(await issuer.token()), `${fetching}get keys failed: 500 Internal Server Error broken`)
  })

  it('do not verify when they are private or symmetric', async t => {
    const issuer = await own(t)
    const { exportJWK } = await import('jose')
    const key = { ...(await exportJWK(issuer.keys[0]!.privateKey)), kid: 'one' }
    issuer.answers.set('/keys', JSON.stringify({ keys: [key, { kty: 'oct', k: 'AAAA', kid: 'one' }] }))
    const { user } = await start(t, { issuers: [{ issuer }] })
    await refuses(user(await issuer.token()), signatureProblem)
  })
})

describe('an issuer', () => {
  it('that is down at the start is asked again every ten seconds', async t => {
    const issuer = await startIssuer()
    t.after(() => issuer.close())
    issuer.answers.set(discoveryPath, (_, response) => response.writeHead(503).end('later'))
    const { user, clock, log } = await start(t, { issuers: [{ issuer }] })
    await refuses(user(await issuer.token()), 'oidc: authenticator not initialized')
    assert.deepEqual(log, ['oidc authenticator: initializing plugin: 503 Service Unavailable: later'])
    issuer.answers.delete(discoveryPath)
    const asked = () => issuer.requests.filter(path => path === discoveryPath).length
    clock.advance(9_000)
    assert.equal(asked(), 1)
    clock.advance(1_000)
    while (asked() < 2) await new Promise(resolve => setImmediate(resolve))
    let name: string | undefined
    while (name === undefined)
      name = await user(await issuer.token()).then(
        ({ name }) => name,
        () => undefined
      )
    assert.equal(name, 'jane')
  })

  const problems: [string, string, RegExp][] = [
    [
      'says another name',
      '{"issuer":"https://x","jwks_uri":"https://x"}',
      /issuer did not match the issuer returned by provider, expected "https:.*" got "https:\/\/x"$/
    ],
    ['has no keys', '{"issuer":"URL"}', /provider did not return JWKS URL$/],
    [
      'is no JSON',
      'hello',
      /oidc: failed to decode provider discovery object: got Content-Type = application\/json, but could not unmarshal as JSON: /
    ]
  ]
  for (const [why, document, message] of problems)
    it(`is not used when its document ${why}`, async t => {
      const issuer = await startIssuer()
      t.after(() => issuer.close())
      issuer.answers.set(discoveryPath, document.replace('URL', issuer.url))
      const { user, log } = await start(t, { issuers: [{ issuer }] })
      assert.match(log[0]!, message)
      await refuses(user(await issuer.token()), 'oidc: authenticator not initialized')
    })

  it('is not trusted with a certificate of another authority', async t => {
    const { loadOrCreatePki } = await import('../../../transport/certificates/pki.js')
    const { ca } = await loadOrCreatePki({ servingNames: [], now: Date.now() })
    const more = { issuer: { url: issuer.url, audiences: ['me'], certificateAuthority: ca.certificate } }
    const { log } = await start(t, { issuers: [{ issuer, more }] })
    assert.match(log[0]!, /tls: failed to verify certificate: x509: certificate signed by unknown authority$/)
  })

  it('may be discovered elsewhere', async t => {
    const { url, certificateAuthority } = issuer
    other.answers.set('/found', JSON.stringify({ issuer: url, jwks_uri: `${other.url}/keys` }))
    const more = { issuer: { url, certificateAuthority, audiences: ['me'], discoveryURL: `${other.url}/found` } }
    const { user } = await start(t, { issuers: [{ issuer, more }] })
    assert.equal((await user(await issuer.token({}, other.keys[0]))).name, 'jane')
    await refuses(user(await issuer.token()), signatureProblem)
  })
})

describe('new issuers', () => {
  it('replace those before, whose tokens then are unknown; the same ones keep their keys', async t => {
    const { authenticator, user, clock } = await start(t)
    await user(await issuer.token())
    const asked = issuer.requests.length
    await authenticator.update(compiled({ issuer }, { issuer: other }))
    assert.equal((await user(await other.token())).name, 'jane')
    assert.equal((await user(await issuer.token())).name, 'jane')
    assert.equal(issuer.requests.length, asked)
    await authenticator.update(compiled({ issuer: other }))
    assert.equal(authenticator.authenticateToken(await issuer.token()), undefined)
    clock.advance(2 * minute)
    assert.equal((await user(await other.token())).name, 'jane')
  })

  it('change what their tokens mean', async t => {
    const { authenticator, user } = await start(t)
    const claimMappings = { ...subject, username: { claim: 'sub', prefix: 'x:' } }
    await authenticator.update(compiled({ issuer, more: { claimMappings } }))
    assert.equal((await user(await issuer.token())).name, 'x:jane')
  })

  it('are not used before all of them are ready, and given up after a minute', async t => {
    const late = await startIssuer()
    t.after(() => late.close())
    late.answers.set(discoveryPath, 'x')
    const { authenticator, user, clock } = await start(t)
    const update = authenticator.update(compiled({ issuer: late }))
    let failure: Error | undefined
    let isDone = false
    update.catch((error: Error) => (failure = error)).finally(() => (isDone = true))
    while (!isDone) {
      await new Promise(resolve => setImmediate(resolve))
      clock.advance(1_000)
    }
    assert.match(failure!.message, /^oidc: authenticator for issuer "https:.*" is not healthy: oidc: failed to decode provider/)
    assert.equal((await user(await issuer.token())).name, 'jane')
    assert.equal(authenticator.authenticateToken(await late.token()), undefined)
  })
})

describe('an update', () => {
  it('is given up when its signal aborts', async t => {
    const late = await startIssuer()
    t.after(() => late.close())
    late.answers.set(discoveryPath, () => {})
    const { authenticator, user } = await start(t)
    const stopping = new AbortController()
    const update = authenticator.update(compiled({ issuer: late }), stopping.signal)
    while (late.requests.length === 0) await new Promise(resolve => setImmediate(resolve))
    stopping.abort()
    await assert.rejects(update, /is not healthy/)
    assert.equal((await user(await issuer.token())).name, 'jane')
  })
})

describe('metrics of issuers', () => {
  it('count tokens, keys, and issuers that are no more', async t => {
    const seen: unknown[][] = []
    const metrics: JwtMetrics = {
      authenticated: (url, seconds, succeeded) => void seen.push([url, seconds >= 0, succeeded]),
      keysFetched: (url, text) => void seen.push([url, typeof text]),
      issuerRemoved: url => void seen.push([url, 'removed'])
    }
    const { authenticator, user, clock } = await start(t, { metrics })
    await user(await issuer.token())
    await refuses(user(await issuer.token({ exp: 1 })), /expired/)
    assert.deepEqual(seen.splice(0), [
      [issuer.url, 'string'],
      [issuer.url, true, true],
      [issuer.url, true, false]
    ])
    await authenticator.update([])
    clock.advance(minute + 20_000)
    assert.deepEqual(seen, [])
    clock.advance(20_000)
    assert.deepEqual(seen, [[issuer.url, 'removed']])
  })
})
