/** A TCP proxy in front of an API server, which loses connections as networks do. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export class LossyProxy {
  #server
  #pairs = new Set()
  #target
  port = 0
  /** Connections so far. */
  connections = 0

  static async to(url) {
    const proxy = new LossyProxy()
    const { hostname, port } = new URL(url)
    proxy.#target = { host: hostname, port: Number(port) }
    await proxy.#listen()
    return proxy
  }

  async #listen() {
    this.#server = createServer(socket => this.#join(socket)).listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = this.#server.address().port
  }

  #join(near) {
    this.connections++
    const pair = { near, far: connect(this.#target) }
    const { far } = pair
    this.#pairs.add(pair)
    const end = () => {
      near.destroy()
      far.destroy()
      this.#pairs.delete(pair)
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    near.pipe(far)
    far.pipe(near)
  }

  #silence({ near, far }) {
    near.unpipe(far)
    far.unpipe(near)
    near.pause()
    far.pause()
  }

  /** Resets all connections. */
  cut() {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
    this.#pairs.clear()
  }

  /** What is connected stays, and carries nothing any more; new connections do. */
  freeze() {
    for (const pair of this.#pairs) this.#silence(pair)
  }

  /** Refuses connections until `up`. */
  async down() {
    this.#server.close()
    this.cut()
  }

  up() {
    return this.#listen()
  }

  close() {
    this.#server.close()
    this.cut()
  }
}
