import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Endpoints } from '../../apimachinery/api/generated/core-v1.js'
import { correctedSubsets, sliceOf } from './endpoints.js'
import { countedServers } from './server-addresses.js'

const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }]
const endpoints = (...subsets: Endpoints['subsets'] & {}) => ({ metadata: { name: 'kubernetes' }, subsets }) as Endpoints
const addresses = (...ips: string[]) => ips.map(ip => ({ ip }))
const wanted = (...ips: string[]) => ({ addresses: ips, port: 6443, correctsPorts: false })

describe('the subsets of the Service kubernetes', () => {
  it('are made, in the order of the addresses', () =>
    assert.deepEqual(correctedSubsets(endpoints(), wanted('10.0.0.2', '10.0.0.1')), [
      { addresses: addresses('10.0.0.1', '10.0.0.2'), ports }
    ]))

  it('stay as they are in any order', () =>
    assert.equal(
      correctedSubsets(endpoints({ addresses: addresses('10.0.0.2', '10.0.0.1'), ports }), wanted('10.0.0.1', '10.0.0.2')),
      undefined
    ))

  it('lose the address of a server that went, and are empty without servers', () => {
    const present = endpoints({ addresses: addresses('10.0.0.1', '10.0.0.2'), ports })
    assert.deepEqual(correctedSubsets(present, wanted('10.0.0.2')), [{ addresses: addresses('10.0.0.2'), ports }])
    assert.deepEqual(correctedSubsets(present, wanted()), [])
    assert.equal(correctedSubsets(endpoints(), wanted()), undefined)
  })

  it('keep another port, unless ports are corrected', () => {
    const other = [{ name: 'https', port: 1, protocol: 'TCP' }]
    const present = endpoints({ addresses: addresses('10.0.0.1'), ports: other })
    assert.equal(correctedSubsets(present, wanted('10.0.0.1')), undefined)
    assert.deepEqual(correctedSubsets(present, wanted('10.0.0.3')), [{ addresses: addresses('10.0.0.3'), ports: other }])
    assert.deepEqual(correctedSubsets(present, { ...wanted('10.0.0.1'), correctsPorts: true }), [
      { addresses: addresses('10.0.0.1'), ports }
    ])
  })

  it('are made anew when there are several', () => {
    const part = (ip: string) => ({ addresses: addresses(ip), ports: [{ name: 'a', port: 1, protocol: 'TCP' }] })
    assert.deepEqual(correctedSubsets(endpoints(part('10.0.0.1'), part('10.0.0.2')), wanted('10.0.0.1')), [
      { addresses: addresses('10.0.0.1'), ports }
    ])
  })
})

describe('the EndpointSlice of the Service kubernetes', () => {
  it('has the addresses of one family', () => {
    const slice = (...ips: string[]) => {
      const { addressType, endpoints: found } = sliceOf(endpoints({ addresses: addresses(...ips), ports }))
      return [addressType, ...found!.map(endpoint => endpoint.addresses![0])]
    }
    assert.deepEqual(slice('10.0.0.1', 'fd00::1'), ['IPv4', '10.0.0.1'])
    assert.deepEqual(slice('fd00::1', 'fd00::2'), ['IPv6', 'fd00::1', 'fd00::2'])
  })

  it('has no endpoints without servers', () =>
    assert.deepEqual(sliceOf(endpoints()), {
      labels: { 'kubernetes.io/service-name': 'kubernetes' },
      addressType: 'IPv4',
      endpoints: [],
      ports: []
    }))
})

describe('a known number of servers', () => {
  const after = async (count: number, own: string, ...present: string[]) => {
    const servers = countedServers(own, count, () => present)
    await servers.renew()
    return servers.list()
  }

  it('has room for this one', async () => {
    assert.deepEqual(await after(2, '10.0.0.2'), ['10.0.0.2'])
    assert.deepEqual(await after(2, '10.0.0.2', '10.0.0.1'), ['10.0.0.1', '10.0.0.2'])
  })

  it('loses those that follow this one when there are too many', async () => {
    assert.deepEqual(await after(2, '10.0.0.2', '10.0.0.1', '10.0.0.3'), ['10.0.0.1', '10.0.0.2'])
    assert.deepEqual(await after(2, '10.0.0.3', '10.0.0.1', '10.0.0.2'), ['10.0.0.2', '10.0.0.3'])
    assert.deepEqual(await after(1, '10.0.0.3', '10.0.0.1', '10.0.0.2'), ['10.0.0.3'])
  })
})
