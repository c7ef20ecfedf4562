import { badRequest, serviceUnavailable } from '../../apimachinery/status/status.js'
import { goQuote } from '../../util/go-format.js'

export interface ProxyName {
  readonly scheme: 'http' | 'https'
  readonly name: string
  /** A number or the name of a port; "" when the request names none. */
  readonly port: string
}

const schemes: ReadonlySet<string> = new Set(['', 'http', 'https'])

/** Reads the name in the path of a proxy: "name", "name:port" or "scheme:name:port". `what` names the kind in errors: "pod". */
export function parseProxyName(id: string, what: string): ProxyName {
  const parts = id.split(':')
  const [scheme, name, port] = parts.length === 3 ? parts : ['', parts[0], parts[1] ?? '']
  if (parts.length > 3 || !name || !schemes.has(scheme!)) throw badRequest(`invalid ${what} request ${goQuote(id)}`)
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port: port! }
}

/** Ports that Go knows by the names of their protocols. */
const knownPorts: Readonly<Record<string, number>> = { http: 80, https: 443 }

/** Returns the port to connect to. Throws a 503 with Go's words for a text that is no port. */
export function portNumber(text: string): number {
  if (Object.hasOwn(knownPorts, text)) return knownPorts[text]!
  const why = /^\d+$/.test(text) ? `address ${text}: invalid port` : `lookup tcp/${text}: unknown port`
  if (!/^\d+$/.test(text) || Number(text) > 65535) throw serviceUnavailable(`error trying to reach service: dial tcp: ${why}`)
  return Number(text)
}
