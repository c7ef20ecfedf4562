/** Ways to sign in over real TLS: a webhook for tokens, an authenticating proxy, tokens of service accounts. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createServer } from '../../index.js'
import { type CertificateRequest, issueCertificate, toPem } from '../../transport/certificates/issue.js'
import { silentLogger } from '../../util/logger.js'
import { startWebhook, type TestWebhook } from '../webhook-server.js'

interface Entity {
  readonly key: KeyObject
  readonly certificate: Buffer
}

const make = (commonName: string, usage: CertificateRequest['usage'], issuer?: Entity): Entity => {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const request = { commonName, publicKey, notBefore: Date.now() - 1000, notAfter: Date.now() + 600_000, usage }
  return { key, certificate: issueCertificate(request, issuer ?? { key }) }
}

const keyPem = ({ key }: Entity) => key.export({ type: 'pkcs8', format: 'pem' }) as string

const proxyCA = make('proxies', 'ca')
const proxy = make('front', 'clientAuth', proxyCA)
const admin = { name: 'admin', groups: ['system:masters'] }

let directory: string
let webhook: TestWebhook
let server: ReturnType<typeof createServer>

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-authentication-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
  webhook = await startWebhook(({ spec: { token } }) => ({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    status: token.startsWith('hook-') ? { authenticated: true, user: { username: token.slice(5), groups: ['hooked'] } } : {}
  }))
  const kubeconfig = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c' } }],
    clusters: [{ name: 'c', cluster: { server: `${webhook.url}/review`, 'certificate-authority-data': webhook.caBundle } }]
  }
  server = createServer({
    log: silentLogger,
    controllers: [],
    authenticationTokenWebhookConfigFile: file('webhook.yaml', JSON.stringify(kubeconfig)),
    authenticationTokenWebhookVersion: 'v1',
    requestheaderClientCAFile: file('proxy.crt', toPem(proxyCA.certificate)),
    requestheaderAllowedNames: ['front'],
    requestheaderUsernameHeaders: ['X-Remote-User'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
    serviceAccountMaxTokenExpiration: 2 * 3_600_000,
    apiAudiences: ['api', 'other']
  })
  await server.start()
})
after(async () => {
  await server.stop()
  await webhook.close()
  rmSync(directory, { recursive: true })
})

/** Who the server says that we are. */
function whoAmI(headers: Record<string, string | string[]>, client?: Entity): Promise<any> {
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
  return new Promise((resolve, reject) => {
    const request = https.request(
      `${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        ca: server.caCertificate,
        agent: false,
        ...(client ? { cert: toPem(client.certificate), key: keyPem(client) } : {})
      },
      async response => {
        let text = ''
        for await (const chunk of response) text += chunk
        const { status } = JSON.parse(text)
        resolve(response.statusCode === 201 ? status.userInfo : response.statusCode)
      }
    )
    request.on('error', reject)
    request.end(body)
  })
}

describe('signing in', () => {
  it('with a token that the webhook knows, which is asked once', async () => {
    for (const _ of [1, 2]) {
      const user = await whoAmI({ authorization: 'Bearer hook-alice' })
      assert.deepEqual(user, { username: 'alice', groups: ['hooked', 'system:authenticated'] })
    }
    assert.equal(await whoAmI({ authorization: 'Bearer unknown' }), 401)
    assert.deepEqual(
      webhook.requests.map(({ spec }) => spec),
      [
        { token: 'hook-alice', audiences: ['api', 'other'] },
        { token: 'unknown', audiences: ['api', 'other'] }
      ]
    )
  })

  it('through a proxy with its certificate', async () => {
    const headers = { 'X-Remote-User': 'alice', 'X-Remote-Group': ['dev', 'ops'], 'X-Remote-Extra-Tenant': 'acme' }
    assert.deepEqual(await whoAmI(headers, proxy), {
      username: 'alice',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { tenant: ['acme'] }
    })
    assert.equal(await whoAmI(headers, make('front', 'clientAuth', make('proxies', 'ca'))), 401)
    assert.equal(await whoAmI(headers, make('other', 'clientAuth', proxyCA)), 401)
    assert.equal(await whoAmI({}, proxy), 401)
    assert.equal(await whoAmI(headers), 403)
  })
})

describe('tokens of service accounts', () => {
  const inject = async (method: string, url: string, body?: unknown) => {
    const answer = await server.inject({ method, url, body: body as never, user: admin })
    return { status: answer.status, warning: answer.headers.warning, body: JSON.parse(answer.body.toString()) }
  }
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
  const request = (spec: object) => inject('POST', '/api/v1/namespaces/default/serviceaccounts/bot/token', { spec })

  before(async () => {
    await inject('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'bot' } })
    const spec = { serviceAccountName: 'bot', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] }
    const created = await inject('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec })
    assert.equal(created.status, 201, JSON.stringify(created.body))
  })

  it('are for the audiences of the server', async () => {
    const { body } = await request({})
    assert.deepEqual(claimsOf(body.status.token).aud, ['api', 'other'])
    const user = await whoAmI({ authorization: `Bearer ${body.status.token}` })
    assert.equal(user.username, 'system:serviceaccount:default:bot')
    const vault = await request({ audiences: ['vault'] })
    assert.equal(await whoAmI({ authorization: `Bearer ${vault.body.status.token}` }), 401)
  })

  it('are not valid longer than the server allows', async () => {
    const { body, warning } = await request({ expirationSeconds: 86_400 })
    assert.equal(body.spec.expirationSeconds, 7200)
    const { exp, iat } = claimsOf(body.status.token)
    assert.equal(exp - iat, 7200)
    assert.deepEqual(warning, ['299 - "requested expiration of 86400 seconds shortened to 7200 seconds"'])
  })

  it('of Pods are valid for a year, whatever the server allows', async () => {
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p' }
    const extended = async (spec: object) => {
      const { body } = await request({ boundObjectRef, expirationSeconds: 3607, ...spec })
      const { exp, iat, 'kubernetes.io': about } = claimsOf(body.status.token)
      const told = Math.round((Date.parse(body.status.expirationTimestamp) - iat * 1000) / 1000)
      return [exp - iat, about.warnafter && about.warnafter - iat, told]
    }
    assert.deepEqual(await extended({}), [365 * 86_400, 3607, 3607])
    assert.deepEqual(await extended({ expirationSeconds: 3600 }), [3600, undefined, 3600])
    assert.deepEqual(await extended({ audiences: ['vault'] }), [3607, undefined, 3607])
    assert.deepEqual(await extended({ audiences: ['api', 'vault'] }), [3607, undefined, 3607])
    assert.deepEqual(await extended({ boundObjectRef: undefined }), [3607, undefined, 3607])
  })
})
