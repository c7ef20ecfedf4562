import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { bitString, sequence, TAG } from '../../transport/certificates/der.js'
import { DerCursor } from '../../transport/certificates/der-cursor.js'
import { type CertificateRequest, signCertificate, toPem } from '../../transport/certificates/issue.js'
import { nameOf as subjectOf } from '../../transport/certificates/testing/make-certificate.js'
import { day, type Entity, makeEntity, start } from '../../transport/certificates/testing/make-entity.js'
import type { Authenticated } from './authenticator.js'
import { x509Authenticator } from './x509.js'

const make = (commonName: string, more: Partial<CertificateRequest> = {}, issuer?: Entity): Entity =>
  makeEntity({ commonName, usage: 'clientAuth', ...more }, issuer)

/** Makes a certificate of X.509 version 1 from the parts of another, without version and extensions. */
const versionOne = (commonName: string, issuer?: Entity): Entity => {
  const { key, certificate } = make(commonName, {}, issuer)
  const whole = new DerCursor(certificate).in(TAG.sequence)
  const body = whole.in(TAG.sequence)
  const raw: Buffer[] = []
  while (!body.isEmpty) {
    const part = body.any()
    if (part.tag !== 0xa0 && part.tag !== 0xa3) raw.push(part.raw)
  }
  const content = sequence(...raw)
  const signed = bitString(sign('sha256', content, issuer?.key ?? key))
  return { key, certificate: sequence(content, whole.any().raw, signed) }
}

const ca = make('ca', { usage: 'ca' })
const intermediate = make('intermediate', { usage: 'ca' }, ca)

const ask = (
  presented: readonly Entity[],
  options: { roots?: Entity[]; now?: number } = {}
): Authenticated | 'unauthorized' | undefined => {
  const { roots = [ca], now = start + day } = options
  const chain = presented.map(entity => entity.certificate)
  return x509Authenticator(
    roots.map(root => toPem(root.certificate)),
    { now: () => now, setTimeout: () => assert.fail() }
  )({ headers: {}, rawHeaders: () => [], peerCertificates: () => chain })
}
const nameOf = (result: Authenticated | 'unauthorized' | undefined): string | undefined =>
  typeof result === 'object' ? result.user.name : result

describe('client certificates', () => {
  it('take the user from the common name and the groups from the organizations', () => {
    const alice = make('alice', { organizations: ['dev', 'ops'] }, ca)
    const fingerprint = createHash('sha256').update(alice.certificate).digest('hex')
    assert.deepEqual(ask([alice]), {
      user: {
        name: 'alice',
        groups: ['dev', 'ops'],
        extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] }
      }
    })
  })

  it('take a common name that looks like several names as one', () => {
    const name = 'alice\nO=system:masters, O=system:masters/O=system:masters'
    const result = ask([make(name, {}, ca)])
    assert.ok(typeof result === 'object')
    assert.equal(result.user.name, name)
    assert.deepEqual(result.user.groups, [])
  })

  it('are ignored when they have no common name', () => {
    assert.equal(ask([]), undefined)
    assert.equal(ask([make('', {}, ca)]), undefined)
  })

  it('have at most one user id, which is not empty', () => {
    const certificate = (...values: string[]): Entity => {
      const attributes = [...values.map(value => ['1.3.6.1.4.1.57683.2', value] as const), ['2.5.4.3', 'alice'] as const]
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const content = {
        subject: subjectOf(attributes),
        publicKey: publicKey.export({ type: 'spki', format: 'der' }),
        notBefore: start,
        notAfter: start + 10 * day,
        extensions: []
      }
      return { key: ca.key, certificate: signCertificate(content, ca) }
    }
    const uid = (...values: string[]) => ask([certificate(...values)])
    const [one, none] = [uid('u1'), uid()]
    assert.ok(typeof one === 'object' && typeof none === 'object')
    assert.equal(one.user.uid, 'u1')
    assert.equal('uid' in none.user, false)
    assert.equal(uid(''), 'unauthorized')
    assert.equal(uid('u1', 'u2'), 'unauthorized')
    // without the gate AllowParsingUserUIDFromCertAuth, nobody looks at them
    const peerCertificates = () => [certificate('u1', 'u2').certificate]
    const clock = { now: () => start + day, setTimeout: () => assert.fail() }
    const found = x509Authenticator([toPem(ca.certificate)], clock, { uids: false })({
      headers: {},
      rawHeaders: () => [],
      peerCertificates
    })
    assert.ok(typeof found === 'object')
    assert.deepEqual([found.user.name, found.user.uid], ['alice', undefined])
  })

  it('are trusted through an intermediate that the client sends or the server knows', () => {
    const alice = make('alice', {}, intermediate)
    assert.equal(nameOf(ask([alice, intermediate])), 'alice')
    assert.equal(nameOf(ask([alice, intermediate, ca])), 'alice')
    assert.equal(nameOf(ask([alice], { roots: [intermediate] })), 'alice')
    assert.equal(ask([alice]), 'unauthorized')
  })

  it('are trusted when they are themselves configured', () => {
    const alice = make('alice')
    assert.equal(nameOf(ask([alice], { roots: [alice] })), 'alice')
  })

  it('are refused when another authority of the same name signed them', () => {
    const impostor = make('ca', { usage: 'ca' })
    assert.equal(ask([make('alice', {}, impostor)]), 'unauthorized')
    assert.equal(ask([make('alice', {}, impostor), impostor]), 'unauthorized')
    assert.equal(nameOf(ask([make('alice', {}, ca)], { roots: [impostor, ca] })), 'alice')
  })

  it('are refused when a client certificate signed them', () => {
    const alice = make('alice', {}, ca)
    assert.equal(ask([make('system:admin', {}, alice), alice]), 'unauthorized')
  })

  it('are refused when they are for servers', () => {
    assert.equal(ask([make('alice', { usage: 'serverAuth' }, ca)]), 'unauthorized')
  })

  it('are refused outside of their own validity and that of their authorities', () => {
    const alice = make('alice', { notBefore: start - day, notAfter: start + 30 * day }, ca)
    assert.equal(ask([alice], { now: start - 1 }), 'unauthorized')
    assert.equal(nameOf(ask([alice], { now: start })), 'alice')
    assert.equal(ask([alice], { now: start + 10 * day + 1 }), 'unauthorized')
    const brief = make('brief', { usage: 'ca', notAfter: start + day }, ca)
    const bob = make('bob', {}, brief)
    assert.equal(nameOf(ask([bob, brief], { now: start + day })), 'bob')
    assert.equal(ask([bob, brief], { now: start + day + 1 }), 'unauthorized')
  })

  it('expire on a connection that stays open', () => {
    let now = start
    const authenticator = x509Authenticator([toPem(ca.certificate)], { now: () => now, setTimeout: () => assert.fail() })
    const chain = [make('alice', {}, ca).certificate]
    const request = { headers: {}, rawHeaders: () => [], peerCertificates: () => chain }
    const first = authenticator(request)
    assert.equal(authenticator(request), first)
    now += 11 * day
    assert.equal(authenticator(request), 'unauthorized')
  })

  it('are refused when they are broken', () => {
    const alice = make('alice', {}, ca)
    const broken = { ...alice, certificate: Buffer.from(alice.certificate) }
    broken.certificate[broken.certificate.length - 1]! ^= 1
    assert.equal(ask([broken]), 'unauthorized')
    assert.equal(ask([{ ...alice, certificate: Buffer.from('rubbish') }]), 'unauthorized')
    assert.equal(ask([alice, { ...alice, certificate: Buffer.from('rubbish') }]), 'unauthorized')
    assert.equal(nameOf(ask([alice, ...new Array<Entity>(200).fill(intermediate)])), 'alice')
  })

  it('are trusted when a configured root of version 1 signed them, but not through an intermediate of version 1', () => {
    const old = versionOne('old')
    const alice = make('alice', {}, old)
    assert.equal(nameOf(ask([alice], { roots: [old] })), 'alice')
    assert.equal(ask([alice]), 'unauthorized')
    const between = versionOne('between', ca)
    assert.equal(ask([make('alice', {}, between), between]), 'unauthorized')
    const below = make('alice', {}, make('below', { usage: 'ca' }, old))
    assert.equal(ask([below], { roots: [old] }), 'unauthorized')
  })

  it('are refused when a configured root of version 3 that is no authority signed them', () => {
    const leaf = make('leaf')
    assert.equal(ask([make('alice', {}, leaf)], { roots: [leaf] }), 'unauthorized')
  })

  it('cost little to refuse when any intermediate could have signed any other', () => {
    const twins = Array.from({ length: 9 }, () => make('twin', { usage: 'ca' }))
    const alice = make('alice', {}, twins[0])
    assert.equal(ask([alice, ...twins]), 'unauthorized')
  })
})
