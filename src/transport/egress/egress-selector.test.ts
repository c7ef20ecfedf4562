import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { startConnectProxy } from '../../testkit/connect-proxy.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { openEgressSelector } from './egress-selector.js'

it('a proxy is asked for addresses and names only, because a Node names what it likes', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-'))
  const path = join(folder, 'proxy.sock')
  const proxy = await startConnectProxy({ path }, () => undefined)
  t.after(async () => {
    await proxy.close()
    rmSync(folder, { recursive: true })
  })
  const selection = { name: 'cluster', connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName: path } } } }
  const configuration = {
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [selection]
  }
  writeFileSync(join(folder, 'egress.json'), JSON.stringify(configuration))
  const connect = openEgressSelector(join(folder, 'egress.json'), new Metrics()).cluster!
  for (const host of ['a\r\nX-A: b', 'a b', '', 'a/b', 'a:1@b', `${'a.'.repeat(200)}a`, '[::1]', 'ä'])
    await assert.rejects(connect(host, 1), { message: `dial tcp: lookup ${JSON.stringify(host)}: no such host` })
  assert.deepEqual(proxy.asked, [])
  for (const host of ['::1', '10.0.0.1', 'node-1.example.com', 'node_1.'])
    await assert.rejects(connect(host, 1), /proxy error from/)
  assert.equal(proxy.asked.length, 4)
})
