import type { ServerOptions } from '../options.js'
import { bindAddressOf } from './defaults.js'

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** A URL that can be dialled and whose host the serving certificate names. */
export function urlOf(options: ServerOptions, port: number): string {
  const { externalHostname, advertiseAddress } = options
  const address = bindAddressOf(options)
  const host = anyAddress.has(address) ? (externalHostname ?? advertiseAddress ?? '127.0.0.1') : address
  return `https://${hostAndPort(host, port)}`
}

/** The address that discovery tells clients. */
export const serverAddressOf = (options: ServerOptions, port: number): string =>
  hostAndPort(options.externalHostname ?? options.advertiseAddress ?? bindAddressOf(options), port)

const hostAndPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
