import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { enabledPluginNames } from '../admission/enabled-plugins.js'
import { parseFlags } from './flags/parse.js'
import { acceptedFlags } from './flags/serve-flags.js'
import { serverOptions } from './serve-options.js'

const options = (...args: string[]) => serverOptions(parseFlags(args, acceptedFlags).values)

describe('options from flags', () => {
  it('serve some groups, or none, without flags that take the others back', () => {
    const { apiGroups, controllers, enablePriorityAndFairness } = options('--api-groups=', '--controllers=')
    assert.deepEqual([apiGroups, controllers, enablePriorityAndFairness], [[], [], undefined])
    assert.deepEqual(options('--api-groups=core,apps').apiGroups, ['core', 'apps'])
    assert.equal(options('--enable-priority-and-fairness').enablePriorityAndFairness, true)
  })

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
    assert.equal(options('--allow-privileged=false').allowPrivileged, false)
    assert.equal(options().allowPrivileged, true)
  })

  it('reads the former flag for all admission plugins', () => {
    const { enableAdmissionPlugins, disableAdmissionPlugins } = options('--admission-control=NamespaceLifecycle,PodNodeSelector')
    assert.deepEqual(enabledPluginNames({ enableAdmissionPlugins, disableAdmissionPlugins }), [
      'NamespaceLifecycle',
      'PodNodeSelector'
    ])
    for (const flag of ['enable', 'disable'])
      assert.throws(
        () => options('--admission-control=ResourceQuota', `--${flag}-admission-plugins=NodeRestriction`),
        /^UserError: admission-control and enable-admission-plugins\/disable-admission-plugins flags are mutually exclusive$/
      )
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

  it('accepts the command line of a kubeadm manifest', () => {
    const pki = '/etc/kubernetes/pki'
    const found = options(
      '--advertise-address=192.168.1.10',
      '--allow-privileged=true',
      '--authorization-mode=Node,RBAC',
      `--client-ca-file=${pki}/ca.crt`,
      '--enable-admission-plugins=NodeRestriction',
      '--enable-bootstrap-token-auth=true',
      `--etcd-cafile=${pki}/etcd/ca.crt`,
      `--etcd-certfile=${pki}/apiserver-etcd-client.crt`,
      `--etcd-keyfile=${pki}/apiserver-etcd-client.key`,
      '--etcd-servers=https://127.0.0.1:2379',
      `--kubelet-client-certificate=${pki}/apiserver-kubelet-client.crt`,
      `--kubelet-client-key=${pki}/apiserver-kubelet-client.key`,
      '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
      `--proxy-client-cert-file=${pki}/front-proxy-client.crt`,
      `--proxy-client-key-file=${pki}/front-proxy-client.key`,
      '--requestheader-allowed-names=front-proxy-client',
      `--requestheader-client-ca-file=${pki}/front-proxy-ca.crt`,
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-username-headers=X-Remote-User',
      '--secure-port=6443',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${pki}/sa.pub`,
      `--service-account-signing-key-file=${pki}/sa.key`,
      '--service-cluster-ip-range=10.96.0.0/12',
      `--tls-cert-file=${pki}/apiserver.crt`,
      `--tls-private-key-file=${pki}/apiserver.key`
    )
    assert.equal(found.storageBackend, 'etcd3')
    assert.equal(found.requestheaderClientCAFile, `${pki}/front-proxy-ca.crt`)
    assert.deepEqual(found.serviceAccountIssuer, ['https://kubernetes.default.svc.cluster.local'])
  })

  it('counts the time of watches in seconds', () => {
    assert.equal(options().minRequestTimeout, 1_800_000)
    assert.equal(options('--min-request-timeout=60').minRequestTimeout, 60_000)
  })
})
