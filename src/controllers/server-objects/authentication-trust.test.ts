import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { issueCertificate, toPem } from '../../transport/certificates/issue.js'
import { silentLogger } from '../../util/logger.js'

const admin = { name: 'admin', groups: ['system:masters'] }
const url = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
const day = 24 * 60 * 60 * 1000

function authority(name: string, notAfter = Date.now() + day): string {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const request = { commonName: name, publicKey, notBefore: Date.now() - 2 * day, notAfter, usage: 'ca' as const }
  return toPem(issueCertificate(request, { key }))
}

let directory: string
const file = (name: string, text: string) => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-trust-'))
})
after(() => rmSync(directory, { recursive: true }))

type Server = ReturnType<typeof createServer>
const data = async (server: Server) => JSON.parse((await server.inject({ url, user: admin })).body.toString()).data
const until = (server: Server, holds: (data: any) => boolean): Promise<any> =>
  eventually(
    'the ConfigMap of trust is as wanted',
    () => data(server),
    found => found && holds(found)
  )

describe('the trust that extension API servers read', () => {
  it('has the authorities of clients and the settings of the proxy', async () => {
    const [clientCA, proxyCA] = [authority('clients'), authority('proxies')]
    const server = createServer({
      log: silentLogger,
      controllers: [],
      clientCAFile: file('client.crt', clientCA),
      requestheaderClientCAFile: file('proxy.crt', proxyCA),
      requestheaderAllowedNames: ['front'],
      requestheaderUsernameHeaders: ['X-Remote-User'],
      requestheaderGroupHeaders: ['X-Remote-Group'],
      requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
      requestheaderUidHeaders: ['X-Remote-Uid']
    })
    await server.start()
    try {
      const found = await until(server, () => true)
      assert.ok(found['client-ca-file'].includes(clientCA.trim()))
      assert.equal(found['client-ca-file'].split('BEGIN').length, 3)
      assert.equal(found['requestheader-client-ca-file'].trim(), proxyCA.trim())
      assert.equal(found['requestheader-allowed-names'], '["front"]')
      assert.equal(found['requestheader-username-headers'], '["X-Remote-User"]')
      assert.equal(found['requestheader-group-headers'], '["X-Remote-Group"]')
      assert.equal(found['requestheader-extra-headers-prefix'], '["X-Remote-Extra-"]')
      assert.equal(found['requestheader-uid-headers'], '["X-Remote-Uid"]')
      await server.inject({ method: 'DELETE', url, user: admin })
      await until(server, again => again['requestheader-allowed-names'] === '["front"]')
    } finally {
      await server.stop()
    }
  })

  it('joins what other servers have written, without what has expired', async () => {
    const server = createServer({ log: silentLogger, controllers: [] })
    await server.start()
    try {
      const own = (await until(server, () => true))['client-ca-file']
      // without --requestheader-client-ca-file, the authority that the server has made for its own front-proxy certificate
      assert.deepEqual((await data(server))['requestheader-allowed-names'], '["front-proxy-client"]')
      const [other, old] = [authority('other'), authority('old', Date.now() - day)]
      const body = { data: { 'client-ca-file': `${old}${other}nonsense`, 'requestheader-client-ca-file': other, colour: 'red' } }
      await server.inject({
        method: 'PATCH',
        url,
        user: admin,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { data: { ...body.data, 'requestheader-allowed-names': '["b"]', 'requestheader-group-headers': 'broken' } }
      })
      const found = await until(server, now => now['client-ca-file'].includes(own.trim()))
      assert.ok(found['client-ca-file'].includes(other.trim()))
      assert.ok(!found['client-ca-file'].includes(old.trim()))
      assert.equal(found['requestheader-allowed-names'], '["b","front-proxy-client"]')
      assert.equal(found['requestheader-group-headers'], '["X-Remote-Group"]')
      assert.equal(found.colour, 'red')
    } finally {
      await server.stop()
    }
  })
})
