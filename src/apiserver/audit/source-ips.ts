/** Finds the addresses that a request came from: those that proxies name, and that of the connection, which cannot be forged. */
import { isIP } from 'node:net'
import type { IncomingRequest } from '../../apimachinery/request/message.js'
import { formatAddress, parseAddress } from '../../util/go-netip.js'

type Request = Pick<IncomingRequest, 'headers' | 'remoteAddress' | 'rawHeaders'>

let lastRemote = ''
let lastText = ''

/** The addresses as items of a JSON list; "" when there are none. */
export function sourceIPs(request: Request): string {
  const { headers, remoteAddress } = request
  if (headers['x-forwarded-for'] === undefined && headers['x-real-ip'] === undefined) {
    if (remoteAddress !== lastRemote) {
      lastRemote = remoteAddress
      lastText = listed([addressOf(remoteAddress)])
    }
    return lastText
  }
  const addresses = firstHeader(request, 'x-forwarded-for')
    .split(',')
    .map(part => addressOf(part.trim()))
    .filter(address => address !== undefined)
  const real = addressOf(firstHeader(request, 'x-real-ip'))
  if (real !== undefined && !addresses.includes(real)) addresses.push(real)
  const remote = addressOf(remoteAddress)
  if (remote !== undefined && addresses.at(-1) !== remote) addresses.push(remote)
  return listed(addresses)
}

const listed = (addresses: readonly (string | undefined)[]) =>
  addresses
    .filter(address => address !== undefined)
    .map(address => `"${address}"`)
    .join(',')

/** The value of the first header of this name: `headers` joins those that come several times. */
function firstHeader(request: Request, name: string): string {
  if (request.headers[name] === undefined) return ''
  const raw = request.rawHeaders()
  for (let i = 0; i < raw.length; i += 2) if (raw[i]!.toLowerCase() === name) return raw[i + 1]!
  return ''
}

/** Does what Go's ParseIPSloppy and String do: leading zeros are ignored, and IPv4 in IPv6 is IPv4. */
function addressOf(text: string): string | undefined {
  const sloppy = text.replace(/(^|[.:])0+(?=\d+(?:\.|$))/g, '$1')
  if (isIP(sloppy) === 0 || sloppy.includes('%')) return undefined
  const shown = formatAddress(parseAddress(sloppy))
  return shown.startsWith('::ffff:') && shown.includes('.') ? shown.slice('::ffff:'.length) : shown
}
