import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { bitString, boolean, element, integer, oid, sequence } from '../../transport/certificates/der.js'
import { attributeOf, extension, signCertificate, toPem } from '../../transport/certificates/issue.js'
import { OID } from '../../transport/certificates/object-identifiers.js'
import { extensionForms } from '../../transport/certificates/testing/drafts.js'
import { makeCertificate, makeKeys, nameOf } from '../../transport/certificates/testing/make-certificate.js'
import { certificateVerifier, commonNameOf } from './client-certificates.js'

const clock = new FakeClock()
const start = clock.now()
const day = 24 * 60 * 60 * 1000

interface Entity {
  readonly key: KeyObject
  readonly der: Buffer
}

/** Makes a certificate with these extensions, and a key of its own unless one is given. */
const make = (name: string, extensions: Buffer[], issuer?: Entity, known?: KeyObject): Entity => {
  const key = known ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const publicKey = createPublicKey(key)
  const subject = sequence(element(0x31, attributeOf(OID.commonName, name)))
  const content = {
    subject,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    notBefore: start,
    notAfter: start + day
  }
  const by = issuer ? { key: issuer.key, certificate: issuer.der } : { key }
  return { key, der: signCertificate({ ...content, extensions }, by) }
}

const constraints = (ca: boolean, pathLength?: number) =>
  extension(
    OID.basicConstraints,
    true,
    sequence(...(ca ? [boolean(true)] : []), ...(pathLength === undefined ? [] : [integer(Buffer.of(pathLength))]))
  )
const keyUsage = (bits: number, unused: number) => extension(OID.keyUsage, true, bitString(Buffer.of(bits), unused))
const purposes = (...types: string[]) => extension(OID.extendedKeyUsage, false, sequence(...types.map(oid)))

const authority = (name: string, issuer?: Entity, pathLength?: number) => make(name, [constraints(true, pathLength)], issuer)
const client = (issuer: Entity, extensions: Buffer[] = []) => make('alice', extensions, issuer)

const trusts = (roots: readonly Entity[], presented: readonly Entity[]): boolean => {
  const verify = certificateVerifier(
    roots.map(({ der }) => toPem(der)),
    clock,
    commonNameOf
  )
  return verify({ headers: {}, rawHeaders: () => [], peerCertificates: () => presented.map(({ der }) => der) }) === 'alice'
}

describe('a chain of certificates', () => {
  for (const [lengths, good] of [
    [[undefined], true],
    [[0], true],
    [[undefined, undefined], true],
    [[0, undefined], false],
    [[1, undefined], true],
    [[undefined, 0], true],
    [[1, 0], true],
    [[0, 0], false],
    [[1, undefined, undefined], false],
    [[2, undefined, undefined], true],
    [[2, 1, 0], true],
    [[2, 0, undefined], false],
    [[undefined, 0, undefined], false],
    [[undefined, undefined, 0], true]
  ] as const)
    it(`is ${good ? 'trusted' : 'refused'} with path lengths ${lengths.map(length => length ?? 'of any number').join(', ')}`, () => {
      const authorities: Entity[] = []
      for (const [i, length] of lengths.entries()) authorities.push(authority(`ca-${i}`, authorities.at(-1), length))
      assert.equal(trusts([authorities[0]!], [client(authorities.at(-1)!), ...authorities.slice(1)]), good)
    })

  for (const [what, extensions, good] of [
    ['may sign certificates', [constraints(true), keyUsage(0x04, 2)], true],
    ['may sign other things', [constraints(true), keyUsage(0x80, 7)], false],
    ['does not say what its key is for', [constraints(true), keyUsage(0, 0)], true],
    ['is none', [constraints(false)], false],
    ['does not say whether it is one', [], false],
    ['is for servers', [constraints(true), purposes(OID.serverAuth)], false],
    ['is for clients', [constraints(true), purposes(OID.clientAuth)], true],
    ['is for everything', [constraints(true), purposes(OID.serverAuth, OID.anyExtendedKeyUsage)], true],
    ['has an unknown critical extension', [constraints(true), extension('1.2.3.4', true, sequence())], false],
    ['has an unknown extension', [constraints(true), extension('1.2.3.4', false, sequence())], true]
  ] as const)
    for (const [where, isRoot] of [
      ['trusted', true],
      ['presented', false]
    ] as const)
      it(`is ${good ? 'trusted' : 'refused'} when a ${where} authority ${what}`, () => {
        const root = authority('root')
        const between = make('between', [...extensions], root)
        assert.equal(trusts([isRoot ? between : root], [client(between), between]), good)
      })

  for (const [what, extensions, good] of [
    ['for clients', [purposes(OID.clientAuth)], true],
    ['for servers', [purposes(OID.serverAuth)], false],
    ['for servers and clients', [purposes(OID.serverAuth, OID.clientAuth)], true],
    ['for nothing in particular', [], true],
    ['with an unknown critical extension', [extension('1.2.3.4', true, sequence())], false]
  ] as const)
    it(`is ${good ? 'trusted' : 'refused'} for a client's certificate ${what}`, () => {
      const root = authority('root')
      const alice = client(root, [...extensions])
      assert.equal(trusts([root], [alice]), good)
      // it is as good or bad when it is trusted itself
      assert.equal(trusts([alice], [alice]), good)
    })

  it('may go through an authority with a new key, a new name or other names, signed by its former self', () => {
    const root = authority('root')
    const former = authority('ca', root)
    const named = [constraints(true), extension(OID.subjectAltName, false, sequence(element(0x82, Buffer.from('ca'))))]
    for (const next of [
      authority('ca', former),
      make('new', [constraints(true)], former, former.key),
      make('ca', named, former, former.key)
    ])
      assert.equal(trusts([root], [client(next), next, former]), true)
    const own = make('ca', named, root)
    assert.equal(trusts([root], [client(own), make('ca', [constraints(true)], own, own.key), own]), true)
  })

  it('does not go through an authority twice', () => {
    const root = authority('root', undefined, 1)
    const former = make('ca', [constraints(true)], root)
    const cross = make('ca', [constraints(true)], former, former.key)
    // signed by both editions, of which one is enough
    assert.equal(trusts([root], [client(former), cross, former]), true)
    const other = authority('other')
    assert.equal(trusts([other], [client(former), cross, former]), false)
  })

  it('is refused when a signature in it is by SHA-1, unless it is that of the authority that is trusted', () => {
    const keys = Array.from({ length: 3 }, () => makeKeys.ec('P-256'))
    const chain = (sha1: number) => {
      const names = ['root', 'between', 'alice'].map(name => nameOf([[OID.commonName, name]]))
      return [0, 1, 2].map(i =>
        makeCertificate({
          version: 3,
          serial: Buffer.of(1),
          issuer: names[Math.max(0, i - 1)]!,
          subject: names[i]!,
          notBefore: start,
          notAfter: start + day,
          keys: keys[i]!,
          signer: keys[Math.max(0, i - 1)]!,
          signature: { hash: i === sha1 ? 'sha1' : 'sha256' },
          extensions: new Map(i < 2 ? [[OID.basicConstraints, extensionForms.basicConstraints(true)]] : [])
        })
      )
    }
    for (const [sha1, good] of [
      [3, true],
      [0, true],
      [1, false],
      [2, false]
    ] as const) {
      const [root, between, alice] = chain(sha1).map(der => ({ der, key: undefined as never }))
      assert.equal(trusts([root!], [alice!, between!]), good, String(sha1))
    }
  })

  it('obeys the constraints that its authorities have for names', () => {
    const allowed = (text: string) =>
      extension(OID.nameConstraints, true, sequence(element(0xa0, sequence(element(0x82, Buffer.from(text))))))
    const named = (text: string) => extension(OID.subjectAltName, false, sequence(element(0x82, Buffer.from(text))))
    for (const [above, below, good] of [
      ['a', 'x.a', true],
      ['a', 'b', false]
    ] as const)
      for (const isRoot of [true, false]) {
        const root = make('root', [constraints(true), ...(isRoot ? [allowed(above)] : [])])
        // its own names are above its constraints
        const between = make('between', [constraints(true), ...(isRoot ? [] : [allowed(above), named('c')])], root)
        assert.equal(trusts([root], [client(between, [named(below)]), between]), good)
      }
  })

  it('agrees on policies', () => {
    const policy = (name: string) => extension(OID.certificatePolicies, false, sequence(sequence(oid(name))))
    const demanding = extension(OID.policyConstraints, true, sequence(element(0x80, Buffer.of(0))))
    const root = authority('root')
    const between = make('between', [constraints(true), policy('1.2.3'), demanding], root)
    assert.equal(trusts([root], [client(between, [policy('1.2.3')]), between]), true)
    assert.equal(trusts([root], [client(between, [policy('1.2.4')]), between]), false)
  })

  it('is looked for among 100 authorities of the same name, and no more', () => {
    const right = authority('twin')
    const twins = Array.from({ length: 100 }, () => authority('twin'))
    const alice = client(right)
    assert.equal(trusts([...twins.slice(1), right], [alice]), true)
    assert.equal(trusts([...twins, right], [alice]), false)
    const root = authority('root')
    const below = authority('twin', root)
    const bob = client(below)
    // the last of the 100 is the root
    assert.equal(trusts([root], [bob, ...twins.slice(2), below]), true)
    assert.equal(trusts([root], [bob, ...twins.slice(1), below]), false)
    assert.equal(trusts([root], [bob, ...twins, below]), false)
    assert.equal(trusts([root], [bob, ...new Array<Entity>(200).fill(twins[0]!), below]), true, 'the same one counts once')
  })

  it('is read only when it is trusted', () => {
    let read = 0
    const root = authority('root')
    const verify = certificateVerifier([toPem(root.der)], clock, () => ++read)
    const ask = (...presented: Buffer[]) => verify({ headers: {}, rawHeaders: () => [], peerCertificates: () => presented })
    assert.equal(ask(client(authority('root')).der), 'unauthorized')
    assert.equal(read, 0)
    assert.equal(ask(client(root).der), 1)
    assert.equal(ask(), undefined)
  })

  it('is refused when the reader throws', () => {
    const root = authority('root')
    const verify = certificateVerifier([toPem(root.der)], clock, () => {
      throw new Error('no good')
    })
    const presented = [client(root).der]
    assert.equal(verify({ headers: {}, rawHeaders: () => [], peerCertificates: () => presented }), 'unauthorized')
  })
})
