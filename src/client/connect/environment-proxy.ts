/** Finds the proxy that the environment asks for, as Go's http.ProxyFromEnvironment does: HTTPS_PROXY, HTTP_PROXY, NO_PROXY. */
import { BlockList, isIP } from 'node:net'
import { proxyUrl } from './urls.js'

export function environmentProxy(server: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const given = (name: string) => env[name] || env[name.toLowerCase()] || undefined
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = given(name)
  if (!proxy || isExcepted(server, given('NO_PROXY') ?? '')) return undefined
  return proxyUrl(name, proxy.includes('://') ? proxy : `http://${proxy}`)
}

function isExcepted(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = server.port || (server.protocol === 'https:' ? '443' : '80')
  if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) return true
  return noProxy.split(',').some(part => covers(part.trim().toLowerCase(), host, port))
}

/** Whether an entry of NO_PROXY covers a host: `*`, an address, a network, `example.com` with all below, `.example.com` only below. */
function covers(entry: string, host: string, port: string): boolean {
  if (entry === '') return false
  if (entry === '*') return true
  const network = /^(.+)\/(\d{1,3})$/.exec(entry)
  if (network) return isInNetwork(host, network[1]!, Number(network[2]))
  const [, name = entry, ofPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  if (ofPort !== undefined && ofPort !== port) return false
  const bare = name.replace(/^\[|\]$/g, '').replace(/^\*(?=\.)/, '')
  return bare.startsWith('.') ? host.endsWith(bare) : host === bare || (isIP(bare) === 0 && host.endsWith(`.${bare}`))
}

function isInNetwork(host: string, network: string, bits: number): boolean {
  const family = isIP(network)
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const type = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(network, bits, type)
  return list.check(host, type)
}
