/** Decides to which addresses a proxy to nodes and Pods may lead. */
import { lookup } from 'node:dns/promises'
import net from 'node:net'
import { asGoError } from '../../transport/webhooks/go-errors.js'

/** Addresses that a proxy must not lead to: those of the machine itself, of its own network link, and of groups. */
const notGlobal = new net.BlockList()
for (const [address, prefix] of [
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['0.0.0.0', 32],
  ['255.255.255.255', 32]
] as const)
  notGlobal.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['fe80::', 10],
  ['ff00::', 8]
] as const)
  notGlobal.addSubnet(address, prefix, 'ipv6')

/** Does what Go's IP.IsGlobalUnicast does. */
export function isGlobalUnicast(address: string): boolean {
  const family = net.isIP(address)
  // an IPv4 address in IPv6 notation is found by the IPv4 rules, too
  return family !== 0 && !notGlobal.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Returns an address of a host, all of whose addresses a proxy may lead to. Throws with kube-apiserver's words. */
export async function proxyableAddress(host: string): Promise<string> {
  if (net.isIP(host) === 0) {
    const found = await lookup(host, { all: true }).catch(error => {
      throw new Error(asGoError(error).replace(/^dial tcp: /, ''))
    })
    if (!found.every(({ address }) => isGlobalUnicast(address))) throw new Error('address not allowed')
    if (found.length === 0) throw new Error('no addresses for hostname')
    return found[0]!.address
  }
  if (!isGlobalUnicast(host)) throw new Error('address not allowed')
  return host
}
