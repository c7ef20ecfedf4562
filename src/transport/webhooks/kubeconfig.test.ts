import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { loadOrCreatePki } from '../certificates/pki.js'
import { loadKubeconfig, parseKubeconfig } from './kubeconfig.js'

let directory: string
let ca: string

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-kubeconfig-'))
  ca = (await loadOrCreatePki({ directory: undefined, servingNames: ['127.0.0.1'], now: Date.now() })).serving.trust
  writeFileSync(join(directory, 'ca.crt'), ca)
})
after(() => rmSync(directory, { recursive: true }))

const text = (cluster: object, user: object = {}) =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'remote', user: 'me' } }],
    clusters: [{ name: 'remote', cluster }],
    users: [{ name: 'me', user }]
  })
const parse = (cluster: object, user?: object) => parseKubeconfig('--config c.yaml', text(cluster, user), directory)
const server = 'https://127.0.0.1:8443/authorize'

describe('the kubeconfig of a webhook', () => {
  it('names a server and its authority, by content or by a file beside it', async () => {
    const inline = await parse({ server, 'certificate-authority-data': Buffer.from(ca).toString('base64') })
    const byFile = await parse({ server, 'certificate-authority': 'ca.crt', 'tls-server-name': 'hooks' })
    assert.deepEqual([inline.server, inline.ca, byFile.ca, byFile.serverName], [server, ca, ca, 'hooks'])
  })

  it('has credentials', async () => {
    assert.equal((await parse({ server }, { token: 't' })).token, 't')
    assert.equal((await parse({ server }, { tokenFile: 'token' })).tokenFile, join(directory, 'token'))
    assert.equal((await parse({ server }, { username: 'u', password: 'p' })).basic, 'u:p')
    const { headers } = await parse({ server }, { as: 'alice', 'as-groups': ['g'], 'as-user-extra': { 'a/b': ['1', '2'] } })
    assert.deepEqual(headers, { 'impersonate-user': 'alice', 'impersonate-group': ['g'], 'impersonate-extra-a%2Fb': ['1', '2'] })
  })

  it('may be YAML with fields that nobody knows', async () => {
    const yaml = `apiVersion: v1\nkind: Config\ncolour: red\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: a}}]\nclusters: [{name: a, cluster: {server: "${server}"}}]\n`
    assert.equal((await parseKubeconfig('x', yaml, directory)).server, server)
  })

  for (const [why, cluster, user, message] of [
    ['no server', {}, {}, /^--config c.yaml: server "" must be a URL like/],
    ['a server that is no URL', { server: 'hooks:443' }, {}, /server "hooks:443" must be a URL/],
    ['a missing file', { server, 'certificate-authority': 'no.crt' }, {}, /certificate-authority .*no.crt: no such file/],
    ['an empty authority', { server, 'certificate-authority-data': 'eA==' }, {}, /certificate-authority: holds no PEM/],
    [
      'no verification beside an authority',
      { server, 'certificate-authority': 'ca.crt', 'insecure-skip-tls-verify': true },
      {},
      /exclude/
    ],
    ['a certificate without its key', { server }, { 'client-certificate': 'ca.crt' }, /need each other/],
    ['a plugin', { server }, { exec: { command: 'x' } }, /has a plugin, which is not supported/],
    ['two ways to sign in', { server }, { token: 't', username: 'u' }, /exclude each other/],
    ['values of wrong types', { server: 7 }, {}, /cannot unmarshal number into Go struct field Cluster.clusters.cluster.server/]
  ] as const)
    it(`is refused for ${why}`, () =>
      assert.rejects(parse(cluster, user), error => error instanceof UserError && message.test(error.message)))

  it('is refused without a context, or with names of nothing', async () => {
    const refused = (config: object, message: RegExp) =>
      assert.rejects(parseKubeconfig('x', JSON.stringify(config), directory), error => message.test((error as Error).message))
    await refused({}, /current-context must name a context/)
    await refused({ 'current-context': 'c' }, /there is no context with the name "c"/)
    await refused(
      { 'current-context': 'c', contexts: [{ name: 'c', context: { cluster: 'a' } }] },
      /there is no cluster with the name "a"/
    )
    await assert.rejects(loadKubeconfig('--config', join(directory, 'none')), /--config .*none: no such file/)
  })
})
