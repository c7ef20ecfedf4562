/** A client that measures requests, and what they cost the server's process. */
import https from 'node:https'
import { cpuOf, memoryOf } from './process.mjs'
import { headers } from './server.mjs'

export class BenchClient {
  #agent = new https.Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false })

  /** `server` comes from `startServer`. */
  constructor({ url, pid }) {
    this.url = url
    this.pid = pid
  }

  /** Opens a request. Resolves with the response, whose body has not been read. */
  open(method, path, body, { type = 'application/json', agent = this.#agent, accept = 'application/json' } = {}) {
    return new Promise((resolve, reject) => {
      const data = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const all = { ...headers, accept }
      if (data) Object.assign(all, { 'content-type': type, 'content-length': data.length })
      const request = https.request(this.url + path, { method, agent, headers: all, rejectUnauthorized: false }, resolve)
      request.on('error', reject)
      request.end(data)
    })
  }

  async ask(method, path, body, options) {
    const response = await this.open(method, path, body, options)
    const pieces = []
    for await (const piece of response) pieces.push(piece)
    return { status: response.statusCode, body: Buffer.concat(pieces) }
  }

  get(path, options) {
    return this.ask('GET', path, undefined, options)
  }

  /** Sends a request that has to succeed; resolves with the body. */
  async must(method, path, body, options) {
    const answer = await this.ask(method, path, body, options)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`)
    return answer.body
  }

  /** Runs `work` for 0 to count - 1, `width` at a time. Resolves with the times in milliseconds, and the CPU time per run. */
  async measure(count, width, work) {
    const times = []
    let next = 0
    const cpu = this.cpu()
    const worker = async () => {
      while (next < count) {
        const began = performance.now()
        await work(next++)
        times.push(performance.now() - began)
      }
    }
    await Promise.all(Array.from({ length: width }, worker))
    times.sort((a, b) => a - b)
    const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))]
    return { p50: at(0.5), p99: at(0.99), cpu: (this.cpu() - cpu) / count }
  }

  /** Milliseconds of CPU time that the server has used so far. */
  cpu() {
    return cpuOf(this.pid)
  }

  memory() {
    return memoryOf(this.pid)
  }

  close() {
    this.#agent.destroy()
  }
}

export const timed = ({ p50, p99, cpu }) => `${p50.toFixed(2)} / ${p99.toFixed(2)} ms, ${cpu.toFixed(cpu < 1 ? 3 : 2)} ms CPU`
