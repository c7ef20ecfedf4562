/** Sends the requests of steps to one server, as one of the identities that steps name. */
import http from 'node:http'
import https from 'node:https'
import { gunzipSync } from 'node:zlib'
import { substitute } from './variables.mjs'

export class Client {
  #server
  #credentials
  #agents = new Map()

  /**
   * @param server where it is: https://127.0.0.1:6443
   * @param credentials by identity, "admin" and "alice": { token } or { cert, key }
   */
  constructor(server, credentials) {
    this.#server = new URL(server)
    this.#credentials = credentials
  }

  close() {
    for (const agent of this.#agents.values()) agent.destroy()
  }

  /** Whoever is neither known by name nor by a token that an earlier step captured presents the word itself as a token. */
  #credentialsOf(who, vars) {
    if (who === 'nobody') return {}
    return this.#credentials[who] ?? { token: vars[who] ?? who }
  }

  #agentOf(certificate) {
    const key = certificate.cert ?? ''
    if (!this.#agents.has(key)) {
      const { Agent } = this.#server.protocol === 'https:' ? https : http
      this.#agents.set(key, new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false, ...certificate }))
    }
    return this.#agents.get(key)
  }

  #open(step, vars) {
    const headers = { Accept: 'application/json', 'User-Agent': 'conformance/1' }
    const { token, ...certificate } = this.#credentialsOf(step.as ?? 'admin', vars)
    if (token !== undefined) headers.Authorization = `Bearer ${token}`
    const payload = payloadOf(step, vars)
    if (step.body !== undefined) headers['Content-Type'] = 'application/json'
    for (const [name, value] of Object.entries(step.headers ?? {})) {
      const same = Object.keys(headers).find(known => known.toLowerCase() === name.toLowerCase()) ?? name
      if (value === null) delete headers[same]
      else headers[same] = substitute(value, vars)
    }
    if (payload) headers['Content-Length'] = payload.length
    // A watch keeps its connection to itself.
    const connection = step.watch
      ? { agent: false, rejectUnauthorized: false, ...certificate }
      : { agent: this.#agentOf(certificate) }
    const { request } = this.#server.protocol === 'https:' ? https : http
    const message = request(new URL(substitute(step.path, vars), this.#server), {
      method: step.method ?? (payload ? 'POST' : 'GET'),
      headers,
      ...connection
    })
    message.end(payload)
    return message
  }

  async send(step, vars) {
    const message = this.#open(step, vars)
    const milliseconds = step.timeoutMs ?? 20_000
    message.setTimeout(milliseconds, () => message.destroy(new Error('no answer in time')))
    const answer = await new Promise((resolve, reject) => message.on('error', reject).on('response', resolve))
    const chunks = []
    for await (const chunk of answer) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const plain = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
    return { status: answer.statusCode, headers: answer.headers, body: parse(plain, answer.headers['content-type']) }
  }

  watch(step, vars) {
    return new EventStream(this.#open(step, vars))
  }
}

function payloadOf(step, vars) {
  if (step.base64 !== undefined) return Buffer.from(step.base64, 'base64')
  if (step.raw !== undefined) return Buffer.from(substitute(step.raw, vars))
  if (step.body === undefined) return undefined
  const body = typeof step.body === 'function' ? step.body(vars) : step.body
  return Buffer.from(JSON.stringify(substitute(body, vars)))
}

const isJson = text => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON, lines of JSON, the magic number of a binary form, or text. */
function parse(bytes, type = '') {
  if (/protobuf|cbor/.test(type)) return { bytes: true, magic: bytes.subarray(0, 4).toString('latin1') }
  const text = bytes.toString('utf8')
  if (!/json/.test(type)) return text
  if (isJson(text)) return JSON.parse(text)
  const lines = text.trim().split('\n')
  return lines.every(isJson) ? lines.map(line => JSON.parse(line)) : text
}

/** The events of a watch as they arrive. */
class EventStream {
  events = []
  ended = false
  #message
  #changed = () => {}
  /** Resolves with the answer's beginning, or all of it where it is no stream. */
  response

  constructor(message) {
    this.#message = message
    this.response = this.#read()
    this.response.catch(() => {})
  }

  async #read() {
    try {
      const answer = await new Promise((resolve, reject) => this.#message.on('error', reject).on('response', resolve))
      const { statusCode: status, headers } = answer
      if (status === 200) {
        this.#follow(answer)
        return { status, headers, body: undefined }
      }
      const chunks = []
      for await (const chunk of answer) chunks.push(chunk)
      this.#end()
      return { status, headers, body: parse(Buffer.concat(chunks), headers['content-type']) }
    } catch (error) {
      this.#end()
      throw error
    }
  }

  #follow(answer) {
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', piece => {
      const lines = (text + piece).split('\n')
      text = lines.pop()
      for (const line of lines) if (line.trim() !== '') this.events.push(isJson(line) ? JSON.parse(line) : line)
      this.#changed()
    })
    answer.on('error', () => {}).on('close', () => this.#end())
  }

  #end() {
    this.ended = true
    this.#changed()
  }

  /** The next so many events, or what has come of them in time. */
  async take(count, milliseconds = 5000) {
    const deadline = Date.now() + milliseconds
    while (this.events.length < count && !this.ended && Date.now() < deadline) {
      await new Promise(resolve => {
        const timer = setTimeout(resolve, Math.max(1, deadline - Date.now()))
        this.#changed = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return this.events.splice(0, count)
  }

  close() {
    this.#message.destroy()
  }
}
