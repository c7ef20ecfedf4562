import { networkInterfaces } from 'node:os'
import type { ServerOptions } from '../options.js'
import { hostAndPort } from '../util/url-parts.js'
import { bindAddressOf } from './defaults.js'

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Returns a URL that clients can connect to and whose host the serving certificate names. */
export function urlOf(options: ServerOptions, port: number): string {
  const { externalHostname, advertiseAddress } = options
  const address = bindAddressOf(options)
  const host = anyAddress.has(address) ? (externalHostname ?? advertiseAddress ?? '127.0.0.1') : address
  return `https://${hostAndPort(host, port)}`
}

/** Returns the address that discovery tells clients. */
export const serverAddressOf = (options: ServerOptions, port: number): string =>
  hostAndPort(options.externalHostname ?? advertised(options), port)

/** Returns the address that the Service `kubernetes` has; undefined on a machine with nothing but a loopback. */
export function publicAddressOf(options: ServerOptions): string | undefined {
  const address = advertised(options)
  return isLoopback(address) || anyAddress.has(address) ? undefined : address
}

const advertised = (options: ServerOptions) => options.advertiseAddress ?? reachableAddress(bindAddressOf(options))

/** Chooses an address of the machine if the server listens on all addresses or the loopback, as kube-apiserver does. */
function reachableAddress(address: string): string {
  if (!anyAddress.has(address) && !isLoopback(address)) return address
  const family = address.includes(':') ? 'IPv6' : 'IPv4'
  const found = Object.values(networkInterfaces()).flatMap(all => all ?? [])
  return found.find(candidate => candidate.family === family && !candidate.internal)?.address ?? address
}

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')
