import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDnsName, servingNames } from './serving-names.js'

describe('names of the serving certificate', () => {
  it('covers the machine itself, pods and the names in flags', () => {
    const names = servingNames({
      bindAddress: '192.0.2.7',
      externalHostname: 'k8s.example.com',
      serviceClusterIPRange: '10.0.0.0/24,fd00::/108'
    })
    for (const name of [
      'localhost',
      '127.0.0.1',
      '::1',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
      '10.0.0.1',
      'fd00:0:0:0:0:0:0:1',
      '192.0.2.7',
      'k8s.example.com'
    ])
      assert.ok(names.includes(name), name)
  })

  it('leaves out "all addresses" and duplicates', () => {
    const names = servingNames({ bindAddress: '0.0.0.0', advertiseAddress: '192.0.2.7', externalHostname: 'localhost' })
    assert.ok(names.includes('192.0.2.7') && !names.includes('0.0.0.0') && !names.includes(''))
    assert.equal(new Set(names).size, names.length)
    assert.ok(!servingNames({ bindAddress: '::' }).includes('::'))
  })

  it('recognizes DNS names', () => {
    for (const name of ['a', 'web-1.example.com', 'my_host', 'x'.repeat(253)]) assert.ok(isDnsName(name), name)
    for (const name of ['', '-a', 'a..b', 'a b', 'a:1', '*.x', 'x'.repeat(254)]) assert.ok(!isDnsName(name), name)
  })
})
