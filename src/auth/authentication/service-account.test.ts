import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import { SignJWT } from 'jose'
import type { Registry } from '../../registry/registry.js'
import { ServiceAccountTokens } from '../../registry/tokens/service-account-tokens.js'
import { LocalSigner, StaticTokenKeys } from '../../registry/tokens/token-keys.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { TokenError } from './authenticator.js'
import { ServiceAccountAuthenticator } from './service-account.js'

const issuer = 'https://issuer.example.com'
const account = { metadata: { name: 'bot', namespace: 'n', uid: 'u1' } } as any
const pod = { metadata: { name: 'p', namespace: 'n', uid: 'p1' } } as any
const minute = 60_000

/** Makes an authenticator that sees these objects, by "resource/namespace/name". */
function setUp(
  objects: Record<string, any> = { 'serviceaccounts/n/bot': account, 'pods/n/p': pod },
  lookup = true,
  servesNodes = true
) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const clock = new FakeClock()
  const registry = {
    ifServed: ({ resource }: { resource: string }) =>
      resource === 'nodes' && !servesNodes
        ? undefined
        : { read: (namespace: string, name: string) => objects[`${resource}/${namespace}/${name}`] }
  } as unknown as Registry
  const used: string[] = []
  const options = {
    registry,
    clock,
    keys: new StaticTokenKeys([publicKey]),
    issuers: [issuer],
    apiAudiences: [issuer],
    lookup,
    markUsed: (_: unknown, day: string) => void used.push(day)
  }

  const tokens = new ServiceAccountTokens(new LocalSigner(privateKey), issuer, { maxSeconds: 0, extendedSeconds: 0 })
  const issue = (more: object = {}) =>
    tokens.issue({ account, audiences: [issuer], seconds: 600, bound: {}, now: clock.now(), id: 'id', ...more })
  return { authenticator: new ServiceAccountAuthenticator(options), clock, objects, issue, privateKey, used }
}

/** Makes a token with any claims, signed by the right key. */
const sign = (key: KeyObject, claims: object) =>
  new SignJWT({ iss: issuer, aud: [issuer], ...claims } as never).setProtectedHeader({ alg: 'ES256' }).sign(key)

const refuses = (promise: unknown, message: RegExp) =>
  assert.rejects(promise as Promise<unknown>, error => error instanceof TokenError && message.test(error.message))

describe("a service account's token", () => {
  it('authenticates its user, with the objects that it is bound to', async () => {
    const { authenticator, issue } = setUp()
    const found = await authenticator.authenticateToken(await issue({ bound: { pod } }))
    assert.equal(found!.user.name, 'system:serviceaccount:n:bot')
    assert.deepEqual(found!.user.groups, ['system:serviceaccounts', 'system:serviceaccounts:n'])
    assert.deepEqual(found!.user.extra, {
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['p1'],
      'authentication.kubernetes.io/credential-id': ['JTI=id']
    })
  })

  it('is valid only for its audiences', async () => {
    const { authenticator, issue } = setUp()
    const token = await issue({ audiences: ['vault'] })
    await refuses(authenticator.authenticateToken(token), /token audiences \["vault"\] is invalid for the target audiences/)
    assert.deepEqual((await authenticator.authenticateToken(token, ['vault', 'b']))!.audiences, ['vault'])
  })

  it('expires with its time, its account and its Pod, a minute late', async () => {
    const { authenticator, clock, objects, issue } = setUp()
    const token = await issue({ bound: { pod } })
    const deleted = (ago: number) => new Date(clock.now() - ago).toISOString()
    objects['pods/n/p'] = { metadata: { ...pod.metadata, deletionTimestamp: deleted(minute / 2) } }
    assert.ok(await authenticator.authenticateToken(token))
    objects['pods/n/p'] = { metadata: { ...pod.metadata, deletionTimestamp: deleted(2 * minute) } }
    await refuses(authenticator.authenticateToken(token), /has been invalidated/)
    objects['pods/n/p'] = { metadata: { ...pod.metadata, uid: 'p2' } }
    await refuses(authenticator.authenticateToken(token), /pod UID \(p2\) does not match/)
    objects['pods/n/p'] = pod
    await clock.advance(10 * minute + minute / 2)
    assert.ok(await authenticator.authenticateToken(token))
    await clock.advance(minute)
    await refuses(authenticator.authenticateToken(token), /has expired/)
    delete objects['serviceaccounts/n/bot']
    await refuses(authenticator.authenticateToken(await issue()), /serviceaccounts "bot" not found/)
  })

  it('is not valid before its time, nor when it comes from the future', async () => {
    const { authenticator, privateKey, clock } = setUp()
    const about = { namespace: 'n', serviceaccount: { name: 'bot', uid: 'u1' } }
    const seconds = clock.now() / 1000
    const ask = async (claims: object) =>
      authenticator.authenticateToken(
        await sign(privateKey, { sub: 'system:serviceaccount:n:bot', 'kubernetes.io': about, ...claims })
      )
    for (const claim of ['nbf', 'iat']) {
      assert.ok(await ask({ [claim]: seconds + 60 }))
      await refuses(ask({ [claim]: seconds + 61 }), claim === 'nbf' ? /is not valid yet/ : /is issued in the future/)
    }
    assert.ok(await ask({ exp: seconds - 60 }))
    await refuses(ask({ exp: seconds - 61 }), /has expired/)
  })

  it('tells the audit log of its use after the time that a Pod should have kept', async () => {
    const { authenticator, clock, issue } = setUp()
    const token = await issue({ bound: { pod }, seconds: 86_400, warnAfter: 3607 })
    clock.advance(3607 * 1000)
    assert.equal((await authenticator.authenticateToken(token))!.annotations, undefined)
    clock.advance(5000)
    assert.deepEqual((await authenticator.authenticateToken(token))!.annotations, {
      'authentication.k8s.io/stale-token': 'subject: system:serviceaccount:n:bot, seconds after warning threshold: 5'
    })
  })

  it('in a Secret is valid as long as the Secret and the account exist, if they are looked up', async () => {
    const key = 'kubernetes.io/serviceaccount/'
    const claims = {
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:n:bot',
      [`${key}namespace`]: 'n',
      [`${key}secret.name`]: 's',
      [`${key}service-account.name`]: 'bot',
      [`${key}service-account.uid`]: 'u1'
    }
    const looking = setUp()
    const token = await sign(looking.privateKey, claims)
    await refuses(looking.authenticator.authenticateToken(token), /Token has been invalidated/)
    const secret = (data: string) => ({ metadata: { name: 's' }, data: { token: Buffer.from(data).toString('base64') } })
    looking.objects['secrets/n/s'] = secret('another')
    await refuses(looking.authenticator.authenticateToken(token), /does not match server's copy/)
    looking.objects['secrets/n/s'] = secret(token)
    assert.deepEqual((await looking.authenticator.authenticateToken(token))!.annotations, {
      'authentication.k8s.io/legacy-token-manual-secret': 's'
    })
    looking.objects['serviceaccounts/n/bot'] = { ...account, secrets: [{ name: 's' }] }
    const generated = (await looking.authenticator.authenticateToken(token))!
    assert.deepEqual(generated.annotations, { 'authentication.k8s.io/legacy-token-autogenerated-secret': 's' })
    assert.equal(generated.warnings!.length, 1)

    const trusting = setUp({}, false)
    const found = await trusting.authenticator.authenticateToken(await sign(trusting.privateKey, claims))
    assert.equal(found!.user.name, 'system:serviceaccount:n:bot')
    await refuses(
      trusting.authenticator.authenticateToken(await sign(trusting.privateKey, { ...claims, sub: 'x' })),
      /sub claim is invalid/
    )
  })

  it('in a Secret is refused without a claim, for an account that is gone or another one, and when it is marked as invalid', async () => {
    const key = 'kubernetes.io/serviceaccount/'
    const claims = {
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:n:bot',
      [`${key}namespace`]: 'n',
      [`${key}secret.name`]: 's',
      [`${key}service-account.name`]: 'bot',
      [`${key}service-account.uid`]: 'u1'
    }
    const { authenticator, objects, privateKey, used, clock } = setUp()
    for (const [claim, problem] of [
      ['sub', /^sub claim is missing/],
      [`${key}namespace`, /^namespace claim is missing/],
      [`${key}secret.name`, /^secretName claim is missing/],
      [`${key}service-account.name`, /^serviceAccountName claim is missing/],
      [`${key}service-account.uid`, /^serviceAccountUID claim is missing/]
    ] as const)
      await refuses(authenticator.authenticateToken(await sign(privateKey, { ...claims, [claim]: '' })), problem)

    const token = await sign(privateKey, claims)
    const labels = (more: object) => ({
      metadata: { name: 's', labels: more },
      data: { token: Buffer.from(token).toString('base64') }
    })
    const put = (metadata: object) => {
      objects['serviceaccounts/n/bot'] = { metadata: { ...account.metadata, ...metadata } }
    }
    objects['secrets/n/s'] = labels({})
    delete objects['serviceaccounts/n/bot']
    await refuses(authenticator.authenticateToken(token), /serviceaccounts "bot" not found/)
    put({ deletionTimestamp: new Date(clock.now()).toISOString() })
    await refuses(authenticator.authenticateToken(token), /ServiceAccount n\/bot has been deleted/)
    put({ uid: 'u2' })
    await refuses(authenticator.authenticateToken(token), /ServiceAccount UID \(u2\) does not match claim \(u1\)/)
    put({})
    assert.deepEqual(used, [])
    clock.advance(1440 * minute - 1)
    const days = [0, 1, 2].map(days => new Date(clock.now() + days * 1440 * minute).toISOString().slice(0, 10))
    for (const [day, marks] of [
      [days[0], 0],
      [days[1], 0],
      [days[2], 1],
      [undefined, 2]
    ] as const) {
      objects['secrets/n/s'] = labels(day === undefined ? {} : { 'kubernetes.io/legacy-token-last-used': day })
      assert.equal((await authenticator.authenticateToken(token))!.user.extra, undefined)
      assert.deepEqual(used, new Array(marks).fill(days[0]))
    }
    objects['secrets/n/s'] = labels({ 'kubernetes.io/legacy-token-invalid-since': days[0] })
    await refuses(authenticator.authenticateToken(token), /has been marked invalid/)
    objects['secrets/n/s'] = { ...labels({}), metadata: { name: 's', deletionTimestamp: new Date(clock.now()).toISOString() } }
    await refuses(authenticator.authenticateToken(token), /Token has been invalidated/)
  })

  it('is refused for an account of the same name that is another one, or gone for a minute', async () => {
    const { authenticator, objects, issue, clock } = setUp()
    const token = await issue()
    const put = (metadata: object) => {
      objects['serviceaccounts/n/bot'] = { metadata: { ...account.metadata, ...metadata } }
    }
    put({ uid: 'u2' })
    await refuses(authenticator.authenticateToken(token), /service account UID \(u2\) does not match claim \(u1\)/)
    put({ deletionTimestamp: new Date(clock.now() - minute).toISOString() })
    assert.ok(await authenticator.authenticateToken(token))
    put({ deletionTimestamp: new Date(clock.now() - minute - 1).toISOString() })
    await refuses(authenticator.authenticateToken(token), /service account n\/bot has been deleted/)
  })

  it('is refused when the Secret or the node that it is bound to is gone or another one', async () => {
    const { authenticator, objects, privateKey } = setUp()
    for (const [part, key] of [
      ['secret', 'secrets/n/x'],
      ['node', 'nodes//x']
    ] as const) {
      const about = { namespace: 'n', serviceaccount: { name: 'bot', uid: 'u1' }, [part]: { name: 'x', uid: 'x1' } }
      const token = await sign(privateKey, { sub: 'system:serviceaccount:n:bot', 'kubernetes.io': about })
      await refuses(authenticator.authenticateToken(token), /has been invalidated/)
      objects[key] = { metadata: { name: 'x', uid: 'x2' } }
      await refuses(authenticator.authenticateToken(token), new RegExp(`${part} UID \\(x2\\) does not match`))
      objects[key] = { metadata: { name: 'x', uid: 'x1' } }
      const node = {
        'authentication.kubernetes.io/node-name': ['x'],
        'authentication.kubernetes.io/node-uid': ['x1']
      }
      const { user } = (await authenticator.authenticateToken(token))!
      assert.deepEqual(user.extra, part === 'node' ? node : undefined)
    }
  })

  it('is refused when its claims have the wrong types', async () => {
    const { authenticator, privateKey } = setUp()
    const about = { namespace: 'n', serviceaccount: { name: 'bot', uid: 'u1' } }
    const good = { sub: 'system:serviceaccount:n:bot', 'kubernetes.io': about }
    const ask = async (claims: object) => authenticator.authenticateToken(await sign(privateKey, { ...good, ...claims }))
    assert.equal((await ask({}))!.user.name, 'system:serviceaccount:n:bot')
    for (const claim of ['exp', 'nbf', 'iat'])
      for (const value of ['x', '99999999999', true, {}, [1]]) await refuses(ask({ [claim]: value }), /malformed claim/)
    for (const aud of [null, 5, {}, [issuer, 5], [[issuer]]]) await refuses(ask({ aud }), /malformed claim aud/)
    for (const value of [5, 'n', [], true]) await refuses(ask({ 'kubernetes.io': value }), /malformed claim/)
    for (const part of ['namespace', 'serviceaccount', 'pod', 'secret', 'node'])
      await refuses(ask({ 'kubernetes.io': { ...about, [part]: 5 } }), /malformed claim/)
    for (const part of ['pod', 'serviceaccount'])
      await refuses(ask({ 'kubernetes.io': { ...about, [part]: { name: {}, uid: 'u1' } } }), /malformed claim name/)
    for (const part of ['jti', 'sub']) await refuses(ask({ [part]: { length: 1 } }), /malformed claim/)
    for (const missing of [undefined, null]) await refuses(ask({ 'kubernetes.io': missing }), /serviceaccounts "" not found/)
    await refuses(ask({ exp: 0 }), /has expired/)
  })

  it('says which token it was, when it says so itself', async () => {
    const { authenticator, privateKey } = setUp()
    const about = { namespace: 'n', serviceaccount: { name: 'bot', uid: 'u1' } }
    const claims = { sub: 'system:serviceaccount:n:bot', 'kubernetes.io': about }
    const ask = async (more: object) => authenticator.authenticateToken(await sign(privateKey, { ...claims, ...more }))
    assert.equal((await ask({}))!.user.extra, undefined)
    assert.deepEqual((await ask({ jti: 'j' }))!.user.extra, { 'authentication.kubernetes.io/credential-id': ['JTI=j'] })
  })

  it('without audiences is for the server, and called a legacy token', async () => {
    const { authenticator, privateKey } = setUp()
    const about = { namespace: 'n', serviceaccount: { name: 'bot', uid: 'u1' } }
    const claims = { sub: 'system:serviceaccount:n:bot', 'kubernetes.io': about, aud: undefined }
    const token = await sign(privateKey, claims)
    for (const wanted of [undefined, ['vault', issuer]]) {
      const found = await authenticator.authenticateToken(token, wanted)
      assert.deepEqual(found!.audiences, [issuer])
      assert.deepEqual(found!.annotations, { 'authentication.k8s.io/legacy-token': claims.sub })
    }
    await refuses(authenticator.authenticateToken(token, ['vault']), /is invalid for the target audiences \["vault"\]$/)
    const named = await authenticator.authenticateToken(await sign(privateKey, { ...claims, aud: [issuer] }))
    assert.equal(named!.annotations, undefined)
    assert.equal((await authenticator.authenticateToken(await sign(privateKey, { ...claims, aud: issuer })))!.user.uid, 'u1')
  })

  it('is refused when it is bound to a kind of object that is not served', async () => {
    const { authenticator, privateKey, objects } = setUp(undefined, true, false)
    objects['nodes//x'] = { metadata: { name: 'x', uid: 'x1' } }
    const about = { namespace: 'n', serviceaccount: { name: 'bot', uid: 'u1' }, node: { name: 'x', uid: 'x1' } }
    const token = await sign(privateKey, { sub: 'system:serviceaccount:n:bot', 'kubernetes.io': about })
    await refuses(authenticator.authenticateToken(token), /has been invalidated/)
  })

  it('names the node of its Pod, with the uid if it has one', async () => {
    const { authenticator, privateKey } = setUp()
    const about = { namespace: 'n', serviceaccount: { name: 'bot', uid: 'u1' }, pod: { name: 'p', uid: 'p1' } }
    const extraOf = async (node: object) => {
      const claims = { sub: 'system:serviceaccount:n:bot', 'kubernetes.io': { ...about, node } }
      const { extra } = (await authenticator.authenticateToken(await sign(privateKey, claims)))!.user
      const { 'authentication.kubernetes.io/node-name': name, 'authentication.kubernetes.io/node-uid': uid } = extra as any
      return [name, uid]
    }
    assert.deepEqual(await extraOf({ name: 'x', uid: 'x1' }), [['x'], ['x1']])
    assert.deepEqual(await extraOf({ name: 'x' }), [['x'], undefined])
    assert.deepEqual(await extraOf({ uid: 'x1' }), [undefined, undefined])
  })

  it('is left to others when its issuer is unknown, and refused when its key is', async () => {
    const { authenticator } = setUp()
    const other = setUp()
    await refuses(authenticator.authenticateToken(await other.issue()), /invalid signature, no keys found/)
    assert.equal(authenticator.authenticateToken('a.b.c'), undefined)
    assert.equal(authenticator.authenticateToken('x'.repeat(1_000_000)), undefined)
  })
})
