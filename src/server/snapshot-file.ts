/**
 * A snapshot as a file: gzip of lines of JSON. The first line says what the file is; each other line is a key of the store with its
 * revisions and its value, which is a text, or in base64 where it is encrypted. Whoever reads the file trusts it, as a data folder.
 */
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { KeyValue, StoreImage } from '../storage/contract.js'
import { memoryImage } from '../storage/memory/store.js'
import { pkiFileNames } from '../transport/certificates/pki.js'
import { writeFileAtomically } from '../transport/certificates/pki-files.js'
import { kubernetesMinor, kubernetesVersion } from '../util/kubernetes-version.js'
import { isMap } from '../util/members.js'
import { type RandomState, SeededRandomness } from '../util/seeded-randomness.js'
import { nextTurn, startSlice } from '../util/turns.js'
import { fileError, UserError } from '../util/user-error.js'
import { serviceRangeOf, storageBackendOf } from './defaults.js'
import { isLeftBehind } from './maintenance/migrate.js'
import type { ServerOptions } from './options.js'
import type { Origin } from './origin.js'

const format = 'binnacle snapshot'
/** Raised when servers of an older format could not read the file. */
const version = 1
const root = '/registry'

interface Head {
  readonly format: typeof format
  readonly version: number
  /** The Kubernetes version of the server: `v1.37.2`. */
  readonly kubernetes: string
  readonly revision: number
  /** The number of lines that follow. */
  readonly keys: number
  /** The texts of the keys and certificates that the server had made, by file name. */
  readonly pki: Readonly<Record<string, string>>
  readonly hostName?: string | undefined
  /** The addresses of Services. */
  readonly serviceRange: string
  /** Of a server with a seed: where the sequence of its random numbers is. */
  readonly random?: { readonly seed: string; readonly state: RandomState } | undefined
}

/** Key, createRevision, modRevision, version, value; with true, the value is in base64. */
type Line = readonly [string, number, number, number, string, true?]

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Writes the file of a snapshot, which only its owner may read; it appears complete or not at all. Rejects with a UserError. */
export async function saveSnapshot(
  path: string,
  { store, pki, hostName, random }: Origin,
  options: ServerOptions
): Promise<void> {
  const { seed } = options
  if (typeof path !== 'string' || path === '') throw new UserError('save() takes the path of a file')
  const { items, revision } = await contentOf(store!)
  const files = await Promise.all(pkiFileNames.map(async name => [name, await pki!.files.read(name)] as const))
  const head: Head = {
    format,
    version,
    kubernetes: kubernetesVersion,
    revision,
    keys: items.length,
    pki: Object.fromEntries(files.filter((file): file is [string, string] => file[1] !== undefined)),
    hostName,
    serviceRange: serviceRangeOf(options),
    random: random && seed !== undefined ? { seed, state: random.state } : undefined
  }
  const chunks = [Buffer.from(`${JSON.stringify(head)}\n`)]
  let sliceIsOver = startSlice()
  for (const item of items) {
    chunks.push(Buffer.from(`${JSON.stringify(lineOf(item))}\n`))
    if (!sliceIsOver()) continue
    await nextTurn()
    sliceIsOver = startSlice()
  }
  try {
    await writeFileAtomically(resolve(path), await compress(Buffer.concat(chunks)), 0o600)
  } catch (error) {
    throw fileError(path, error)
  }
}

async function contentOf(image: StoreImage): Promise<{ items: readonly KeyValue[]; revision: number }> {
  const store = await image.open()
  try {
    if (store.root !== root)
      throw new UserError(`the store has its keys below ${store.root}, not ${root}: its snapshots cannot be saved`)
    const { items } = await store.list(`${root}/`)
    return { items: items.filter(({ key }) => !isLeftBehind(key.slice(root.length + 1))), revision: image.revision }
  } finally {
    await store.close()
  }
}

const lineOf = ({ key, createRevision, modRevision, version: writes, value }: KeyValue): Line =>
  isUtf8(value)
    ? [key, createRevision, modRevision, writes, value.toString()]
    : [key, createRevision, modRevision, writes, value.toString('base64'), true]

/** What a server takes over from a file. */
export interface SavedSnapshot {
  readonly origin: Origin
  /** The range of Services' addresses of the server that saved it, for one whose options name none. */
  readonly serviceRange: string
}

/** Reads what a server with these options takes over from the file. Rejects with a UserError that names the file. */
export async function readSnapshot(path: string, options: ServerOptions): Promise<SavedSnapshot> {
  const backend = storageBackendOf(options)
  if (options.store) throw new UserError('--snapshot is for servers in memory, not for those with a store of their own')
  if (backend !== 'memory') throw new UserError(`--snapshot is for --storage-backend=memory, not ${backend}`)
  let packed: Buffer
  try {
    packed = await readFile(path)
  } catch (error) {
    throw fileError(`--snapshot ${path}`, error)
  }
  const refuse = (why: string, cause?: unknown) => new UserError(`--snapshot ${path}: ${why}`, { cause })
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) throw refuse('is no snapshot of Binnacle')
  const content = await expand(packed).catch(error => {
    throw refuse('is damaged, or was cut off: save it again', error)
  })
  const lines = linesOf(content)
  const head = headOf(lines.next().value, refuse)
  const items: KeyValue[] = []
  let sliceIsOver = startSlice()
  for (const line of lines) {
    items.push(itemOf(line, head, refuse))
    if (!sliceIsOver()) continue
    await nextTurn()
    sliceIsOver = startSlice()
  }
  if (items.length !== head.keys) throw refuse(`is damaged: it has ${items.length} of ${head.keys} keys`)
  const { seed } = options
  const origin: Origin = {
    // one more, so that a watch from the revision of the snapshot misses nothing, and one from before is told to list again
    store: memoryImage(items, head.revision + 1),
    pkiFiles: new Map(Object.entries(head.pki)),
    hostName: head.hostName,
    // another seed begins a sequence of its own
    random: head.random && head.random.seed === seed ? new SeededRandomness(head.random.state) : undefined
  }
  return { origin, serviceRange: head.serviceRange }
}

function* linesOf(content: Buffer): Generator<Buffer, undefined> {
  for (let start = 0, end = 0; start < content.length; start = end + 1) {
    end = content.indexOf(10, start)
    if (end < 0) end = content.length
    yield content.subarray(start, end)
  }
  return undefined
}

type Refuse = (why: string, cause?: unknown) => UserError

function jsonOf(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}

function headOf(line: Buffer | undefined, refuse: Refuse): Head {
  const head = line && jsonOf(line)
  if (!isMap(head) || head.format !== format) throw refuse('is no snapshot of Binnacle')
  if (head.version !== version)
    throw refuse(`has the format ${head.version}, and this Binnacle reads the format ${version}: use the Binnacle that saved it`)
  const { kubernetes, revision, keys, pki, serviceRange } = head
  if (typeof kubernetes !== 'string' || typeof serviceRange !== 'string' || !isCount(revision) || !isCount(keys) || !isMap(pki))
    throw refuse('is damaged')
  if (Number(kubernetes.split('.')[1]) > kubernetesMinor)
    throw refuse(`was saved by a server of Kubernetes ${kubernetes}, and this one is of ${kubernetesVersion}, which is older`)
  return head as unknown as Head
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function itemOf(line: Buffer, { revision }: Head, refuse: Refuse): KeyValue {
  const parts = jsonOf(line)
  if (!Array.isArray(parts)) throw refuse('is damaged: a line is no key')
  const [key, createRevision, modRevision, writes, text, isBase64] = parts as readonly unknown[]
  const isKey = typeof key === 'string' && key.startsWith(`${root}/`) && typeof text === 'string'
  if (!isKey || !isCount(createRevision) || !isCount(modRevision) || !isCount(writes) || modRevision > revision)
    throw refuse('is damaged: a line is no key')
  return { key, value: Buffer.from(text, isBase64 === true ? 'base64' : 'utf8'), createRevision, modRevision, version: writes }
}
