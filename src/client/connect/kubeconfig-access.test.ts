import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { discoveryPath, startIssuer } from '../../testkit/issuer.js'
import { type KubeconfigSource, kubeconfigAccess, kubeconfigFile, usualKubeconfigs } from './kubeconfig-access.js'

const clock = new FakeClock()

async function folder(t: test.TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'binnacle-kubeconfig-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}
const source = (text: string, directory = '/'): KubeconfigSource => ({ name: 'the file', text, directory })
const config = (user: unknown, cluster: object = {}) =>
  source(
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'team' } }],
      clusters: [{ name: 'k', cluster: { server: 'https://api.example:6443/base', ...cluster } }],
      users: [{ name: 'u', user }]
    })
  )
const accessOf = (...sources: KubeconfigSource[]) => kubeconfigAccess(sources, { clock })

describe('a kubeconfig', () => {
  test('names server, namespace, token and whom to act as', async () => {
    const user = { token: 'abc', as: 'alice', 'as-groups': ['devs'], 'as-user-extra': { 'a/b': ['c'] } }
    const { server, namespace, credentials, headers } = await accessOf(config(user))
    assert.equal(server.href, 'https://api.example:6443/base')
    assert.equal(namespace, 'team')
    assert.equal(await credentials.authorization(), 'Bearer abc')
    assert.deepEqual(headers, { 'impersonate-user': 'alice', 'impersonate-group': ['devs'], 'impersonate-extra-a%2Fb': ['c'] })
  })

  test('takes a user and a password', async () => {
    const { credentials } = await accessOf(config({ username: 'me', password: 'x' }))
    assert.equal(await credentials.authorization(), `Basic ${Buffer.from('me:x').toString('base64')}`)
  })

  test('is merged of several files: the first that names something counts, paths are those of its own file', async t => {
    const directory = await folder(t)
    await writeFile(join(directory, 'token'), 'from the file\n')
    const first = source('current-context: b\nusers: [{name: u, user: {tokenFile: token}}]\n', directory)
    const second = source(
      `
current-context: a
contexts: [{name: b, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://b.example"}}]
users: [{name: u, user: {token: never}}]
`
    )
    const { server, credentials } = await accessOf(first, second)
    assert.equal(server.host, 'b.example')
    assert.equal(await credentials.authorization(), 'Bearer from the file')
  })

  test('is found by KUBECONFIG, whose files need not all exist', async t => {
    const directory = await folder(t)
    await writeFile(join(directory, 'a'), 'kind: Config')
    const found = await usualKubeconfigs({ KUBECONFIG: `${join(directory, 'none')}:${join(directory, 'a')}` })
    assert.deepEqual(
      found.map(({ path }) => path),
      [join(directory, 'a')]
    )
  })

  test('says what is wrong with it', async () => {
    const refused: [KubeconfigSource, RegExp][] = [
      [source('kind: Config'), /^UserError: the file: no current-context/],
      [source('current-context: x'), /there is no context with the name "x"/],
      [source('kind: Pod'), /the file: /],
      [config({}, { server: 'api' }), /the file: server must be a URL like .*, not "api"/],
      [config({}, { 'proxy-url': 'ftp://x' }), /the file: proxy-url must be a URL that begins with/],
      [config({}, { 'certificate-authority': '/none/ca.crt' }), /certificate-authority \/none\/ca\.crt: no such file/],
      [config({}, { 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'eA==' }), /exclude each other/],
      [config({ 'client-certificate-data': 'eA==' }), /client-certificate and client-key need each other/],
      [config({ 'auth-provider': { name: 'gcp' } }), /the auth-provider "gcp" is unknown/],
      [config({ 'auth-provider': { name: 'oidc' } }), /idp-issuer-url is missing/],
      [config({ exec: { apiVersion: 'client.authentication.k8s.io/v1' } }), /exec\.command is missing/],
      [config({ exec: { command: 'x', apiVersion: 'v2' } }), /exec\.apiVersion must be .*, not "v2"/],
      [config({ exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'x' } }), /interactiveMode/]
    ]
    for (const [given, message] of refused) await assert.rejects(accessOf(given), message)
  })
})

describe('a credential plugin', () => {
  const plugin = async (t: test.TestContext, script: string, more: object = {}) => {
    const directory = await folder(t)
    const path = join(directory, 'plugin.mjs')
    await writeFile(
      path,
      `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(join(directory, 'runs'))}, '.')\n${script}`
    )
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: [path],
      interactiveMode: 'Never',
      ...more
    }
    const { credentials } = await accessOf(config({ exec }))
    const runs = async () => (await readFile(join(directory, 'runs'), 'utf8')).length
    return { credentials, runs }
  }
  const print = (status: string) =>
    `const given = JSON.parse(process.env.KUBERNETES_EXEC_INFO); console.log(JSON.stringify({ apiVersion: given.apiVersion, kind: 'ExecCredential', status: ${status} }))`

  test('is run once until its credentials expire, and after a 401', async t => {
    const expires = new Date(clock.now() + 60_000).toISOString()
    const { credentials, runs } = await plugin(
      t,
      print(`{ token: 'of ' + process.env.WHO, expirationTimestamp: '${expires}' }`),
      {
        env: [{ name: 'WHO', value: 'me' }]
      }
    )
    const found = await Promise.all([credentials.authorization(), credentials.authorization(), credentials.certificate()])
    assert.deepEqual(found, ['Bearer of me', 'Bearer of me', undefined])
    assert.equal(await runs(), 1)
    clock.advance(60_000)
    await credentials.authorization()
    assert.equal(await runs(), 2)
    assert.equal(await credentials.renew(), false)
    assert.equal(await runs(), 3)
  })

  test('is told of the cluster where it wants to know', async t => {
    const { credentials } = await plugin(t, print('{ token: given.spec.cluster.server }'), { provideClusterInfo: true })
    assert.equal(await credentials.authorization(), 'Bearer https://api.example:6443/base')
  })

  test('fails with words, and without what it printed', async t => {
    const failures: [string, RegExp][] = [
      ['console.log("secret"); process.exit(3)', /it ended with the exit code 3\nInstall it/],
      ['console.log("secret")', /did not print JSON$/],
      ['console.log(JSON.stringify({kind: "secret"}))', /printed no ExecCredential of client\.authentication\.k8s\.io\/v1$/],
      [print('{}'), /printed neither a token nor a client certificate$/],
      [print('{clientKeyData: "x"}'), /printed only one of/],
      [print('{token: 3}'), /an ExecCredential whose token is no string$/]
    ]
    for (const [script, message] of failures) {
      const { credentials } = await plugin(t, script, { installHint: 'Install it' })
      await assert.rejects(
        credentials.authorization(),
        (error: Error) => message.test(error.message) && !/secret/.test(error.message)
      )
    }
    const { credentials } = await accessOf(
      config({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'no-such-program' } })
    )
    await assert.rejects(credentials.authorization(), /no-such-program: the program does not exist/)
  })
})

describe('an OpenID Connect user', () => {
  test('gets another token when its own expires, and keeps it in the file', async t => {
    const issuer = await startIssuer(() => clock.now())
    t.after(() => issuer.close())
    const tokenUrl = `${issuer.url}/token`
    issuer.answers.set(discoveryPath, JSON.stringify({ issuer: issuer.url, token_endpoint: tokenUrl }))
    let form = ''
    const next = await issuer.token({ sub: 'next' })
    issuer.answers.set('/token', (request, response) => {
      request.on('data', piece => (form += piece))
      request.on('end', () => response.end(JSON.stringify({ id_token: next, refresh_token: 'r2' })))
    })
    const path = join(await folder(t), 'config')
    const old = await issuer.token({ exp: Math.floor(clock.now() / 1000) + 60 })
    await writeFile(
      path,
      `# mine
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://api.example"}}]
users:
- name: u # me
  user:
    auth-provider:
      name: oidc
      config:
        idp-issuer-url: ${issuer.url}
        idp-certificate-authority-data: ${Buffer.from(issuer.certificateAuthority).toString('base64')}
        client-id: kubernetes
        id-token: ${old}
        refresh-token: r1
`
    )
    await chmod(path, 0o600)
    const { credentials } = await accessOf(await kubeconfigFile(path))
    assert.equal(await credentials.authorization(), `Bearer ${old}`)
    clock.advance(51_000)
    assert.equal(await credentials.authorization(), `Bearer ${next}`)
    assert.equal(form, 'grant_type=refresh_token&refresh_token=r1&client_id=kubernetes')
    const written = await readFile(path, 'utf8')
    assert.match(written, /^# mine\n/)
    assert.ok(written.includes(`id-token: ${next}`) && written.includes('refresh-token: r2'))
    issuer.answers.set('/token', (_, response) => void response.writeHead(400).end('{"error":"secret"}'))
    clock.advance(4_000_000)
    await assert.rejects(credentials.authorization(), /the issuer answered 400$/)
  })
})
