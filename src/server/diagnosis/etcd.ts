/** Asks an etcd server for its health over HTTP, and for its time. */
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { fileError } from '../../util/user-error.js'
import type { ServerOptions } from '../options.js'

export interface EtcdAnswer {
  /** Milliseconds since 1970 by its clock; undefined where it does not tell. */
  readonly theirs: number | undefined
  /** Milliseconds until it answered. */
  readonly latency: number
}

const patience = 5000

/** Rejects when it does not answer in time, or is not healthy. */
export async function askEtcd(server: string, { etcdCAFile, etcdCertFile, etcdKeyFile }: ServerOptions): Promise<EtcdAnswer> {
  const url = new URL('/health', /^https?:/.test(server) ? server : `${etcdCAFile ? 'https' : 'http'}://${server}`)
  const read = (flag: string, path: string | undefined) =>
    path ? readFile(path).catch(error => Promise.reject(fileError(`${flag} ${path}`, error))) : undefined
  const [ca, cert, key] = await Promise.all([
    read('--etcd-cafile', etcdCAFile),
    read('--etcd-certfile', etcdCertFile),
    read('--etcd-keyfile', etcdKeyFile)
  ])
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const done = (response: http.IncomingMessage) => {
      let body = ''
      response.setEncoding('utf8').on('error', reject)
      response.on('data', text => (body = (body + text).slice(0, 1024)))
      response.on('end', () => {
        const latency = Math.round(performance.now() - from)
        const theirs = Date.parse(response.headers.date ?? '')
        if (!/"health":\s*"?true/.test(body)) return reject(new Error(`is not healthy: ${response.statusCode} ${body.trim()}`))
        resolve({ theirs: Number.isNaN(theirs) ? undefined : theirs, latency })
      })
    }
    const options = { ca, cert, key, timeout: patience, agent: false }
    const request =
      url.protocol === 'https:' ? https.get(url, options, done) : http.get(url, { timeout: patience, agent: false }, done)
    request.on('timeout', () => request.destroy(new Error(`no answer within ${patience / 1000} s`)))
    request.on('error', reject)
  })
}
