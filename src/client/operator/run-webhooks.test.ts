import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import { freshDirectory } from '../../storage/testing/fresh-directory.js'
import { eventually } from '../../testkit/eventually.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { portless } from '../testing/portless.js'
import { runWebhooks } from './run-webhooks.js'
import { renewed } from './webhook-certificates.js'

const operator = { name: 'school', reconcilers: [], webhooks: [{ kind: { apiVersion: 'v1', kind: 'ConfigMap' }, validate() {} }] }
const made = () => renewed(undefined, ['127.0.0.1'], Date.now())
const serialOf = ({ certificate }: { certificate: string }) => new X509Certificate(certificate).serialNumber

/** Replaces the files as a kubelet does, or only one of them. */
async function put(folder: string, { certificate, key }: { certificate?: string; key?: string }): Promise<void> {
  for (const [name, text] of [['tls.crt', certificate] as const, ['tls.key', key] as const]) {
    if (text === undefined) continue
    await writeFile(join(folder, `${name}.new`), text)
    await rename(join(folder, `${name}.new`), join(folder, name))
  }
}

async function start(t: TestContext, folder: string) {
  const client = (await portless(t)).client()
  const clock = new FakeClock()
  const warnings: string[] = []
  const log = { error() {}, info() {}, warn: (text: string) => void warnings.push(text) }
  const needs = { client, namespace: 'default', isAlone: false, clock, log, metrics: new Metrics(undefined, false) }
  const running = await runWebhooks(operator, { port: 0, certificates: folder }, needs)
  t.after(() => running.stop())
  /** The serial number of the certificate that a client is shown now. */
  const shown = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(running.url).port), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().serialNumber)
        socket.destroy()
      })
      socket.on('error', reject)
    })
  return { running, client, clock, warnings, shown }
}

describe('webhooks with certificates of cert-manager', () => {
  test('serve with the files of the folder, make no certificate, and put no authority into configurations', async t => {
    const folder = await freshDirectory(t)
    const first = made()
    await put(folder, first)
    const { running, client, shown } = await start(t, folder)
    assert.equal(await shown(), serialOf(first))
    await running.inject()
    assert.equal((await client.of('v1', 'Secret').list()).items.length, 0)
  })

  test('serve with new files after 10 s, and keep the old certificate while only one file is new', async t => {
    const folder = await freshDirectory(t)
    const [first, second, third] = [made(), made(), made()]
    await put(folder, first)
    const { clock, warnings, shown } = await start(t, folder)
    await put(folder, second)
    await clock.pass(9_000)
    assert.equal(await shown(), serialOf(first))
    const reread = (what: string, isDone: () => Promise<boolean> | boolean) =>
      eventually(what, async () => {
        await clock.pass(10_000)
        return isDone()
      })
    await reread('the second certificate is shown', async () => (await shown()) === serialOf(second))
    await put(folder, { certificate: third.certificate })
    await reread('the half renewal is noticed', () => warnings.length > 0)
    assert.match(warnings[0]!, /^webhooks: the certificate cannot be read again: .*key values mismatch/)
    assert.equal(await shown(), serialOf(second))
    await put(folder, { key: third.key })
    await reread('the third certificate is shown', async () => (await shown()) === serialOf(third))
  })

  test('say which file is missing', async t => {
    const folder = await freshDirectory(t)
    await put(folder, { certificate: made().certificate })
    await assert.rejects(start(t, folder), {
      name: 'UserError',
      message: `${join(folder, 'tls.key')}: no such file or directory`
    })
  })
})
