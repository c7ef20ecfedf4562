import { badRequest } from '../status/status.js'

export interface ProxyName {
  readonly name: string
  readonly port: string
}

const schemes: ReadonlySet<string> = new Set(['', 'http', 'https'])

/** Reads the name in the path of a proxy: "name", "name:port" or "scheme:name:port". `what` names the kind in errors: "pod". */
export function parseProxyName(id: string, what: string): ProxyName {
  const parts = id.split(':')
  const [scheme, name, port] = parts.length === 3 ? parts : ['', parts[0], parts[1] ?? '']
  if (parts.length > 3 || !name || !schemes.has(scheme!)) throw badRequest(`invalid ${what} request ${JSON.stringify(id)}`)
  return { name, port: port! }
}
