import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { UserError } from '../../../util/user-error.js'
import { type AuthenticationOptions, loadAuthenticationSettings } from './settings.js'

const directory = mkdtempSync(join(tmpdir(), 'binnacle-settings-'))
after(() => rmSync(directory, { recursive: true }))
const file = (name: string, text: string) => {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}
const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n'
const url = 'https://issuer.example.com'
const flags = { oidcIssuerURL: url, oidcClientID: 'me' }
const load = (options: AuthenticationOptions) => loadAuthenticationSettings(options, ['https://kubernetes.default.svc'])
const refused = (options: AuthenticationOptions, message: string | RegExp) =>
  assert.rejects(load(options), { constructor: UserError, message })

describe('the --oidc-* flags', () => {
  const config = async (more: AuthenticationOptions = {}) => (await load({ ...flags, ...more })).jwt[0]!.config

  it('are an issuer whose claim sub names the user, with the issuer before it', async () => {
    const { issuer, claimMappings } = await config()
    assert.deepEqual([issuer.url, issuer.audiences], [url, ['me']])
    assert.deepEqual(claimMappings.username, { claim: 'sub', prefix: `${url}#` })
    assert.deepEqual(claimMappings.groups, {})
    assert.deepEqual((await load(flags)).signingAlgorithms, ['RS256'])
    assert.deepEqual((await load({ ...flags, oidcSigningAlgs: ['ES256'] })).signingAlgorithms, ['ES256'])
  })

  for (const [oidcUsernameClaim, oidcUsernamePrefix, prefix] of [
    ['name', undefined, `${url}#`],
    ['email', undefined, ''],
    ['email', 'x:', 'x:'],
    ['name', 'x:', 'x:'],
    ['name', '-', ''],
    [undefined, '-', '']
  ] as const)
    it(`put ${JSON.stringify(prefix)} before the claim ${oidcUsernameClaim} with the prefix ${oidcUsernamePrefix}`, async () => {
      const { claimMappings } = await config({ oidcUsernameClaim, oidcUsernamePrefix })
      assert.deepEqual(claimMappings.username, { claim: oidcUsernameClaim ?? 'sub', prefix })
    })

  it('map groups, and require claims', async () => {
    const { claimMappings } = await config({ oidcGroupsClaim: 'roles' })
    assert.deepEqual(claimMappings.groups, { claim: 'roles', prefix: '' })
    const more = await config({ oidcGroupsClaim: 'roles', oidcGroupsPrefix: 'r:', oidcRequiredClaim: { hd: 'acme', a: 'b' } })
    assert.deepEqual(more.claimMappings.groups, { claim: 'roles', prefix: 'r:' })
    assert.deepEqual(more.claimValidationRules, [
      { claim: 'hd', requiredValue: 'acme' },
      { claim: 'a', requiredValue: 'b' }
    ])
  })

  it('need an issuer and a client', async () => {
    const message = 'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set'
    for (const options of [{ oidcIssuerURL: url }, { oidcClientID: 'me' }, { oidcCAFile: 'x' }, { oidcUsernameClaim: 'x' }])
      await refused(options, message)
    for (const options of [{ oidcUsernamePrefix: 'x' }, { oidcGroupsClaim: 'x' }, { oidcGroupsPrefix: 'x' }])
      await refused(options, message)
    for (const options of [{ oidcRequiredClaim: { a: 'b' } }, { oidcSigningAlgs: ['RS256'] }]) await refused(options, message)
    assert.deepEqual((await load({})).jwt, [])
  })

  it('are checked like a file', async () => {
    const invalid = 'invalid authentication configuration: jwt[0].issuer.'
    await refused({ ...flags, oidcIssuerURL: 'http://x' }, `${invalid}url: Invalid value: "http://x": URL scheme must be https`)
    await refused(
      { ...flags, oidcIssuerURL: 'https://kubernetes.default.svc' },
      `${invalid}url: Invalid value: "https://kubernetes.default.svc": URL must not overlap with disallowed issuers: [https://kubernetes.default.svc]`
    )
    const oidcCAFile = file('ca.crt', 'x')
    const problem = 'Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates'
    await refused({ ...flags, oidcCAFile }, `${invalid}certificateAuthority: ${problem}`)
    await refused({ ...flags, oidcCAFile: '/nowhere' }, 'open /nowhere: no such file or directory')
    await refused({ ...flags, oidcSigningAlgs: ['RS256', 'HS256'] }, 'oidc: unsupported signing alg: "HS256"')
    await refused({ ...flags, oidcSigningAlgs: ['none'] }, 'oidc: unsupported signing alg: "none"')
  })
})

describe('a configuration file', () => {
  it('allows every algorithm with a public key', async () => {
    const { signingAlgorithms, file: followed } = await load({ authenticationConfig: file('empty.yaml', head) })
    assert.equal(signingAlgorithms.join(), 'ES256,ES384,ES512,PS256,PS384,PS512,RS256,RS384,RS512')
    assert.equal(followed!.text, head)
  })

  it('excludes the flags', async () => {
    const authenticationConfig = file('flags.yaml', head)
    await refused({ authenticationConfig, ...flags }, 'authentication-config file and oidc-* flags are mutually exclusive')
    assert.deepEqual((await load({ authenticationConfig, anonymousAuth: false })).anonymous, undefined)
    const anonymous = file('anonymous.yaml', `${head}anonymous: {enabled: true}\n`)
    assert.deepEqual((await load({ authenticationConfig: anonymous })).anonymous, { enabled: true })
    for (const anonymousAuth of [true, false])
      await refused(
        { authenticationConfig: anonymous, anonymousAuth },
        'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file'
      )
  })

  it('is refused with its name when it cannot be read', async () => {
    const failed = 'failed to load authentication configuration from file'
    await refused({ authenticationConfig: '/nowhere' }, `${failed} "/nowhere": open /nowhere: no such file or directory`)
    const bad = file('bad.yaml', `${head}foo: 1\n`)
    await refused({ authenticationConfig: bad }, `${failed} "${bad}": strict decoding error: unknown field "foo"`)
    await refused({ authenticationConfig: file('nothing.yaml', '') }, /empty config data$/)
  })

  it('cannot ask for a network that this server does not have', async () => {
    const issuer = `{url: '${url}', audiences: [me], egressSelectorType: cluster}`
    const text = `${head}jwt:\n- issuer: ${issuer}\n  claimMappings: {username: {claim: sub, prefix: ''}}\n`
    const authenticationConfig = file('egress.yaml', text)
    await refused({ authenticationConfig }, 'oidc: egress lookup required with egress selector type "cluster"')
    const through = (...networks: string[]) =>
      loadAuthenticationSettings({ authenticationConfig }, [], { networks: new Set(networks) })
    await assert.rejects(through('controlplane'), { message: 'oidc: egress lookup for "cluster" is not configured' })
    assert.equal((await through('cluster')).jwt.length, 1)
  })
})
