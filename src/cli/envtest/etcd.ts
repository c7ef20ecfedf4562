/** Stands in for etcd: envtest starts one, and waits until it is healthy. Objects are kept by the server itself, in memory. */
import { createServer } from 'node:http'
import { UserError } from '../../util/user-error.js'

const listenFlag = 'listen-client-urls'

/** Answers health checks at the address of `--listen-client-urls`. Resolves when it listens. */
export function standInForEtcd(args: readonly string[]): Promise<void> {
  const url = addressOf(args)
  const server = createServer((request, response) => {
    if (request.url === '/health') response.end('{"health":"true"}')
    else response.writeHead(404).end('binnacle envtest has no etcd: kube-apiserver keeps its objects itself\n')
  })
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(new UserError(`--${listenFlag} ${url.origin}: ${error.message}`)))
    server.listen(Number(url.port), url.hostname.replace(/^\[|\]$/g, ''), resolve)
  })
}

function addressOf(args: readonly string[]): URL {
  const i = args.findIndex(arg => new RegExp(`^--?${listenFlag}(=|$)`).test(arg))
  const text = (args[i]?.includes('=') ? args[i]?.slice(args[i].indexOf('=') + 1) : args[i + 1])?.split(',')[0]
  if (i < 0 || !text || !URL.canParse(text)) throw new UserError(`--${listenFlag} needs a URL`)
  const url = new URL(text)
  if (url.protocol !== 'http:') throw new UserError(`--${listenFlag} ${text}: binnacle envtest answers for etcd over http only`)
  return url
}
