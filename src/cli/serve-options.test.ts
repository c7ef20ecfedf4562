import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { parseFlags } from './flags/parse.js'
import { serveFlags } from './flags/serve-flags.js'
import { serverOptions } from './serve-options.js'

const options = (...args: string[]) => serverOptions(parseFlags(args, serveFlags).values)

describe('options from flags', () => {
  it('keeps data and certificates in .binnacle of the working directory', () => {
    assert.equal(options().dataDir, resolve('.binnacle'))
    assert.equal(options().certDir, resolve('.binnacle/pki'))
    assert.equal(options('--data-dir=x').certDir, resolve('x/pki'))
    assert.equal(options('--data-dir=x', '--cert-dir=y').certDir, resolve('y'))
  })

  it('stores nothing with the memory backend, unless a data folder is given', () => {
    const { dataDir, certDir } = options('--storage-backend=memory')
    assert.deepEqual([dataDir, certDir], [undefined, undefined])
    assert.equal(options('--storage-backend=memory', '--data-dir=x').certDir, join(resolve('x'), 'pki'))
  })

  it('creates no folder when etcd and a folder of certificates are given', () => {
    assert.equal(options('--etcd-servers=http://127.0.0.1:2379').dataDir, resolve('.binnacle'))
    assert.equal(options('--etcd-servers=http://127.0.0.1:2379', '--cert-dir=y').dataDir, undefined)
  })

  it('accepts names of admission plugins, and --allow-privileged', () => {
    assert.deepEqual(options('--disable-admission-plugins=ServiceAccount,LimitRanger').disableAdmissionPlugins, [
      'ServiceAccount',
      'LimitRanger'
    ])
    assert.throws(() => options('--enable-admission-plugins=Nothing'), /^UserError: --enable-admission-plugins "Nothing" must be/)
    assert.throws(() => options('--allow-privileged=false'), /--allow-privileged "false" is not supported yet: use true/)
  })

  it('enables the named controllers, and refuses unknown names', () => {
    assert.deepEqual(options().controllers, ['*'])
    assert.deepEqual(options('--controllers=*,-namespace').controllers, ['*', '-namespace'])
    assert.throws(() => options('--controllers=*,gardener'), {
      name: 'UserError',
      message: /^--controllers "\*,gardener" must be .* the controllers are bootstrap-signer-controller/
    })
  })

  it('passes the flags of authorization on only when they are given', () => {
    const none = options()
    for (const name of ['Config', 'Mode', 'PolicyFile', 'WebhookConfigFile', 'WebhookVersion', 'WebhookCacheAuthorizedTTL'])
      assert.equal(none[`authorization${name}` as keyof typeof none], undefined, name)
    const given = options(
      ...['--authorization-config=c', '--authorization-mode=ABAC,Webhook', '--authorization-policy-file=p'],
      ...['--authorization-webhook-config-file=w', '--authorization-webhook-version=v1'],
      ...['--authorization-webhook-cache-authorized-ttl=1m', '--authorization-webhook-cache-unauthorized-ttl=0']
    )
    assert.equal(given.authorizationConfig, resolve('c'))
    assert.deepEqual(given.authorizationMode, ['ABAC', 'Webhook'])
    assert.deepEqual([given.authorizationPolicyFile, given.authorizationWebhookConfigFile], ['p', 'w'])
    assert.equal(given.authorizationWebhookVersion, 'v1')
    assert.equal(given.authorizationWebhookCacheAuthorizedTTL, 60_000)
    assert.equal(given.authorizationWebhookCacheUnauthorizedTTL, 0)
  })

  it('disables anonymous requests when everything is allowed', () => {
    assert.equal(options().anonymousAuth, undefined)
    assert.equal(options('--anonymous-auth').anonymousAuth, true)
    assert.equal(options('--anonymous-auth', '--authorization-mode=AlwaysAllow').anonymousAuth, false)
    assert.equal(options('--anonymous-auth=false').anonymousAuth, false)
  })
})
