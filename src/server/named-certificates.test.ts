import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import tls from 'node:tls'
import { loadOrCreatePki } from '../transport/certificates/pki.js'
import { silentLogger } from '../util/logger.js'
import { namedCertificates } from './named-certificates.js'
import { createServer } from './server.js'

const directory = mkdtempSync(join(tmpdir(), 'binnacle-sni-'))
after(() => rmSync(directory, { recursive: true }))

const certificates: Record<string, string> = {}

/** Writes a certificate for names, and returns its files as the flag takes them. */
async function pair(file: string, ...servingNames: string[]): Promise<string> {
  const { serving } = await loadOrCreatePki({ directory: undefined, servingNames, now: Date.now() })
  certificates[file] = serving.certificate
  writeFileSync(join(directory, `${file}.crt`), serving.certificate)
  writeFileSync(join(directory, `${file}.key`), serving.key)
  return `${join(directory, file)}.crt,${join(directory, file)}.key`
}

describe('certificates by host name', () => {
  let one: string
  let two: string
  before(async () => {
    one = await pair('one', 'one.example.com', 'both.example.com')
    two = await pair('two', 'two.example.com', 'both.example.com')
  })

  const chosen = async (pairs: string[], host: string) => {
    const found = (await namedCertificates(pairs))(host)
    return Object.keys(certificates).find(name => certificates[name] === found?.certificate)
  }

  it('have the names of the flag, or of the certificate', async () => {
    assert.equal(await chosen([one, two], 'two.example.com'), 'two')
    assert.equal(await chosen([one, two], 'TWO.example.com.'), 'two')
    assert.equal(await chosen([one, two], 'both.example.com'), 'one')
    assert.equal(await chosen([one, `${two}:both.example.com`], 'both.example.com'), 'two')
    assert.equal(await chosen([`${two}:a.example.com`], 'two.example.com'), undefined)
    assert.equal(await chosen([`${one}:*.example.com`, `${two}:a.example.com`], 'a.example.com'), 'two')
    assert.equal(await chosen([`${one}:*.example.com`], 'b.example.com'), 'one')
    assert.equal(await chosen([`${one}:*.example.com`], 'c.b.example.com'), undefined)
    assert.equal(await chosen([`${one}:*.example.com`], '__proto__'), undefined)
  })

  it('are refused with the flag and what is wrong', async () => {
    const [certificate] = one.split(',') as [string]
    await assert.rejects(namedCertificates([certificate]), {
      message: `--tls-sni-cert-key ${certificate}: expected comma separated certificate and key file paths`
    })
    await assert.rejects(namedCertificates([`${certificate},${directory}/two.key`]), /two\.key is not the key of .*one\.crt/)
    await assert.rejects(
      namedCertificates([`${certificate},${directory}/none.key`]),
      /--tls-sni-cert-key .*none\.key: no such file/
    )
  })

  it('are shown in the handshake', async () => {
    const server = createServer({ log: silentLogger, controllers: [], tlsSniCertKey: [one] })
    await server.start()
    const port = Number(new URL(server.url).port)
    const shown = async (servername: string) => {
      const socket = tls.connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      const { subjectaltname } = socket.getPeerCertificate()
      socket.destroy()
      return subjectaltname
    }
    assert.match(String(await shown('one.example.com')), /one\.example\.com/)
    assert.doesNotMatch(String(await shown('other.example.com')), /one\.example\.com/)
    await server.stop()
  })
})
