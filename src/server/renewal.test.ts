import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { eventually } from '../testkit/eventually.js'
import { FakeClock } from '../testkit/fake-clock.js'
import type { Pki } from '../transport/certificates/pki.js'
import { silentLogger } from '../util/logger.js'
import { openPki } from './open-pki.js'
import { Renewal } from './renewal.js'

const dayMs = 24 * 60 * 60 * 1000
const expiryOf = ({ serving }: Pki) => Date.parse(new X509Certificate(serving.certificate).validTo)

describe('the renewal of certificates', () => {
  it('tells when the certificate expires with which the server serves', async () => {
    const clock = new FakeClock()
    const pki = await openPki({}, clock)
    const used: Pki[] = []
    const renewal = new Renewal({}, { pki, clock, log: silentLogger, use: async renewed => void used.push(renewed) })
    assert.equal(renewal.expiry, expiryOf(pki))
    clock.advance(350 * dayMs)
    await renewal.reload()
    assert.equal(renewal.expiry, expiryOf(used[0]!))
    assert.ok(renewal.expiry! > expiryOf(pki))
    assert.equal(used[0]!.ca.certificate, pki.ca.certificate, 'clients go on trusting the authority')
  })

  it('logs what fails', async () => {
    const clock = new FakeClock()
    const errors: string[] = []
    const log = { ...silentLogger, error: (message: string) => void errors.push(message) }
    const use = async () => {
      throw new Error('no such file')
    }
    await new Renewal({}, { pki: await openPki({}, clock), clock, log, use }).reload()
    assert.deepEqual(errors, ['renewing the certificates failed: no such file'])
  })

  it('renews once when a clock jumps over many days', async () => {
    const clock = new FakeClock()
    const pki = await openPki({}, clock)
    let renewals = 0
    const renewal = new Renewal({}, { pki, clock, log: silentLogger, use: async () => void renewals++ })
    renewal.start()
    const renewed = (count: number) =>
      eventually(
        'the certificates are renewed',
        () => renewals,
        made => made >= count
      )
    clock.advance(20 * dayMs)
    assert.equal(await renewed(1), 1)
    clock.advance(dayMs)
    await renewed(2)
    await renewal.stop()
    assert.equal(renewals, 2)
  })
})
