import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { HostileValues } from '../../testkit/hostile-values.js'
import { kubeconfigText, writeKubeconfig } from './kubeconfig.js'

const options = { server: 'https://127.0.0.1:6443', certificateAuthority: 'ca', clientCertificate: 'crt', clientKey: 'key' }

describe('kubeconfig', () => {
  it('has one cluster and one user, and needs no other file', () => {
    assert.deepEqual(parse(kubeconfigText(options)), {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'binnacle',
      contexts: [{ name: 'binnacle', context: { cluster: 'binnacle', user: 'binnacle' } }],
      clusters: [{ name: 'binnacle', cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': 'Y2E=' } }],
      users: [{ name: 'binnacle', user: { 'client-certificate-data': 'Y3J0', 'client-key-data': 'a2V5' } }]
    })
  })

  it('contains the server name when it is not the address', () => {
    const config = parse(kubeconfigText({ ...options, tlsServerName: 'k8s.example.com' }))
    assert.equal(config.clusters[0].cluster['tls-server-name'], 'k8s.example.com')
  })

  it('gives back what it was made of, whatever that is', () => {
    const values = new HostileValues(1)
    for (let n = 0; n < 1000; n++) {
      const [server, tlsServerName, token] = [values.wellFormed(), values.wellFormed(), values.wellFormed()]
      const text = kubeconfigText({ ...options, server, tlsServerName, token })
      const { clusters, users, ...rest } = parse(text, { strict: true, uniqueKeys: true })
      assert.deepEqual(Object.keys(rest), ['apiVersion', 'kind', 'current-context', 'contexts'])
      const cluster = { server, 'tls-server-name': tlsServerName, 'certificate-authority-data': 'Y2E=' }
      assert.deepEqual([clusters, users], [[{ name: 'binnacle', cluster }], [{ name: 'binnacle', user: { token } }]], text)
    }
  })

  it('is readable by its owner only', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'binnacle-kubeconfig-'))
    try {
      const path = join(directory, 'new', 'kubeconfig')
      await writeKubeconfig(path, kubeconfigText(options))
      assert.equal((await stat(path)).mode & 0o777, 0o600)
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})
