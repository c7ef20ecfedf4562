import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, test } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { pemCertificates } from '../../transport/certificates/key-files.js'
import { silentLogger } from '../../util/logger.js'
import { portless } from '../testing/portless.js'
import { renewed, type ServingCertificates, WebhookCertificates } from './webhook-certificates.js'

const day = 24 * 60 * 60 * 1000
const now = Date.UTC(2026, 0, 1)
const names = ['school-webhooks.school.svc', '127.0.0.1']

describe('the certificate of webhooks', () => {
  test('is for their hosts, and signed by an authority of its own', () => {
    const { ca, certificate } = renewed(undefined, names, now)
    const [authority, leaf] = [new X509Certificate(ca), new X509Certificate(certificate)]
    assert.ok(leaf.verify(authority.publicKey) && leaf.checkIssued(authority) && authority.ca && !leaf.ca)
    assert.equal(leaf.checkHost(names[0]!), names[0])
    assert.equal(leaf.checkIP(names[1]!), names[1])
    assert.equal(leaf.checkHost('other.school.svc'), undefined)
  })

  test('stays until two thirds of its life are over, and then has the same authority', () => {
    const first = renewed(undefined, names, now)
    assert.equal(renewed(first, names, now + 240 * day), first)
    const second = renewed(first, names, now + 245 * day)
    assert.equal(second.ca, first.ca)
    assert.notEqual(second.certificate, first.certificate)
    assert.ok(new X509Certificate(second.certificate).verify(new X509Certificate(first.ca).publicKey))
  })

  test('has a new authority in time, and the one before is trusted until its end', () => {
    const first = renewed(undefined, names, now)
    const second = renewed(first, names, now + 2500 * day)
    const [authority, before, ...more] = pemCertificates(second.ca)
    assert.equal(more.length, 0)
    assert.equal(before, pemCertificates(first.ca)[0])
    assert.ok(new X509Certificate(second.certificate).verify(new X509Certificate(authority!).publicKey))
    assert.equal(pemCertificates(renewed(first, names, now + 4000 * day).ca).length, 1)
    assert.equal(renewed(second, names, now + 2501 * day), second)
  })

  test('is made again for other hosts, and when it cannot be used', () => {
    const first = renewed(undefined, names, now)
    assert.notEqual(renewed(first, [...names, 'new.school.svc'], now).certificate, first.certificate)
    const other = renewed(undefined, names, now)
    const wrong: Partial<ServingCertificates>[] = [
      { key: other.key },
      { caKey: other.caKey },
      { certificate: other.certificate, key: other.key },
      { ca: '' },
      { certificate: 'nonsense' }
    ]
    for (const part of wrong) {
      const next = renewed({ ...first, ...part }, names, now)
      assert.ok(new X509Certificate(next.certificate).verify(new X509Certificate(next.ca).publicKey))
    }
    assert.notEqual(renewed(first, names, now - 2 * day), first)
  })

  test('is shared by replicas through a Secret, also when they begin at once, when it is renewed, and when the Secret is deleted', async t => {
    const client = (await portless(t)).client()
    const clock = new FakeClock(Date.now())
    const secret = { client, name: 'school-webhooks', namespace: 'default' }
    const changes: string[] = []
    const replicas = ['a', 'b'].map(
      name =>
        new WebhookCertificates({
          names,
          secret,
          clock,
          log: silentLogger,
          changed: ({ certificate }) => void changes.push(`${name} ${certificate}`)
        })
    )
    t.after(() => {
      for (const replica of replicas) replica.stop()
    })
    const [a, b] = await Promise.all(replicas.map(replica => replica.start()))
    assert.deepEqual(a, b)
    const kept = await client.of('v1', 'Secret').get('school-webhooks')
    assert.deepEqual(
      [kept.type, Buffer.from(String(kept.data!['tls.crt']), 'base64').toString()],
      ['kubernetes.io/tls', a!.certificate]
    )

    const both = async () => {
      while (
        replicas[0]!.present!.certificate !== replicas[1]!.present!.certificate ||
        replicas[0]!.present!.certificate === a!.certificate
      )
        await new Promise(resolve => setTimeout(resolve, 5))
    }
    clock.advance(250 * day)
    await both()
    assert.equal(replicas[0]!.present!.ca, a!.ca)
    assert.equal(new Set(changes).size, 4)

    await client.of('v1', 'Secret').delete('school-webhooks')
    while ((await client.of('v1', 'Secret').find('school-webhooks')) === undefined)
      await new Promise(resolve => setTimeout(resolve, 5))
    while (replicas.some(replica => replica.present!.ca === a!.ca)) await new Promise(resolve => setTimeout(resolve, 5))
  })
})
