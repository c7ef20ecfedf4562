/** Connections with HTTP/1.1: for servers that speak nothing else, such as `kubectl proxy`. */
import { Agent, request } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Call, CallAnswer, Connections } from './call.js'
import { NotProcessed } from './errors.js'

export class Http1Connections implements Connections {
  readonly #agent: Agent
  readonly #host: string
  #calls = 0
  #isRetired = false
  #ended: (() => void) | undefined

  /** `first` is a connection that is there already. */
  constructor(server: URL, dial: () => Promise<Duplex>, first?: Duplex) {
    this.#host = server.host
    let ready = first
    this.#agent = new Agent({ keepAlive: true })
    this.#agent.createConnection = (_, callback) => {
      const socket = ready ? Promise.resolve(ready) : dial()
      ready = undefined
      socket.then(
        found => callback?.(null, found),
        error => callback?.(error, undefined as never)
      )
      return undefined
    }
  }

  call({ method, path, headers, body, signal }: Call): Promise<CallAnswer> {
    if (this.#isRetired) return Promise.reject(new NotProcessed('the connections are closed'))
    this.#calls++
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': body.length }
      const asked = request({
        agent: this.#agent,
        method,
        path,
        headers: { host: this.#host, ...headers, ...length },
        ...(signal ? { signal } : {})
      })
      asked.on('response', answer => {
        // whoever waits for the answer holds the process, not the socket
        answer.socket.unref()
        resolve({
          status: answer.statusCode!,
          headers: answer.headers as CallAnswer['headers'],
          body: answer,
          isWhole: () => answer.complete
        })
      })
      asked.once('close', () => {
        if (--this.#calls === 0) this.#ended?.()
      })
      asked.on('error', error => reject(signal?.aborted ? signal.reason : error))
      asked.end(body)
    })
  }

  async retire(): Promise<void> {
    this.#isRetired = true
    // connections without a request end now, the others with theirs
    this.#agent.maxFreeSockets = 0
    for (const socket of Object.values(this.#agent.freeSockets).flat()) socket?.destroy()
    if (this.#calls > 0) await new Promise<void>(resolve => (this.#ended = resolve))
  }

  close(): void {
    this.#agent.destroy()
  }
}
