/**
 * JSON Patch (RFC 6902), as lenient as the library that kube-apiserver uses. `replace` adds a missing key. A missing value is null. A
 * missing key copies as null. Negative indexes count from the end. Text before the first slash of a path is ignored. Every failure is
 * answered with the same 422.
 */

import { unescapedJson } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { cloneJson, equalJson, getKey, isDeeperThan, type JsonObject, maxJsonDepth, setKey } from '../../util/json.js'
import { nextTurn, startSlice } from '../../util/turns.js'
import { type Opened, openedJson } from './opened-json.js'
import { RejectedOperation, rejectedPatch } from './patch-error.js'

/** The most bytes of JSON that all copy operations of a patch together may add. */
const maxCopiedBytes = 3 * 1024 * 1024

type Container = JsonObject | unknown[]

interface Place {
  readonly container: Container
  readonly key: string
}

/**
 * Returns the patched document. Throws PatchError; RejectedOperation for an operation that cannot be applied. `opened` collects
 * the objects that the patch has opened; `source` is the text of the patch.
 */
export function applyJsonPatch(
  document: JsonObject,
  operations: readonly JsonObject[],
  opened?: Opened,
  source?: string
): unknown {
  const steps = patchSteps(document, operations, opened, source)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Applies a JSON Patch and gives others turns: thousands of operations in the middle of a long list take seconds. */
export async function applyJsonPatchInTurns(
  document: JsonObject,
  operations: readonly JsonObject[],
  source?: string
): Promise<unknown> {
  const steps = patchSteps(document, operations, undefined, source)
  for (let sliceIsOver = startSlice(); ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (!sliceIsOver()) continue
    await nextTurn()
    sliceIsOver = startSlice()
  }
}

/** Applies the operations, and yields before each of them. */
function* patchSteps(
  document: JsonObject,
  operations: readonly JsonObject[],
  opened: Opened | undefined,
  source: string | undefined
): Generator<undefined, unknown> {
  const patched = new PatchedDocument(cloneJson(document), opened, source)
  for (const operation of operations) {
    yield
    patched.apply(operation)
  }
  if (isDeeperThan(patched.root, maxJsonDepth)) throw rejectedPatch()
  opened?.add(patched.root)
  return patched.root
}

/** The document, on which the operations work one after the other. */
class PatchedDocument {
  root: Container
  readonly #opened: Opened | undefined
  readonly #source: string | undefined
  /** True until the patch changes the document. Later, both sides of a test may come from the patch, and are escaped alike. */
  #untouched = true
  #copiedBytes = 0

  constructor(root: Container, opened: Opened | undefined, source: string | undefined) {
    this.root = root
    this.#opened = opened
    this.#source = source
  }

  apply(operation: JsonObject): void {
    const value = getKey(operation, 'value') ?? null
    switch (operation.op) {
      case 'add':
        return this.#add(text(operation, 'path'), value)
      case 'remove':
        return this.#remove(text(operation, 'path'))
      case 'replace':
        return this.#replace(text(operation, 'path'), value)
      case 'move':
        return this.#move(operation)
      case 'copy':
        return this.#copy(operation)
      case 'test':
        return this.#test(text(operation, 'path'), value)
      default:
        throw new RejectedOperation(`Unexpected kind: ${typeof operation.op === 'string' ? operation.op : 'unknown'}`)
    }
  }

  #add(path: string, value: unknown): void {
    const at = this.#place(path, `add operation does not apply: doc is missing path: "${path}"`)
    add(at, cloneJson(value), `error in add for path: '${path}'`)
    this.#untouched = false
  }

  #remove(path: string): void {
    const at = this.#place(path, `remove operation does not apply: doc is missing path: "${path}"`)
    remove(at, `error in remove for path: '${path}'`)
  }

  #replace(path: string, value: unknown): void {
    this.#untouched = false
    if (path !== '') {
      const at = this.#place(path, `replace operation does not apply: doc is missing path: ${path}`)
      if (!replace(at, cloneJson(value)))
        throw new RejectedOperation(`replace operation does not apply: doc is missing key: ${path}: missing value`)
    } else if (isContainer(value)) this.root = cloneJson(value)
    else throw new RejectedOperation('replace operation value must be object or array: %!w(<nil>)')
  }

  #move(operation: JsonObject): void {
    const from = text(operation, 'from')
    const origin = this.#place(from, `move operation does not apply: doc is missing from path: ${from}`)
    const moved = read(origin, `error in move for path: '${origin.key}'`)
    remove(origin, `error in move for path: '${origin.key}'`)
    const path = text(operation, 'path')
    const at = this.#place(path, `move operation does not apply: doc is missing destination path: ${path}`)
    add(at, moved, `error in move for path: '${path}'`)
  }

  #copy(operation: JsonObject): void {
    const from = text(operation, 'from')
    const found = this.#place(from, `copy operation does not apply: doc is missing from path: ${from}`)
    const copied = read(found, `error in copy for from: '${from}'`)
    const path = text(operation, 'path')
    const at = this.#place(path, `copy operation does not apply: doc is missing destination path: ${path}`)
    if (copied !== null) this.#copiedBytes += Buffer.byteLength(openedJson(copied))
    if (this.#copiedBytes > maxCopiedBytes) throw new RejectedOperation(tooMuchCopied(this.#copiedBytes))
    add(at, cloneJson(copied), 'error while adding value during copy')
  }

  #test(path: string, value: unknown): void {
    const actual =
      path === ''
        ? this.root
        : read(this.#place(path, `test operation does not apply: is missing path: ${path}`), `error in test for path: '${path}'`)
    if (!equalJson(actual, value) || (this.#untouched && !isWrittenAlike(actual, this.#source)))
      throw new RejectedOperation(`testing value ${path} failed: test failed`, true)
    openAll(actual, this.#opened)
  }

  #place(pointer: string, missing: string): Place {
    const found = this.#find(pointer)
    if (!found) throw new RejectedOperation(`${missing}: missing value`)
    return found
  }

  /** Returns undefined when there is no container for the last part of the path. */
  #find(pointer: string): Place | undefined {
    const parts = pointer.split('/')
    if (parts.length < 2) return undefined
    let container = this.root
    this.#opened?.add(container)
    for (const part of parts.slice(1, -1)) {
      const next = readIfThere({ container, key: decodeKey(part) })
      if (!isContainer(next)) return undefined
      container = next
      this.#opened?.add(container)
    }
    return { container, key: decodeKey(parts.at(-1)!) }
  }
}

/** Compares values as JSON text: Go escapes some characters in a document, but no letters beyond ASCII. */
function isWrittenAlike(actual: unknown, source: string | undefined): boolean {
  if (source === undefined) return true
  for (const [char] of unescapedJson(actual).matchAll(/[<>&]|[^\0-\x7f]/g))
    if (/[<>&\u2028\u2029]/.test(char) === source.includes(char)) return false
  return true
}

const tooMuchCopied = (bytes: number) =>
  `Unable to complete the copy, the accumulated size increase of copy is ${bytes}, exceeding the limit ${maxCopiedBytes}`

const tellsNoField: ReadonlySet<string> = new Set(['add', 'remove', 'copy'])

function text(operation: JsonObject, member: 'path' | 'from'): string {
  const value = getKey(operation, member)
  if (typeof value === 'string') return value
  const op = String(operation.op)
  const isFrom = member === 'from'
  const why = !isFrom && tellsNoField.has(op) ? '' : `operation${isFrom ? ',' : ''} missing ${member} field: `
  throw new RejectedOperation(`${op} operation failed to decode ${member}: ${why}missing value`)
}

/** Returns the value; undefined for an index that the list lacks. */
function readIfThere({ container, key }: Place): unknown {
  if (!Array.isArray(container)) return getKey(container, key) ?? null
  const at = index(key, container.length)
  return typeof at === 'number' ? container[at] : undefined
}

/** Returns the value. `what` names the operation in errors. */
function read({ container, key }: Place, what: string): unknown {
  return Array.isArray(container) ? container[known(index(key, container.length), what)] : (getKey(container, key) ?? null)
}

function add({ container, key }: Place, value: unknown, what: string): void {
  if (!Array.isArray(container)) setKey(container, key, value)
  else if (key === '-') container.push(value)
  else {
    const at = index(key, container.length + 1)
    const improper = typeof at === 'string' && at.startsWith('strconv')
    container.splice(known(improper ? `value was not a proper array index: '${key}': ${at}` : at, what), 0, value)
  }
}

/** Returns false when the index does not exist. */
function replace({ container, key }: Place, value: unknown): boolean {
  if (!Array.isArray(container)) setKey(container, key, value)
  else {
    const at = index(key, container.length)
    if (typeof at === 'string') return false
    container[at] = value
  }
  return true
}

function remove({ container, key }: Place, what: string): void {
  if (Array.isArray(container)) container.splice(known(index(key, container.length), what), 1)
  else if (Object.hasOwn(container, key)) delete container[key]
  else throw new RejectedOperation(`${what}: Unable to remove nonexistent key: ${key}: missing value`)
}

function known(index: number | string, what: string): number {
  if (typeof index === 'number') return index
  throw new RejectedOperation(`${what}: ${index}`)
}

/** Parses an index below `end`; negative ones count from there. Returns the error text for an invalid index. */
function index(key: string, end: number): number | string {
  if (!/^[+-]?[0-9]+$/.test(key)) return `strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`
  const n = Number(key)
  if (Math.abs(n) >= 2 ** 63) return `strconv.Atoi: parsing ${goQuote(key)}: value out of range`
  const at = n < 0 ? n + end : n
  return at < 0 || at >= end ? `Unable to access invalid index: ${n}: invalid index referenced` : at + 0
}

function decodeKey(key: string): string {
  return key.replace(/~[01]/g, tilde => (tilde === '~1' ? '/' : '~'))
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function openAll(value: unknown, opened: Opened | undefined): void {
  if (!opened || !isContainer(value)) return
  opened.add(value)
  for (const child of Object.values(value)) openAll(child, opened)
}
