import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RangeFullError, ServiceNetwork } from './service-network.js'

const service = (clusterIPs: string[]): any => ({ spec: { clusterIPs }, metadata: {} })

test('addresses come from the range, without its network and broadcast addresses', () => {
  const network = new ServiceNetwork({ clusterIPRange: '192.168.7.0/30' })
  const taken = [network.takeAnyAddress('IPv4', 'a'), network.takeAnyAddress('IPv4', 'b')]
  assert.deepEqual(taken.sort(), ['192.168.7.1', '192.168.7.2'])
  assert.throws(() => network.takeAnyAddress('IPv4', 'c'), RangeFullError)
})

test('a failed request releases only its own addresses and ports', () => {
  const network = new ServiceNetwork()
  network.takeAddress('10.0.0.77', 'IPv4', 'ns/a')
  network.release(service(['10.0.0.77']), 'ns/other')
  assert.throws(() => network.takeAddress('10.0.0.77', 'IPv4', 'ns/b'), /provided IP is already allocated/)
  network.release(service(['10.0.0.77']), 'ns/a')
  network.takeAddress('10.0.0.77', 'IPv4', 'ns/b')
})

test('a dry run takes nothing', () => {
  const network = new ServiceNetwork()
  network.takeAddress('10.0.0.9', 'IPv4', undefined)
  network.takeAddress('10.0.0.9', 'IPv4', 'ns/a')
})

test('addresses and ports outside the ranges are refused with the range', () => {
  const network = new ServiceNetwork({ clusterIPRange: '10.1.0.0/24,fd00::/112', nodePortRange: '31000-31001' })
  assert.deepEqual(network.families, ['IPv4', 'IPv6'])
  assert.throws(() => network.takeAddress('10.1.0.0', 'IPv4', 'a'), /does not match the current range/)
  assert.throws(() => network.takePort(30000, 'a'), /not in the valid range. The range of valid ports is 31000-31001/)
  assert.match(network.takeAnyAddress('IPv6', 'a'), /^fd00::[0-9a-f]+$/)
})

test('one IPv6 address in two spellings is one address', () => {
  const network = new ServiceNetwork({ clusterIPRange: 'fd00::/112' })
  network.takeAddress('fd00::00aB', 'IPv6', 'a')
  assert.throws(() => network.takeAddress('fd00:0:0::ab', 'IPv6', 'b'), /already allocated/)
})

test('an invalid range is an error of the user', () => {
  for (const clusterIPRange of ['10.0.0.0', '10.0.0.0/32', 'x/24'])
    assert.throws(() => new ServiceNetwork({ clusterIPRange }), /--service-cluster-ip-range/)
  assert.throws(() => new ServiceNetwork({ nodePortRange: '5-1' }), /--service-node-port-range/)
})
