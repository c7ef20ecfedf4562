/** The server and a client of it. */
import { fork } from 'node:child_process'
import http2 from 'node:http2'
import https from 'node:https'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
const json = { 'content-type': 'application/json' }

export class Target {
  /** What the server logged as errors since the last measurement. */
  logged = []
  #process
  #next

  static async start(options = {}) {
    const target = new Target()
    const file = fileURLToPath(new URL('server.mjs', import.meta.url))
    target.#process = fork(file, [JSON.stringify(options)], { execArgv: ['--expose-gc'] })
    target.#process.on('message', message => {
      if (message.logged) target.logged.push(message.logged)
      else target.#next(message)
    })
    target.#process.once('exit', (code, signal) => {
      target.ended = `${code ?? signal}`
      target.#next?.({})
    })
    const { url, kubeconfig } = await target.#answer()
    target.url = new URL(url)
    const field = name => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)[1], 'base64')
    target.admin = {
      cert: field('client-certificate-data'),
      key: field('client-key-data'),
      ca: field('certificate-authority-data')
    }
    target.agent = new https.Agent({ ...target.admin, keepAlive: true, maxSockets: 200 })
    return target
  }

  #answer() {
    return new Promise(resolve => (this.#next = resolve))
  }

  #ask(what) {
    const answer = this.#answer()
    if (this.ended) throw new Error(`the server has ended: ${this.ended}`)
    this.#process.send(what)
    return answer
  }

  get pid() {
    return this.#process.pid
  }

  stop() {
    this.agent.destroy()
    this.#process.disconnect()
  }

  /** Sends a request as the admin: status, headers and body of the answer. */
  send(method, path, body, headers = json, more = {}) {
    return new Promise((resolve, reject) => {
      const message = https.request(new URL(path, this.url), { method, agent: this.agent, headers, ...more })
      message.setTimeout(more.timeout ?? 90_000, () => message.destroy(new Error('no answer')))
      message.on('error', reject).on('response', answer => {
        const parts = []
        answer.on('data', part => parts.push(part)).on('error', reject)
        answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }))
      })
      message.end(body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    })
  }

  /** Opens a connection for whatever bytes. */
  connect(options = {}) {
    return new Promise((resolve, reject) => {
      const socket = tls.connect(
        { ...this.admin, port: this.url.port, host: '127.0.0.1', ALPNProtocols: ['http/1.1'], ...options },
        () => resolve(socket)
      )
      socket.once('error', reject)
      socket.on('error', () => {})
    })
  }

  http2(options = {}) {
    const session = http2.connect(this.url, { ...this.admin, ...options })
    session.on('error', () => {})
    return session
  }

  /** Runs a probe: how long the server's event loop was held, its peak of memory above that before, and what stayed on its heap. */
  async measured(probe) {
    this.logged.length = 0
    const first = await this.#ask('end')
    const { before } = await this.#ask('begin')
    const start = performance.now()
    const answer = await probe(this)
    const total = performance.now() - start
    await sleep(20)
    const { longest, peak, heap } = await this.#ask('end')
    return { answer, total, longest, memory: peak - before, kept: heap - first.heap, ended: this.ended }
  }
}
