/** A KMS v2 plugin that answers with nonsense or not at all, and what becomes of values meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { broken, type Field, message } from '../../../testkit/hostile-protobuf.js'
import { HostileValues } from '../../../testkit/hostile-values.js'
import { pick, type Random } from '../../../testkit/random.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { silentLogger } from '../../../util/logger.js'
import { systemRandomness } from '../../../util/randomness.js'
import { KmsClient } from '../kms/client.js'
import { KmsProvider } from '../kms/provider.js'
import { EncryptionMetrics } from '../metrics.js'
import { TransformError } from '../transformer.js'

const place = { key: '/registry/secrets/default/a', resource: 'secrets' }
const timeoutMs = 100
const raw = {
  ...{ requestStream: false, responseStream: false },
  ...{ requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same }
}

function same(bytes: Buffer): Buffer {
  return bytes
}

type Make = (values: HostileValues) => readonly Field[]
const odd = (next: Random, right: string) =>
  next(5) === 0 ? pick(next, ['', 'x'.repeat(2000), '\r\n', '\0', '__proto__', 'v3']) : right
const annotation = ({ next }: HostileValues): Field => {
  const key = pick(next, ['a.example.com', '__proto__', '', 'A B', 'x'.repeat(300)])
  return [
    3,
    [
      [1, key],
      [2, Buffer.alloc(pick(next, [0, 1, 40_000]))]
    ]
  ]
}
const answers: Readonly<Record<string, Make>> = {
  Status: ({ next }) => [
    [1, odd(next, 'v2')],
    [2, odd(next, 'ok')],
    [3, odd(next, pick(next, ['k1', 'k2']))]
  ],
  Encrypt: values => [
    [1, Buffer.alloc(pick(values.next, [0, 32, 32, 32, 2000]), 1)],
    [2, odd(values.next, pick(values.next, ['k1', 'k2']))],
    ...(values.next(3) === 0 ? [annotation(values)] : [])
  ],
  Decrypt: ({ next }) => [[1, Buffer.alloc(pick(next, [0, 16, 31, 32, 100]), 1)]]
}

export class HostilePlugin {
  readonly #folder = mkdtempSync(join(tmpdir(), 'binnacle-hostile-kms-'))
  readonly #socket = join(this.#folder, 'kms.sock')
  readonly #server = new Server()
  #values = new HostileValues(0)

  static async start(): Promise<HostilePlugin> {
    const plugin = new HostilePlugin()
    const names = Object.keys(answers)
    const service = names.map(name => [name, { ...raw, path: `/v2.KeyManagementService/${name}` }])
    const handle = (name: string) => (_: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) =>
      plugin.#answer(name, done)
    plugin.#server.addService(Object.fromEntries(service), Object.fromEntries(names.map(name => [name, handle(name)])))
    await new Promise<void>((resolve, reject) =>
      plugin.#server.bindAsync(`unix:${plugin.#socket}`, ServerCredentials.createInsecure(), error =>
        error ? reject(error) : resolve()
      )
    )
    return plugin
  }

  #answer(name: string, done: sendUnaryData<Buffer>): void {
    const values = this.#values
    const { next } = values
    const what = next(30)
    // no answer at all
    if (what === 0) return
    if (what === 1) return done({ code: pick(next, [status.INTERNAL, status.UNAVAILABLE, status.OK]), details: values.text() })
    done(null, broken(next, message(answers[name]!(values))))
  }

  /** Returns what is wrong with what became of a seed's answers; undefined when nothing is. */
  async problem(seed: number): Promise<string | undefined> {
    this.#values = new HostileValues(seed)
    const { next } = this.#values
    const problem = (what: unknown) => `KMS plugin, seed ${seed}: ${what instanceof Error ? what.stack : what}`
    const clock = new FakeClock()
    const counts = new EncryptionMetrics(new Metrics(), clock, 'server')
    const service = new KmsClient({ socket: this.#socket, timeoutMs, called() {} })
    const provider = new KmsProvider({
      ...{ name: 'p', service, clock, random: systemRandomness, counts, log: silentLogger },
      readable() {}
    })
    try {
      await provider.start()
      const stored: [Buffer, Buffer][] = []
      for (let step = 0; step < 6; step++) {
        clock.advance(pick(next, [0, 4000, 20_000, 60_000, 181_000]))
        await provider.check().catch(error => {
          const known = /^(?:kmsv2 Provider p is not healthy|failed to perform status section)/
          if (!(error instanceof TransformError) && !known.test(error.message)) throw error
        })
        const text = Buffer.from(`text ${step}`)
        try {
          stored.push([text, provider.encrypt(text, place)])
        } catch (error) {
          if (!(error instanceof TransformError)) return problem(error)
        }
        // what this process has encrypted it can read, whatever the plugin says since
        for (const [text, value] of stored)
          if (!provider.decrypt(value, place).value.equals(text)) return problem('a value has changed')
        const other = this.#foreign(stored)
        if (!other) continue
        await provider.prepare(other)
        try {
          provider.decrypt(other, place)
          return problem('a value that nobody has encrypted was decrypted')
        } catch (error) {
          if (!(error instanceof TransformError)) return problem(error)
        }
      }
      return undefined
    } catch (error) {
      return problem(error)
    } finally {
      provider.stop()
    }
  }

  /** A value as another process, or nobody, may have stored it. */
  #foreign(stored: readonly [Buffer, Buffer][]): Buffer | undefined {
    const { next } = this.#values
    const fields: Field[] = [
      [1, Buffer.alloc(100, 1)],
      [2, 'k1'],
      [3, Buffer.alloc(32, next(256))],
      [5, next(3)]
    ]
    if (next(2) === 0) return broken(next, message(fields))
    const [, value] = stored.at(-1) ?? []
    if (!value) return undefined
    const changed = Buffer.from(value)
    // in what has been encrypted, which comes first
    changed[40 + next(10)]! ^= 1 + next(255)
    return changed
  }

  async close(): Promise<void> {
    this.#server.forceShutdown()
    rmSync(this.#folder, { recursive: true })
  }
}
