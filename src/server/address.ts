import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { PeerAddress } from '../controllers/server-objects/peer-endpoint.js'
import { hostAndPort } from '../util/url-parts.js'
import { UserError } from '../util/user-error.js'
import { bindAddressOf } from './defaults.js'
import type { ServerOptions } from './options.js'

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Returns a URL that clients can connect to and whose host the serving certificate names. */
export function urlOf(options: ServerOptions, port: number): string {
  const { externalHostname, advertiseAddress } = options
  const address = bindAddressOf(options)
  const host = anyAddress.has(address) ? (externalHostname ?? advertiseAddress ?? '127.0.0.1') : address
  return `https://${hostAndPort(host, port)}`
}

/** Returns the server's address as discovery tells it to clients. */
export const serverAddressOf = (options: ServerOptions, port: number): string =>
  hostAndPort(options.externalHostname ?? advertised(options), port)

/** Returns the address of the Service `kubernetes`; undefined on a machine that has only a loopback interface. */
export function publicAddressOf(options: ServerOptions): string | undefined {
  const address = advertised(options)
  return isLoopback(address) || anyAddress.has(address) ? undefined : address
}

/**
 * Returns the address to advertise. With a seed, it must be the same on every machine, so the machine's own addresses do not
 * count.
 */
function advertised(options: ServerOptions): string {
  const bindAddress = bindAddressOf(options)
  return options.advertiseAddress ?? (options.seed === undefined ? reachableAddress(bindAddress) : bindAddress)
}

/** Returns where other API servers reach this one. Throws a UserError for flags that are not honoured, or wrong. */
export function peerAddressOf(options: ServerOptions, isEnabled: boolean, port: () => number): () => PeerAddress {
  const { peerAdvertiseIP: ip, peerAdvertisePort: text } = options
  for (const [flag, value] of [
    ['ip', ip],
    ['port', text]
  ])
    if (value && !isEnabled)
      throw new UserError(`--peer-advertise-${flag} requires UnknownVersionInteroperabilityProxy feature to be turned on`)
  if (!ip || !text) return () => ({ ip: advertised(options), port: port() })
  const given = Number(text)
  if (isIP(ip) === 0) throw new UserError(`--peer-advertise-ip ${JSON.stringify(ip)} must be an IP address`)
  if (!/^\d{1,5}$/.test(text) || given < 1 || given > 65535)
    throw new UserError(`--peer-advertise-port ${JSON.stringify(text)} must be a port number from 1 to 65535`)
  return () => ({ ip, port: given })
}

/** Chooses an address of the machine if the server listens on all addresses or the loopback, as kube-apiserver does. */
function reachableAddress(address: string): string {
  if (!anyAddress.has(address) && !isLoopback(address)) return address
  const family = address.includes(':') ? 'IPv6' : 'IPv4'
  const found = Object.values(networkInterfaces()).flatMap(all => all ?? [])
  return found.find(candidate => candidate.family === family && !candidate.internal)?.address ?? address
}

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')
