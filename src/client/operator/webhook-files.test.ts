import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { kindRef } from '../../index.js'
import { freshDirectory } from '../../storage/testing/fresh-directory.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { silentLogger } from '../../util/logger.js'
import { portless } from '../testing/portless.js'
import { defineOperator } from './index.js'
import { runWebhooks } from './run-webhooks.js'
import { renewed } from './webhook-certificates.js'

const operator = defineOperator({
  name: 'school',
  reconcilers: [],
  webhooks: [{ kind: kindRef('v1', 'ConfigMap'), validate() {} }]
})

/** Returns the serial number of the certificate that a server shows. */
const shownAt = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!.serialNumber)
      socket.destroy()
    })
    socket.once('error', reject)
  })

describe('certificates that others write', () => {
  test('are read from their folder, and again when they are renewed', async t => {
    const folder = await freshDirectory(t)
    const clock = new FakeClock()
    const write = async ({ certificate, key }: { certificate: string; key: string }) => {
      await writeFile(join(folder, 'tls.crt'), certificate)
      await writeFile(join(folder, 'tls.key'), key)
    }
    const client = (await portless(t)).client()
    const needs = { client, namespace: 'school', isAlone: true, clock, log: silentLogger, metrics: new Metrics() }
    const run = () => runWebhooks(operator, { port: 0, certificates: folder }, needs)
    await assert.rejects(run(), /tls\.(crt|key): no such file/)

    await write(renewed(undefined, ['127.0.0.1'], clock.now()))
    const webhooks = await run()
    t.after(() => webhooks.stop())
    const before = await shownAt(webhooks.url)
    const next = renewed(undefined, ['127.0.0.1'], clock.now())
    await writeFile(join(folder, 'tls.crt'), next.certificate)
    await clock.pass(10_000)
    // half of a renewal is not used
    assert.equal(await shownAt(webhooks.url), before)
    await write(next)
    // files are read by the machine, not by the clock
    for (let tries = 0; tries < 100 && (await shownAt(webhooks.url)) === before; tries++) await clock.pass(10_000)
    assert.notEqual(await shownAt(webhooks.url), before)
  })
})
