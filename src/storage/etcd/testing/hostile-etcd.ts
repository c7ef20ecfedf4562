/** A server that speaks etcd's protocol, and answers a seed's questions with nonsense. */
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status
} from '@grpc/grpc-js'
import { broken, type Field, message } from '../../../testkit/hostile-protobuf.js'
import { HostileValues } from '../../../testkit/hostile-values.js'
import { pick, type Random } from '../../../testkit/random.js'
import { silentLogger } from '../../../util/logger.js'
import {
  CompactedError,
  FutureRevisionError,
  type ListResult,
  type Store,
  type StoreEvent,
  StoreUnavailableError,
  TrailingError
} from '../../contract.js'
import { openEtcdStore } from '../store.js'

const integers = [0, 1, 5, 6, 7, 8, 1000, 2 ** 31, 2 ** 53, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n] as const
const prefix = '/hostile/'

/** Makes the messages of a seed. The right ones are at revision 5. */
class Answers {
  readonly #values: HostileValues
  readonly next: Random

  constructor(seed: number) {
    this.#values = new HostileValues(seed)
    this.next = this.#values.next
  }

  #integer = (right: number) => (this.next(4) === 0 ? pick(this.next, integers) : right)

  #some = (fields: readonly Field[]): Field[] => fields.filter(() => this.next(12) > 0)

  #key = (at: number): string =>
    this.next(10) === 0
      ? pick(this.next, ['', '/', prefix, '/hostile', '/other/a', this.#values.text(), `${prefix}\0`, `${prefix}a`])
      : `${prefix}k${at}`

  #keyValue = (at: number, revision = 5): Field[] =>
    this.#some([
      [1, this.#key(at)],
      [2, this.#integer(3)],
      [3, this.#integer(revision)],
      [4, this.#integer(1)],
      [5, this.next(20) === 0 ? Buffer.alloc(1_000_000) : this.#values.text()]
    ])

  /** A commit waits some seconds for a revision that does not come. */
  #ofCommit = (): Field => (this.next(100) === 0 ? this.#header() : [1, [[3, pick(this.next, [0, 1, 5])]]])

  #header = (): Field => [1, this.#some([[3, this.#integer(5)]])]

  #rangeFields(): Field[] {
    const count = this.next(4)
    const items = Array.from({ length: count }, (_, at): Field => [2, this.#keyValue(at)])
    if (this.next(6) === 0) items.reverse()
    if (this.next(6) === 0) items.push(...items)
    return this.#some([this.#header(), ...items, [4, this.#integer(count)]])
  }

  range = (): Buffer => broken(this.next, message(this.#rangeFields()))

  txn = (): Buffer => {
    const read = Array.from({ length: this.next(3) }, (): Field => [3, [[pick(this.next, [1, 1, 2, 9]), this.#rangeFields()]]])
    return broken(this.next, message(this.#some([this.#ofCommit(), [2, this.next(2)], ...read])))
  }

  watch = (): Buffer => {
    const event = (at: number): Field => {
      const previous: Field[] = this.next(3) > 0 ? [[3, this.#keyValue(at)]] : []
      return [11, this.#some([[1, pick(this.next, [0, 0, 1, 7])], [2, this.#keyValue(at, 6 + this.next(4))], ...previous])]
    }
    const events = Array.from({ length: this.next(4) }, (_, at) => event(at))
    const rare: Field[] = []
    if (this.next(10) === 0) rare.push([4, 1], [6, this.#values.text()])
    if (this.next(10) === 0) rare.push([5, pick(this.next, integers)])
    if (this.next(10) === 0) rare.push([3, 1])
    return broken(this.next, message([...this.#some([this.#header(), ...rare]), ...events]))
  }
}

const right = message([
  [1, [[3, 5]]],
  [4, 0]
])
const created = message([
  [1, [[3, 5]]],
  [3, 1]
])
const expected = [StoreUnavailableError, CompactedError, FutureRevisionError, TrailingError]
const bytes = { requestStream: false, responseStream: false, ...rawBytes() }

function rawBytes() {
  const same = (given: Buffer) => given
  return { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same }
}

export class HostileEtcd {
  readonly #server = new Server()
  readonly #store: Promise<Store>
  readonly #watches = new Set<ServerDuplexStream<Buffer, Buffer>>()
  #answers: Answers | undefined
  #asked = 0
  /** The answer to every question, in place of those of a seed. */
  #always: Buffer | undefined
  /** Whether it streams that answer. */
  #isStreaming = false

  private constructor() {
    const path = (service: string, method: string) => ({ path: `/etcdserverpb.${service}/${method}` })
    this.#server.addService(
      {
        Range: { ...bytes, ...path('KV', 'Range') },
        RangeStream: { ...bytes, ...path('KV', 'RangeStream'), responseStream: true },
        Txn: { ...bytes, ...path('KV', 'Txn') },
        Watch: { ...bytes, ...path('Watch', 'Watch'), requestStream: true, responseStream: true }
      },
      {
        Range: this.#unary(answers => answers.range()),
        RangeStream: (stream: ServerWritableStream<Buffer, Buffer>) => this.#streamed(stream),
        Txn: this.#unary(answers => answers.txn()),
        Watch: (stream: ServerDuplexStream<Buffer, Buffer>) => {
          stream.on('error', () => {})
          stream.once('close', () => this.#watches.delete(stream))
          stream.once('data', () => {
            this.#watches.add(stream)
            stream.write(created)
          })
          stream.on('end', () => stream.end())
        }
      }
    )
    this.#store = new Promise<number>((resolve, reject) =>
      this.#server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port)
      )
    ).then(port => openEtcdStore({ servers: [`http://127.0.0.1:${port}`], compactionInterval: 0, log: silentLogger }))
  }

  /** Sends some parts of a list, of which kube-apiserver's etcd gives only the last one a revision. */
  #streamed(stream: ServerWritableStream<Buffer, Buffer>): void {
    this.#asked++
    const unknown = { code: status.UNIMPLEMENTED, details: 'unknown method RangeStream' }
    if (this.#always && !this.#isStreaming) return void stream.emit('error', unknown)
    const part = (range: Buffer) => message([[1, range]])
    if (this.#always) stream.write(part(this.#always))
    else if (!this.#answers) stream.write(part(right))
    else for (let n = this.#answers.next(4); n > 0; n--) stream.write(broken(this.#answers.next, part(this.#answers.range())))
    if (this.#answers?.next(8) === 0)
      stream.emit('error', { code: pick(this.#answers.next, [status.OUT_OF_RANGE, status.INTERNAL]), details: 'x' })
    else stream.end()
  }

  #unary = (make: (answers: Answers) => Buffer) => (_: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) => {
    this.#asked++
    if (this.#always) return answer(null, this.#always)
    const answers = this.#answers
    if (!answers) return answer(null, right)
    const isError = answers.next(15) === 0
    if (!isError) return answer(null, make(answers))
    const known = ['compacted', 'a future revision'].map(what => `etcdserver: mvcc: required revision has been ${what}`)
    // the server asks for what has been compacted, which takes a second
    const details = answers.next(8) === 0 ? known[answers.next(2)]! : pick(answers.next, ['', 'x\r\ny', 'etcdserver: no space'])
    answer({
      code: pick(answers.next, [status.OUT_OF_RANGE, status.INTERNAL, status.UNKNOWN, status.PERMISSION_DENIED]),
      details
    })
  }

  static async start(): Promise<HostileEtcd> {
    const etcd = new HostileEtcd()
    await etcd.#store
    return etcd
  }

  /** Lists from an etcd that always sends these keys, and says that there are so many; as a stream, where it is asked for one and `streams`. */
  async list(keys: readonly string[], count: number, streams = false): Promise<ListResult> {
    const store = await this.#store
    this.#isStreaming = streams
    const items = keys.map(
      (key): Field => [
        2,
        [
          [1, key],
          [2, 3],
          [3, 5]
        ]
      ]
    )
    this.#always = message([[1, [[3, 5]]], ...items, [4, count]])
    try {
      return await store.list(prefix)
    } finally {
      this.#always = undefined
    }
  }

  /** Returns what is wrong with what became of a seed's answers; undefined when nothing is. */
  async problem(seed: number): Promise<string | undefined> {
    const store = await this.#store
    const problem = (what: string) => `etcd, seed ${seed}: ${what}`
    const answers = new Answers(seed)
    this.#asked = 0
    const events: StoreEvent[] = []
    const watch = await store.watch(prefix, store.seenRevision + 1, {
      onEvents: found => void events.push(...found),
      onError() {}
    })
    this.#answers = answers
    for (const stream of this.#watches) for (let n = answers.next(3); n > 0; n--) stream.write(answers.watch())
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>(resolve => {
      timer = setTimeout(resolve, 10_000, 'no answer')
    })
    const found = await Promise.race([this.#use(store, answers.next), late]).catch(
      error => `failed with ${error instanceof Error ? error.stack : error}`
    )
    clearTimeout(timer)
    watch.close()
    this.#answers = undefined
    if (found) return problem(found)
    if (this.#asked > 40) return problem(`asked ${this.#asked} times`)
    const foreign = events.find(({ key }) => !key.startsWith(prefix))
    return foreign && problem(`an event of ${foreign.key} was delivered`)
  }

  async #use(store: Store, next: Random): Promise<string | undefined> {
    const uses: (() => Promise<string | undefined>)[] = [
      async () => {
        const { items, revision, count } = await store.list(prefix, next(2) ? { limit: next(5) } : {})
        if (!items.every(({ key }) => key.startsWith(prefix))) return `listed ${items.map(({ key }) => key)}`
        return typeof revision === 'number' && typeof count === 'number' ? undefined : `listed at ${revision}, of ${count}`
      },
      async () => {
        const item = await store.get(`${prefix}k0`, next(2) ? { revision: 4 } : {})
        return item && item.key !== `${prefix}k0` ? `got ${item.key}` : undefined
      },
      async () => {
        const value = next(3) > 0 ? Buffer.from('x') : undefined
        const result = await store.commit([{ key: `${prefix}k0`, value, expected: next(3) > 0 ? 5 : undefined }])
        return typeof result.ok === 'boolean' ? undefined : `committed ${JSON.stringify(result)}`
      }
    ]
    for (const use of [...uses, uses[0]!]) {
      try {
        const found = await use()
        if (found) return found
      } catch (error) {
        if (!expected.some(kind => error instanceof kind)) throw error
      }
    }
    return undefined
  }

  async close(): Promise<void> {
    await (await this.#store).close()
    this.#server.forceShutdown()
  }
}
