/** A user signs in at an OpenID provider, and kubectl shows the server the token. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpsServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type BinnacleServer, createServer, type ServerOptions } from '../../index.js'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { silentLogger } from '../../util/logger.js'
import { kubectlMissing } from './kubectl.js'

/** oidc-provider has no types of its own. */
interface ProviderClass {
  new (
    issuer: string,
    configuration: object
  ): { callback(): Parameters<typeof createHttpsServer>[1] & ((...args: never[]) => void) }
}

const client = { client_id: 'kubernetes', client_secret: 'secret', redirect: 'https://client.example.com/callback' }

interface Provider {
  readonly url: string
  readonly certificateAuthority: string
  /** Signs a user in as a browser would, and returns the ID token. */
  signIn(user: string): Promise<string>
}

async function startProvider(t: TestContext): Promise<Provider> {
  const { Provider } = (await import('oidc-provider' as string)) as { Provider: ProviderClass }
  const { serving } = await loadOrCreatePki({ servingNames: ['127.0.0.1'], now: Date.now() })
  const server = createHttpsServer({ cert: serving.certificate, key: serving.key })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: client.client_id,
        client_secret: client.client_secret,
        redirect_uris: [client.redirect],
        response_types: ['code'],
        grant_types: ['authorization_code']
      }
    ],
    pkce: { required: () => false },
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, groups: ['developers'] })
    })
  })
  server.on('request', provider.callback() as never)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url, certificateAuthority: serving.trust, signIn: user => signIn(url, serving.trust, user) }
}

/** Goes through the pages of the provider: log in, consent, and the exchange of the code. */
async function signIn(url: string, ca: string, user: string): Promise<string> {
  const cookies = new Map<string, string>()
  const send = (method: string, target: string, form?: Record<string, string>, authorization?: string) =>
    new Promise<{ status: number; location: string | undefined; text: string }>((resolve, reject) => {
      const body = form && new URLSearchParams(form).toString()
      const headers = {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(authorization ? { authorization } : {})
      }
      const request = httpsRequest(new URL(target, url), { method, ca, headers, agent: false }, async response => {
        for (const cookie of response.headers['set-cookie'] ?? []) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
          if (value === '') cookies.delete(name!)
          else cookies.set(name!, value!)
        }
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        resolve({ status: response.statusCode!, location: response.headers.location, text: Buffer.concat(chunks).toString() })
      })
      request.on('error', reject)
      request.end(body)
    })
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: client.redirect,
    response_type: 'code',
    scope: 'openid email'
  })
  let next = `/auth?${query}`
  for (let steps = 0; steps < 12 && !next.startsWith(client.redirect); steps++) {
    const page = await send('GET', next)
    if (page.location !== undefined) {
      next = page.location
      continue
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(page.text)![1]!
    const action = /action="([^"]+)"/.exec(page.text)![1]!
    const answered = await send('POST', action, prompt === 'login' ? { prompt, login: user, password: 'x' } : { prompt })
    next = answered.location!
  }
  const code = new URL(next).searchParams.get('code')!
  const basic = `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`
  const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirect }
  const { text } = await send('POST', '/token', form, basic)
  return JSON.parse(text).id_token
}

async function serve(t: TestContext, options: ServerOptions): Promise<BinnacleServer> {
  const server = createServer({ log: silentLogger, ...options })
  await server.start()
  t.after(() => server.stop())
  return server
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-openid-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const configuration = ({ url, certificateAuthority }: Provider) =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url, certificateAuthority, audiences: [client.client_id] },
        claimValidationRules: [{ expression: 'claims.email_verified == true', message: 'the address must be verified' }],
        claimMappings: {
          username: { expression: "'oidc:' + claims.email" },
          groups: { claim: 'groups', prefix: 'oidc:' },
          uid: { claim: 'sub' }
        },
        userValidationRules: [{ expression: "!user.username.startsWith('system:')" }]
      }
    ],
    anonymous: { enabled: true, conditions: [{ path: '/livez' }] }
  })

const whoAmI = {
  url: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
}

/** Asks until the server knows the issuer, which it discovers after its start. */
async function userOf(server: BinnacleServer, token: string) {
  for (;;) {
    const answer = await server.inject({ ...whoAmI, headers: { authorization: `Bearer ${token}` } })
    if (answer.status === 201) return answer.json().status.userInfo
    const review = await server.inject({
      url: '/apis/authentication.k8s.io/v1/tokenreviews',
      user: { name: 'admin', groups: ['system:masters'] },
      body: { spec: { token } }
    })
    assert.match(review.json().status.error ?? 'not initialized', /not initialized/)
  }
}

describe('a user of an OpenID provider', () => {
  test('is known by the claims of the ID token', async t => {
    const provider = await startProvider(t)
    const path = join(temporary(t), 'authentication.json')
    writeFileSync(path, configuration(provider))
    const server = await serve(t, { authenticationConfig: path })
    assert.deepEqual(await userOf(server, await provider.signIn('jane')), {
      username: 'oidc:jane@example.com',
      uid: 'jane',
      groups: ['oidc:developers', 'system:authenticated']
    })
    assert.equal((await server.inject({ url: '/livez' })).status, 200)
    assert.equal((await server.inject({ url: '/readyz' })).status, 401)
  })

  test('is known by the --oidc-* flags', async t => {
    const provider = await startProvider(t)
    const oidcCAFile = join(temporary(t), 'ca.crt')
    writeFileSync(oidcCAFile, provider.certificateAuthority)
    const oidc = { oidcIssuerURL: provider.url, oidcClientID: client.client_id, oidcCAFile, oidcGroupsClaim: 'groups' }
    const server = await serve(t, { ...oidc, oidcRequiredClaim: { email: 'jane@example.com' } })
    assert.deepEqual(await userOf(server, await provider.signIn('jane')), {
      username: `${provider.url}#jane`,
      groups: ['developers', 'system:authenticated']
    })
    const headers = { authorization: `Bearer ${await provider.signIn('joe')}` }
    assert.equal((await server.inject({ ...whoAmI, headers })).status, 401)
  })

  test('comes through kubectl with a plugin for credentials', { skip: kubectlMissing }, async t => {
    const provider = await startProvider(t)
    const directory = temporary(t)
    const path = join(directory, 'authentication.json')
    writeFileSync(path, configuration(provider))
    const server = await serve(t, { authenticationConfig: path })
    const token = await provider.signIn('jane')
    await userOf(server, token)
    const plugin = join(directory, 'credentials')
    const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } }
    writeFileSync(plugin, `#!/bin/sh\ncat <<'END'\n${JSON.stringify(credential)}\nEND\n`)
    chmodSync(plugin, 0o755)
    const kubeconfig = join(directory, 'kubeconfig')
    const exec = `exec:\n      apiVersion: client.authentication.k8s.io/v1\n      interactiveMode: Never\n      command: ${plugin}\n`
    writeFileSync(kubeconfig, server.kubeconfig().replace(/client-certificate-data: .*\n\s*client-key-data: .*\n/, exec))
    const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: directory }
    const output = await new Promise<string>((resolve, reject) => {
      execFile('kubectl', ['auth', 'whoami', '-o', 'json'], { env }, (error, stdout, stderr) =>
        error ? reject(new Error(stderr)) : resolve(stdout)
      )
    })
    assert.equal(JSON.parse(output).status.userInfo.username, 'oidc:jane@example.com')
  })
})
