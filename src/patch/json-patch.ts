/**
 * JSON Patch (RFC 6902) with the leniency of the library that kube-apiserver uses: `replace` adds a missing key, a missing
 * value is null, a missing key copies as null, indexes count from the end when negative, and what comes before the first
 * slash of a path is ignored. Whatever fails, a PATCH is answered with the same 422; webhooks and policies are told what it was.
 */
import { exactJson } from '../util/exact-json.js'
import { cloneJson, equalJson, getKey, isDeeperThan, type JsonObject, maxJsonDepth, setKey } from '../util/json.js'
import { type Opened, openedJson } from './opened-json.js'
import { PatchError, rejectedPatch } from './patch-error.js'

/** What all copy operations of a patch may add, in bytes of JSON. */
const maxCopiedBytes = 3 * 1024 * 1024

type Container = JsonObject | unknown[]

interface Place {
  readonly container: Container
  readonly key: string
}

/**
 * Returns the patched document. Throws PatchError. `opened` collects the objects that the patch has looked into; `source` is
 * the patch as it was sent.
 */
export function applyJsonPatch(
  document: JsonObject,
  operations: readonly JsonObject[],
  opened?: Opened,
  source?: string
): unknown {
  let root: Container = cloneJson(document)
  /** What the patch itself has written is compared with what it writes in the same way. */
  let untouched = true
  let copiedBytes = 0

  const find = (pointer: string): Place | undefined => {
    const parts = pointer.split('/')
    if (parts.length < 2) return undefined
    let container = root
    opened?.add(container)
    for (const part of parts.slice(1, -1)) {
      const key = decodeKey(part)
      if (Array.isArray(container) && !isExisting(container, key)) return undefined
      const next = read({ container, key })
      if (!isContainer(next)) return undefined
      container = next
      opened?.add(container)
    }
    return { container, key: decodeKey(parts.at(-1)!) }
  }

  for (const operation of operations) {
    const value = getKey(operation, 'value') ?? null
    switch (operation.op) {
      case 'add': {
        untouched = false
        const path = text(operation, 'path', 'add', missing)
        const place = find(path) ?? missingPath('add operation does not apply: doc is missing path: ', quoted(path))
        attempt(`error in add for path: '${path}'`, () => add(place, cloneJson(value)))
        break
      }
      case 'remove': {
        const path = text(operation, 'path', 'remove', missing)
        const place = find(path) ?? missingPath('remove operation does not apply: doc is missing path: ', quoted(path))
        attempt(`error in remove for path: '${path}'`, () => remove(place))
        break
      }
      case 'replace': {
        untouched = false
        const path = text(operation, 'path', 'replace')
        if (path !== '') {
          const place = find(path) ?? missingPath('replace operation does not apply: doc is missing path: ', path)
          if (Array.isArray(place.container) && !isExisting(place.container, place.key))
            missingPath('replace operation does not apply: doc is missing key: ', path)
          replace(place, cloneJson(value))
        } else if (isContainer(value)) root = cloneJson(value)
        else throw rejectedPatch('replace operation value must be object or array: %!w(<nil>)')
        break
      }
      case 'move': {
        const from = text(operation, 'from', 'move')
        const source = find(from) ?? missingPath('move operation does not apply: doc is missing from path: ', from)
        const moved = attempt(`error in move for path: '${source.key}'`, () => read(source))
        attempt(`error in move for path: '${source.key}'`, () => remove(source))
        const path = text(operation, 'path', 'move')
        const place = find(path) ?? missingPath('move operation does not apply: doc is missing destination path: ', path)
        attempt(`error in move for path: '${path}'`, () => add(place, moved))
        break
      }
      case 'copy': {
        const from = text(operation, 'from', 'copy')
        const place = find(from) ?? missingPath('copy operation does not apply: doc is missing from path: ', from)
        const copied = attempt(`error in copy for from: '${from}'`, () => read(place))
        const path = text(operation, 'path', 'copy', missing)
        const target = find(path) ?? missingPath('copy operation does not apply: doc is missing destination path: ', path)
        if (copied !== null) copiedBytes += Buffer.byteLength(openedJson(copied))
        if (copiedBytes > maxCopiedBytes)
          throw rejectedPatch(
            `Unable to complete the copy, the accumulated size increase of copy is ${copiedBytes}, exceeding the limit ${maxCopiedBytes}`
          )
        attempt('error while adding value during copy', () => add(target, cloneJson(copied)))
        break
      }
      case 'test': {
        const path = text(operation, 'path', 'test')
        const place =
          path === '' ? undefined : (find(path) ?? missingPath('test operation does not apply: is missing path: ', path))
        const actual = place ? attempt(`error in test for path: '${path}'`, () => read(place)) : root
        if (!equalJson(actual, value) || (untouched && !isWrittenAlike(actual, source)))
          throw rejectedPatch(`testing value ${path} failed: test failed`)
        openAll(actual, opened)
        break
      }
      default:
        throw rejectedPatch(`Unexpected kind: ${typeof operation.op === 'string' ? operation.op : 'unknown'}`)
    }
  }
  if (isDeeperThan(root, maxJsonDepth)) throw rejectedPatch()
  opened?.add(root)
  return root
}

/** Values are compared as JSON writes them: Go escapes some characters in a document, and no letters beyond ASCII. */
function isWrittenAlike(actual: unknown, source: string | undefined): boolean {
  if (source === undefined) return true
  for (const [char] of exactJson(actual).matchAll(/[<>&]|[^\0-\x7f]/g))
    if (/[<>&\u2028\u2029]/.test(char) === source.includes(char)) return false
  return true
}

const missing = 'missing value'
const quoted = (text: string) => `"${text}"`

function missingPath(what: string, path: string): never {
  throw rejectedPatch(`${what}${path}: ${missing}`)
}

/** Says of what goes wrong in `act` what was being done. */
function attempt<T>(what: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof PatchError ? rejectedPatch(`${what}: ${error.problem}`) : error
  }
}

/** `instead`: what is said in place of the reason why it cannot be read. */
function text(operation: JsonObject, member: 'path' | 'from', op: string, instead?: string): string {
  const value = getKey(operation, member)
  if (typeof value === 'string') return value
  const why = `operation${member === 'from' ? ',' : ''} missing ${member} field: ${missing}`
  throw rejectedPatch(`${op} operation failed to decode ${member}: ${instead ?? why}`)
}

function read({ container, key }: Place): unknown {
  return Array.isArray(container) ? container[existingIndex(container, key)] : (getKey(container, key) ?? null)
}

function add({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) setKey(container, key, value)
  else if (key === '-') container.push(value)
  else {
    if (!integer.test(key)) throw rejectedPatch(`value was not a proper array index: '${key}': ${notInteger(key)}`)
    container.splice(index(key, container.length + 1), 0, value)
  }
}

function replace({ container, key }: Place, value: unknown): void {
  if (Array.isArray(container)) container[existingIndex(container, key)] = value
  else setKey(container, key, value)
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(existingIndex(container, key), 1)
  else if (Object.hasOwn(container, key)) delete container[key]
  else throw rejectedPatch(`Unable to remove nonexistent key: ${key}: ${missing}`)
}

function existingIndex(list: unknown[], key: string): number {
  return index(key, list.length)
}

function isExisting(list: unknown[], key: string): boolean {
  const n = Number(key)
  return integer.test(key) && n < list.length && n >= -list.length
}

const integer = /^[+-]?[0-9]+$/
const notInteger = (key: string) => `strconv.Atoi: parsing ${quoted(key)}: invalid syntax`

/** An index below `end`, also counted backwards from there. */
function index(key: string, end: number): number {
  if (!integer.test(key)) throw rejectedPatch(notInteger(key))
  const n = Number(key)
  const at = n < 0 ? n + end : n
  if (at < 0 || at >= end) throw rejectedPatch(`Unable to access invalid index: ${n}: invalid index referenced`)
  return at + 0
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
