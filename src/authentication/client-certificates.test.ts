import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import { bitString, boolean, element, integer, oid, sequence } from '../certificates/der.js'
import { attributeOf, extension, signCertificate, toPem } from '../certificates/issue.js'
import { OID } from '../certificates/object-identifiers.js'
import { FakeClock } from '../testing/fake-clock.js'
import { certificateVerifier, commonNameOf } from './client-certificates.js'

const clock = new FakeClock()
const start = clock.now()
const day = 24 * 60 * 60 * 1000

interface Entity {
  readonly key: KeyObject
  readonly der: Buffer
}

/** Makes a certificate with these extensions. */
const make = (name: string, extensions: Buffer[], issuer?: Entity): Entity => {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
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
