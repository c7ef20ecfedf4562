/** A client of one of the two servers. */
import https from 'node:https'

export class Server {
  #agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false })
  #url
  #token

  constructor(url, token) {
    this.#url = new URL(url)
    this.#token = token
  }

  get host() {
    return this.#url.host
  }

  /** Sends a request; resolves with status, headers and the body's bytes. A header of null is left out. */
  send({ path, headers = {}, body, method = body === undefined ? 'GET' : 'POST' }) {
    const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const all = { accept: 'application/json', 'user-agent': 'compare', authorization: `Bearer ${this.#token}` }
    if (payload !== undefined) all['content-type'] = 'application/json'
    Object.assign(all, headers)
    for (const name of Object.keys(all)) if (all[name] === null) delete all[name]
    if (payload !== undefined) all['content-length'] = Buffer.byteLength(payload)
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url
      const request = https.request({ hostname, port, path, method, headers: all, agent: this.#agent }, response => {
        const chunks = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }))
        response.on('error', reject)
      })
      request.setTimeout(30_000, () =>
        request.destroy(new Error(`no answer of ${hostname}:${port} to ${method} ${path}: ${String(payload).slice(0, 2000)}`))
      )
      request.on('error', reject)
      request.end(payload)
    })
  }

  close() {
    this.#agent.destroy()
  }
}
