/**
 * A server that speaks etcd's protocol and takes transactions of one key only, in the few forms that kine takes. It keeps its keys in a
 * memory store.
 */
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
  status
} from '@grpc/grpc-js'
import { type Field, message } from '../../../testkit/hostile-protobuf.js'
import { Reader, wireBytes } from '../../../util/protobuf/reader.js'
import { CompactedError, FutureRevisionError, type KeyValue, type Store, type StoreEvent } from '../../contract.js'
import { memoryImage } from '../../memory/store.js'

export interface SingleKeyEtcd {
  /** `http://127.0.0.1:…` */
  readonly url: string
  /** What it keeps. */
  readonly store: Store
  /** The seconds after which keys should end, of those that were written with a lease. */
  readonly ttls: ReadonlyMap<string, number>
  /**
   * Decides what becomes of writes: `refuse` answers with an error in place of the write, `lose` with an error after it, as when the answer does not
   * arrive.
   */
  fails: (key: string, isDeletion: boolean) => 'refuse' | 'lose' | undefined
  close(): Promise<void>
}

type Fields = Map<number, (Buffer | number)[]>
type Call = ServerUnaryCall<Buffer, Buffer>

const same = (given: Buffer) => given
const raw = { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same }
const unary = { requestStream: false, responseStream: false, ...raw }
const stream = { requestStream: true, responseStream: true, ...raw }
const path = (name: string) => ({ path: `/etcdserverpb.${name}` })

const version = 0
const modRevision = 2
const equal = 0

class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const unsupported = () => new Refusal(status.INVALID_ARGUMENT, 'etcdserver: unsupported operations in txn request')
const header = (revision: number): Field => [1, [[3, revision]]]

export async function startSingleKeyEtcd(): Promise<SingleKeyEtcd> {
  // as in an etcd without keys, nothing has happened at revision 1
  const store = await memoryImage([], 1).open({ compactionInterval: 0 })
  const ttls = new Map<string, number>()
  /** Keys that were there once. */
  const deleted = new Set<string>()
  const etcd: SingleKeyEtcd = {
    url: '',
    store,
    ttls,
    fails: () => undefined,
    async close() {
      server.forceShutdown()
      await store.close()
    }
  }
  const server = new Server()
  const answered = (answer: (request: Fields) => Promise<Buffer> | Buffer) => async (call: Call, send: sendUnaryData<Buffer>) => {
    try {
      send(null, await answer(parsed(call.request)))
    } catch (error) {
      send(inGrpc(error))
    }
  }
  server.addService(
    {
      Range: { ...unary, ...path('KV/Range') },
      Txn: { ...unary, ...path('KV/Txn') },
      Compact: { ...unary, ...path('KV/Compact') },
      LeaseGrant: { ...unary, ...path('Lease/LeaseGrant') },
      Watch: { ...stream, ...path('Watch/Watch') }
    },
    {
      Range: answered(async request => message(await range(store, request))),
      Txn: answered(request => transact(etcd, ttls, deleted, request)),
      Compact: answered(async request => {
        await store.compact(integer(request, 1))
        return message([header(store.seenRevision)])
      }),
      // its seconds are the id of a lease
      LeaseGrant: answered(request => message([[2, integer(request, 1)]])),
      Watch: (call: ServerDuplexStream<Buffer, Buffer>) => {
        call.on('error', () => {})
        call.once('data', (request: Buffer) => void watch(store, parsed(parsed(request).get(1)![0] as Buffer), call))
        call.on('end', () => call.end())
      }
    }
  )
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => (error ? reject(error) : resolve(port)))
  )
  return Object.assign(etcd, { url: `http://127.0.0.1:${port}` })
}

function parsed(bytes: Buffer): Fields {
  const fields: Fields = new Map()
  const reader = new Reader(bytes)
  while (!reader.done) {
    const number = reader.tag('request')
    const value = reader.wire === wireBytes ? reader.bytes() : reader.int64()
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}

const integer = (fields: Fields, number: number) => (fields.get(number)?.[0] ?? 0) as number
const bytesOf = (fields: Fields, number: number) => (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer
const messages = (fields: Fields, number: number) => (fields.get(number) ?? []).map(bytes => parsed(bytes as Buffer))

function inGrpc(error: unknown): { code: number; details: string } {
  const outOfRange = (what: string) => ({
    code: status.OUT_OF_RANGE,
    details: `etcdserver: mvcc: required revision ${what}`
  })
  if (error instanceof CompactedError) return outOfRange('has been compacted')
  if (error instanceof FutureRevisionError) return outOfRange('is a future revision')
  const { code = status.UNAVAILABLE, message } = error as Partial<Refusal> & Error
  return { code, details: message }
}

const keyValue = ({ key, value, createRevision, modRevision, version }: KeyValue): Field[] => [
  [1, key],
  [2, createRevision],
  [3, modRevision],
  [4, version],
  [5, value]
]

async function range(store: Store, request: Fields): Promise<Field[]> {
  const [key, end] = [bytesOf(request, 1), request.get(2)?.[0] as Buffer | undefined]
  const revision = integer(request, 4) || undefined
  if (!end) {
    const found = await store.get(String(key), { revision })
    return [header(store.seenRevision), ...(found ? [[2, keyValue(found)] as const, [4, 1] as const] : [])]
  }
  const { items } = await store.list('', { start: key.equals(Buffer.from([0])) ? '' : String(key), revision })
  const all = end.equals(Buffer.from([0])) ? items : items.filter(item => Buffer.compare(Buffer.from(item.key), end) < 0)
  const shown = integer(request, 9) ? [] : all.slice(0, integer(request, 3) || undefined)
  return [header(store.seenRevision), ...shown.map(item => [2, keyValue(item)] as const), [4, all.length]]
}

async function transact(etcd: SingleKeyEtcd, ttls: Map<string, number>, deleted: Set<string>, request: Fields): Promise<Buffer> {
  const { store } = etcd
  const [conditions, writes, otherwise] = [1, 2, 3].map(number => messages(request, number)) as [Fields[], Fields[], Fields[]]
  const [condition, write] = [conditions[0], writes[0]]
  const isRead = otherwise.length === 1 && otherwise[0]!.has(1)
  if (conditions.length !== 1 || writes.length !== 1 || !condition || !write || !isRead) throw unsupported()
  if (integer(condition, 1) !== equal) throw unsupported()
  const [put] = messages(write, 2)
  const [deletion] = messages(write, 3)
  const key = String(bytesOf((put ?? deletion)!, 1))
  let expected = integer(condition, 6)
  if (integer(condition, 2) === version) {
    if (key !== 'compact_rev_key' || !put) throw unsupported()
    const current = await store.get(key)
    expected = (current?.version ?? 0) === integer(condition, 4) ? (current?.modRevision ?? 0) : Number.MAX_SAFE_INTEGER
  } else if (integer(condition, 2) !== modRevision) throw unsupported()
  const fault = etcd.fails(key, !put)
  if (fault === 'refuse') throw new Refusal(status.UNAVAILABLE, 'the database is away')
  // deleting what is not there succeeds
  if (!put && !(await store.get(key))) return message([header(store.seenRevision), [2, 1], [3, [[3, []]]]])
  const result = await store.commit([{ key, value: put && Buffer.from(bytesOf(put, 2)), expected }])
  if (result.ok && put && integer(put, 3)) ttls.set(key, integer(put, 3))
  if (fault === 'lose') throw new Refusal(status.UNAVAILABLE, 'the connection is lost')
  // as kine may, where a key is created again
  const told = result.ok && put && deleted.delete(key) ? result.revision - 1 : store.seenRevision
  if (result.ok && !put) deleted.add(key)
  if (result.ok) return message([header(told), [2, 1], [3, [put ? [2, []] : [3, [[2, 1]]]]]])
  return message([header(store.seenRevision), [2, 0], [3, [[1, await range(store, new Map([[1, [Buffer.from(key)]]]))]]]])
}

async function watch(store: Store, request: Fields, call: ServerDuplexStream<Buffer, Buffer>): Promise<void> {
  const event = ({ type, key, current, previous, revision }: StoreEvent): Field => {
    const state = current ?? { key, value: Buffer.alloc(0), createRevision: 0, modRevision: revision, version: 0 }
    const before: Field[] = previous ? [[3, keyValue(previous)]] : []
    return [11, [[1, type === 'delete' ? 1 : 0], [2, keyValue(state)], ...before]]
  }
  call.write(message([header(store.seenRevision), [3, 1]]))
  const cancelled = (error: Error) => {
    const compacted: Field[] = error instanceof CompactedError ? [[5, error.compactRevision]] : []
    call.write(message([header(store.seenRevision), [4, 1], ...compacted, [6, error.message]]))
  }
  try {
    const handle = await store.watch('', integer(request, 3) || store.seenRevision + 1, {
      onEvents: (events, revision) => void call.write(message([header(revision), ...events.map(event)])),
      onError: cancelled
    })
    call.once('close', () => handle.close())
    call.once('cancelled', () => handle.close())
  } catch (error) {
    cancelled(error as Error)
  }
}
