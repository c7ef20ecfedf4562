import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { type CertificateRequest, issueCertificate, toPem } from '../../transport/certificates/issue.js'
import type { AuthenticationResult } from './authenticator.js'
import { type RequestHeaderOptions, requestHeaderAuthenticator } from './request-header.js'
import { parseTokenFile } from './token-file.js'
import { createAuthenticator } from './union.js'

const day = 24 * 60 * 60 * 1000
const clock = new FakeClock()
const start = clock.now()

interface Entity {
  readonly key: KeyObject
  readonly certificate: Buffer
}

const make = (commonName: string, usage: CertificateRequest['usage'], issuer?: Entity): Entity => {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const request = { commonName, publicKey, notBefore: start, notAfter: start + 10 * day, usage }
  return { key, certificate: issueCertificate(request, issuer ?? { key }) }
}

const proxyCA = make('proxy-ca', 'ca')
const proxy = [make('front', 'clientAuth', proxyCA).certificate]
const clientCA = make('client-ca', 'ca')
const alice = [make('alice', 'clientAuth', clientCA).certificate]

const options: RequestHeaderOptions = {
  authorities: [toPem(proxyCA.certificate)],
  allowedNames: ['front'],
  usernameHeaders: ['X-Remote-User', ' x-other-user '],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group', 'X-More-Groups'],
  extraHeaderPrefixes: ['X-Remote-Extra-', 'X-More-']
}

const request = (raw: readonly string[], certificates: readonly Buffer[]) => {
  const headers: Record<string, string> = {}
  for (let i = 0; i < raw.length; i += 2) headers[raw[i]!.toLowerCase()] ??= raw[i + 1]!
  return { headers, rawHeaders: () => raw, peerCertificates: () => certificates }
}
const ask = (raw: readonly string[], certificates: readonly Buffer[] = proxy, more: Partial<RequestHeaderOptions> = {}) =>
  requestHeaderAuthenticator({ ...options, ...more }, clock)(request(raw, certificates))

describe('the authenticating proxy', () => {
  it('may name only the user', () => {
    assert.deepEqual(ask(['X-Remote-User', 'bob']), { user: { name: 'bob', groups: [] } })
  })

  it('names the user, the uid, the groups and extra values', () => {
    assert.deepEqual(
      ask([
        'X-Remote-User',
        'jos\xc3\xa9',
        'x-remote-uid',
        'u1',
        'X-REMOTE-GROUP',
        'dev',
        'x-more-groups',
        'ops',
        'X-Remote-Group',
        '',
        'X-Remote-Group',
        'admins, all',
        'X-Remote-Extra-Acme.com%2FProject',
        'a',
        'X-Remote-Extra-acme.com%2fproject',
        'b',
        'X-More-Acme.com%2FProject',
        'c',
        'X-Remote-Extra-50%',
        'd'
      ]),
      {
        user: {
          name: 'josé',
          uid: 'u1',
          groups: ['dev', 'admins, all', 'ops'],
          extra: { 'acme.com/project': ['a', 'b', 'c'], '50%': ['d'], groups: ['ops'] }
        }
      }
    )
  })

  it('names the user in the first header that has a value', () => {
    const name = (raw: readonly string[]) => (ask(raw) as any)?.user.name
    assert.equal(name(['X-Other-User', 'b', 'X-Remote-User', 'a']), 'a')
    assert.equal(name(['X-Other-User', 'b', 'X-Remote-User', '']), 'b')
    assert.equal(name(['X-Remote-User', 'first', 'X-Remote-User', 'second']), 'first')
    assert.equal(name(['X-Remote-Group', 'dev']), undefined)
    assert.equal(name(['X-Unknown-User', 'mallory']), undefined)
  })

  it('must show its certificate', () => {
    const headers = ['X-Remote-User', 'alice']
    assert.equal(ask(headers, []), undefined)
    assert.equal(ask(headers, alice), 'unauthorized')
    assert.equal(ask(headers, [make('front', 'serverAuth', proxyCA).certificate]), 'unauthorized')
    assert.equal(ask(headers, [make('other', 'clientAuth', proxyCA).certificate]), 'unauthorized')
    assert.notEqual(ask(headers, [make('other', 'clientAuth', proxyCA).certificate], { allowedNames: [] }), 'unauthorized')
  })

  it('must show a certificate that is still valid', () => {
    const later = new FakeClock(start + 11 * day)
    assert.equal(requestHeaderAuthenticator(options, later)(request(['X-Remote-User', 'alice'], proxy)), 'unauthorized')
  })

  it('keeps __proto__ an ordinary key', () => {
    const found = ask(['X-Remote-User', 'a', 'X-Remote-Extra-__proto__', 'x']) as any
    assert.deepEqual(Object.entries(found.user.extra), [['__proto__', ['x']]])
  })
})

describe('beside an authenticating proxy', () => {
  const tokens = [parseTokenFile('tokens.csv', 'bob-token,bob,u1\n')]
  const authenticator = createAuthenticator({
    requestHeader: options,
    clientCAs: [toPem(clientCA.certificate)],
    tokens,
    anonymous: true,
    clock
  })
  const name = (raw: readonly string[], certificates: readonly Buffer[] = []) => {
    const result = authenticator.authenticate(request(raw, certificates)) as AuthenticationResult
    return 'problems' in result ? 401 : result.user.name
  }
  const remote = ['X-Remote-User', 'mallory', 'X-Remote-Group', 'system:masters']
  const bearer = ['Authorization', 'Bearer bob-token']

  it('clients with certificates of their own are who they are', () => {
    assert.equal(name([], alice), 'alice')
    assert.equal(name(remote, alice), 'alice')
    assert.equal(name([...remote, ...bearer], alice), 'alice')
  })

  it('nobody else names a user', () => {
    assert.equal(name(remote), 'system:anonymous')
    assert.equal(name([...remote, ...bearer]), 'bob')
    assert.equal(name([...remote, 'Authorization', 'Bearer wrong']), 401)
  })

  it('the proxy needs a user to name, or a token', () => {
    assert.equal(name(remote, proxy), 'mallory')
    assert.equal(name([], proxy), 401)
    assert.equal(name(bearer, proxy), 'bob')
    assert.equal(name([...remote, ...bearer], proxy), 'mallory')
  })

  it('the users of the proxy are in system:authenticated', () => {
    const result: any = authenticator.authenticate(request(remote, proxy))
    assert.deepEqual(result.user.groups, ['system:masters', 'system:authenticated'])
  })
})
