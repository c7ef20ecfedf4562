import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { finishAuthority, prepareAuthority, type RemovableFiles, switchAuthority } from './authority-exchange.js'
import { issueCertificate, toPem } from './issue.js'
import { loadOrCreatePki } from './pki.js'
import { directoryFiles, memoryFiles } from './pki-files.js'

const folder = mkdtempSync(join(tmpdir(), 'binnacle-authority-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const dataDir = join(folder, 'data')
const pki = join(dataDir, 'pki')
const files: RemovableFiles = { ...directoryFiles(pki), remove: name => rm(join(pki, name), { force: true }) }

interface Credentials {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

function credentialsIn(kubeconfig: string): Credentials {
  const decode = (field: string) => Buffer.from(new RegExp(`${field}: (\\S+)`).exec(kubeconfig)![1]!, 'base64').toString()
  return {
    ca: decode('certificate-authority-data'),
    cert: decode('client-certificate-data'),
    key: decode('client-key-data')
  }
}

/** Starts the server anew. Returns its kubeconfig, and what others are answered: a status, or the code of an error of TLS. */
async function restarted(others: Readonly<Record<string, Credentials>>) {
  const server = createServer({ dataDir, log: silentLogger })
  await server.start()
  try {
    const own = credentialsIn(server.kubeconfig())
    const ask = (credentials: Credentials) =>
      new Promise<number | string>(resolve => {
        const url = `${server.url}/api/v1/namespaces/default/secrets`
        const request = https.get(url, { ...credentials, agent: false }, response => {
          response.resume()
          resolve(response.statusCode!)
        })
        request.on('error', error => resolve((error as NodeJS.ErrnoException).code ?? error.message))
      })
    const answers: Record<string, number | string> = { own: await ask(own) }
    for (const [name, credentials] of Object.entries(others)) answers[name] = await ask(credentials)
    return { own, answers }
  } finally {
    await server.stop()
  }
}

const authorities = ({ ca }: Credentials) => ca.split(/(?=-----BEGIN)/).map(pem => new X509Certificate(pem).subject)

test('clients that follow step by step are served at all times, and those of before until the end', async () => {
  const before = (await restarted({})).own
  assert.deepEqual(authorities(before), ['CN=binnacle-ca'])
  await assert.rejects(switchAuthority(files), UserError)
  await assert.rejects(finishAuthority(files), UserError)

  await prepareAuthority(files, Date.now())
  await assert.rejects(prepareAuthority(files, Date.now()), /is prepared already/)
  await assert.rejects(finishAuthority(files), UserError)
  const prepared = await restarted({ before })
  assert.deepEqual(prepared.answers, { own: 200, before: 200 })
  assert.match(authorities(prepared.own).join(), /^CN=binnacle-ca,CN=binnacle-ca-\d+$/)

  await switchAuthority(files)
  const switched = await restarted({ prepared: prepared.own, before })
  // who trusts the old authority alone is told so by TLS
  assert.deepEqual([switched.answers.own, switched.answers.prepared], [200, 200])
  assert.equal(typeof switched.answers.before, 'string')
  assert.match(authorities(switched.own).join(), /^CN=binnacle-ca-\d+,CN=binnacle-ca$/)
  assert.match(new X509Certificate(switched.own.cert).issuer, /^CN=binnacle-ca-\d+$/)
  await assert.rejects(prepareAuthority(files, Date.now()), /is to be finished first/)

  await finishAuthority(files)
  const finished = await restarted({ switched: switched.own, prepared: prepared.own })
  assert.deepEqual(finished.answers, { own: 200, switched: 200, prepared: 401 })
  assert.match(authorities(finished.own).join(), /^CN=binnacle-ca-\d+$/)
  for (const name of ['ca-next.crt', 'ca-next.key', 'ca-old.crt']) assert.ok(!existsSync(join(pki, name)), name)
})

test('a switch that was interrupted goes on', async () => {
  const texts = new Map<string, string>()
  let left = Number.POSITIVE_INFINITY
  const interrupt = () => {
    if (left-- <= 0) throw new Error('interrupted')
  }
  const inMemory: RemovableFiles = {
    path: name => name,
    read: async name => texts.get(name),
    async write(name, text) {
      interrupt()
      texts.set(name, text)
    },
    async remove(name) {
      interrupt()
      texts.delete(name)
    }
  }
  const load = () => loadOrCreatePki({ files: inMemory, servingNames: ['localhost'], now: Date.now() })
  for (let steps = 0; steps < 6; steps++) {
    texts.clear()
    left = Number.POSITIVE_INFINITY
    const { ca: first } = await load()
    await prepareAuthority(inMemory, Date.now())
    const next = texts.get('ca-next.crt')!
    left = steps
    await switchAuthority(inMemory).catch(() => {})
    left = Number.POSITIVE_INFINITY
    if (texts.has('ca-next.crt') && texts.has('ca-next.key')) await switchAuthority(inMemory)
    const after = await load()
    assert.equal(after.ca.certificate, next, `after ${steps} steps`)
    assert.deepEqual(after.clientCAs, [next, first.certificate])
  }
})

test('an authority that somebody else has made is theirs to exchange', async () => {
  const own = memoryFiles()
  const present = { ...own, remove: async () => {} }
  await assert.rejects(prepareAuthority(present, Date.now()), /no such file/)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const validity = { notBefore: Date.now() - 1000, notAfter: Date.now() + 1e9 }
  for (const commonName of ['corporate', 'binnacle-ca-of-mine']) {
    const foreign = issueCertificate({ commonName, usage: 'ca', publicKey, ...validity }, { key: privateKey })
    await own.write('ca.crt', toPem(foreign), false)
    await assert.rejects(prepareAuthority(present, Date.now()), /was not made by Binnacle/)
  }
})
