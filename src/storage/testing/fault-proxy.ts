/** A TCP proxy that can hold what passes through it, as a network does that loses all packets: no end of a connection is told. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

interface Pair {
  readonly client: Socket
  readonly target: Socket
  /** Who opened the connection, as far as `nameOf` could tell. */
  name: string | undefined
}

export class FaultProxy {
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #held: (name: string | undefined) => boolean
  #isHolding = false

  private constructor(targetPort: () => number, nameOf: (data: Buffer) => string | undefined) {
    this.#held = name => this.#isHolding || (name !== undefined && this.#heldNames.has(name))
    this.#server = createServer(client => {
      const pair: Pair = { client, target: connect(targetPort(), '127.0.0.1'), name: undefined }
      this.#pairs.add(pair)
      const { target } = pair
      client.on('data', data => {
        pair.name ??= nameOf(data)
        target.write(data)
        this.#apply(pair)
      })
      target.on('data', data => client.write(data))
      for (const socket of [client, target]) {
        socket.setNoDelay(true)
        socket.on('error', () => {})
        socket.on('close', () => {
          client.destroy()
          target.destroy()
          this.#pairs.delete(pair)
        })
      }
      this.#apply(pair)
    })
  }

  #heldNames: ReadonlySet<string> = new Set()

  /**
   * `nameOf`: finds in the first data of a connection who opened it, for `holdFrom`. The target's port is asked for with each
   * connection, because the target may start later than the proxy.
   */
  static async start(
    targetPort: () => number,
    nameOf: (data: Buffer) => string | undefined = () => undefined
  ): Promise<FaultProxy> {
    const proxy = new FaultProxy(targetPort, nameOf)
    await new Promise<void>(resolve => void proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Holds all data in both directions, also of new connections. */
  hold(): void {
    this.#isHolding = true
    for (const pair of this.#pairs) this.#apply(pair)
  }

  /** Holds the connections that these opened. */
  holdFrom(names: readonly string[]): void {
    this.#heldNames = new Set(names)
    for (const pair of this.#pairs) this.#apply(pair)
  }

  /** Delivers what was held, and lets everything pass. */
  pass(): void {
    this.#isHolding = false
    this.holdFrom([])
  }

  #apply({ client, target, name }: Pair): void {
    const held = this.#held(name)
    for (const socket of [client, target]) held ? socket.pause() : socket.resume()
  }

  close(): void {
    this.#server.close()
    for (const { client } of this.#pairs) client.destroy()
  }
}
