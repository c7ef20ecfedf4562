import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import tls from 'node:tls'
import { silentLogger } from '../util/logger.js'
import { createServer } from './server.js'
import { tlsSettings } from './tls-settings.js'

/** Connects, and returns what was agreed on. */
async function meet(url: string, options: tls.ConnectionOptions) {
  const { port } = new URL(url)
  return new Promise<{ version: string | null; cipher: string; protocol: string | false | null }>((resolve, reject) => {
    const socket = tls.connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve({ version: socket.getProtocol(), cipher: socket.getCipher().standardName, protocol: socket.alpnProtocol })
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

async function serving<T>(options: Parameters<typeof createServer>[0], use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer({ log: silentLogger, controllers: [], ...options })
  await server.start()
  try {
    return await use(server.url)
  } finally {
    await server.stop()
  }
}

describe('the settings of TLS', () => {
  it('limit the version', async () => {
    await serving({ tlsMinVersion: 'VersionTLS13' }, async url => {
      assert.equal((await meet(url, {})).version, 'TLSv1.3')
      await assert.rejects(meet(url, { maxVersion: 'TLSv1.2' }))
    })
    await serving({}, async url => {
      assert.equal((await meet(url, { maxVersion: 'TLSv1.2' })).version, 'TLSv1.2')
      await assert.rejects(meet(url, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }))
    })
  })

  it('choose the cipher suites of TLS 1.2, and the curves', async () => {
    const suite = 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'
    await serving({ tlsCipherSuites: [suite], tlsCurvePreferences: [24] }, async url => {
      assert.equal((await meet(url, { maxVersion: 'TLSv1.2' })).cipher, suite)
      assert.equal((await meet(url, {})).version, 'TLSv1.3')
      await assert.rejects(meet(url, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }))
      await assert.rejects(meet(url, { ecdhCurve: 'P-256' }))
    })
  })

  it('may leave HTTP/2 out', async () => {
    const ALPNProtocols = ['h2', 'http/1.1']
    await serving({ disableHttp2Serving: true }, async url =>
      assert.equal((await meet(url, { ALPNProtocols })).protocol, 'http/1.1')
    )
    await serving({}, async url => assert.equal((await meet(url, { ALPNProtocols })).protocol, 'h2'))
  })

  for (const [options, message] of [
    [{ tlsMinVersion: 'VersionTLS10' }, /^--tls-min-version "VersionTLS10" must be one of VersionTLS12, VersionTLS13$/],
    [{ tlsCipherSuites: ['TLS_RSA_WITH_RC4_128_SHA'] }, /^--tls-cipher-suites "TLS_RSA_WITH_RC4_128_SHA" must be one of TLS_/],
    [{ tlsCurvePreferences: [1] }, /^--tls-curve-preferences "1" must be one of 23, 24, 25, 29$/]
  ] as const)
    it(`are refused: ${Object.keys(options)[0]}`, () => assert.throws(() => tlsSettings(options), { message }))
})

describe('the header Strict-Transport-Security', () => {
  it('is sent when there are directives', async () => {
    const ask = async (directives: string[]) => {
      const server = createServer({ log: silentLogger, controllers: [], strictTransportSecurityDirectives: directives })
      await server.start()
      const { headers } = await server.inject({ url: '/healthz' })
      await server.stop()
      return headers['strict-transport-security']
    }
    assert.equal(await ask(['max-age=31536000', 'preload']), 'max-age=31536000; preload')
    assert.equal(await ask([]), undefined)
  })
})
