/**
 * JSON Patch (RFC 6902) with the leniency of the library that kube-apiserver uses: `replace` adds a missing key, a missing
 * value is null, a missing key copies as null, indexes count from the end when negative, and what comes before the first
 * slash of a path is ignored. Whatever fails, the answer is the same 422.
 */
import { exactJson } from '../util/exact-json.js'
import { cloneJson, equalJson, getKey, isDeeperThan, type JsonObject, maxJsonDepth, setKey } from '../util/json.js'
import { type Opened, openedJson } from './opened-json.js'
import { rejectedPatch } from './patch-error.js'

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

  const find = (pointer: string): Place => {
    const parts = pointer.split('/')
    if (parts.length < 2) throw rejectedPatch()
    let container = root
    opened?.add(container)
    for (const part of parts.slice(1, -1)) {
      const next = read({ container, key: decodeKey(part) })
      if (!isContainer(next)) throw rejectedPatch()
      container = next
      opened?.add(container)
    }
    return { container, key: decodeKey(parts.at(-1)!) }
  }

  for (const operation of operations) {
    const value = getKey(operation, 'value') ?? null
    switch (operation.op) {
      case 'add':
        untouched = false
        add(find(text(operation, 'path')), cloneJson(value))
        break
      case 'remove':
        remove(find(text(operation, 'path')))
        break
      case 'replace': {
        untouched = false
        const path = text(operation, 'path')
        if (path !== '') replace(find(path), cloneJson(value))
        else if (isContainer(value)) root = cloneJson(value)
        else throw rejectedPatch()
        break
      }
      case 'move': {
        const from = find(text(operation, 'from'))
        const moved = read(from)
        remove(from)
        add(find(text(operation, 'path')), moved)
        break
      }
      case 'copy': {
        const source = read(find(text(operation, 'from')))
        if (source !== null) copiedBytes += Buffer.byteLength(openedJson(source))
        if (copiedBytes > maxCopiedBytes) throw rejectedPatch()
        add(find(text(operation, 'path')), cloneJson(source))
        break
      }
      case 'test': {
        const path = text(operation, 'path')
        const actual = path === '' ? root : read(find(path))
        if (!equalJson(actual, value) || (untouched && !isWrittenAlike(actual, source))) throw rejectedPatch()
        openAll(actual, opened)
        break
      }
      default:
        throw rejectedPatch()
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

function text(operation: JsonObject, member: 'path' | 'from'): string {
  const value = getKey(operation, member)
  if (typeof value !== 'string') throw rejectedPatch()
  return value
}

function read({ container, key }: Place): unknown {
  return Array.isArray(container) ? container[existingIndex(container, key)] : (getKey(container, key) ?? null)
}

function add({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) setKey(container, key, value)
  else if (key === '-') container.push(value)
  else container.splice(index(key, container.length + 1), 0, value)
}

function replace({ container, key }: Place, value: unknown): void {
  if (Array.isArray(container)) container[existingIndex(container, key)] = value
  else setKey(container, key, value)
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(existingIndex(container, key), 1)
  else if (Object.hasOwn(container, key)) delete container[key]
  else throw rejectedPatch()
}

function existingIndex(list: unknown[], key: string): number {
  return index(key, list.length)
}

/** An index below `end`, also counted backwards from there. */
function index(key: string, end: number): number {
  if (!/^[+-]?[0-9]+$/.test(key)) throw rejectedPatch()
  const n = Number(key)
  const at = n < 0 ? n + end : n
  if (at < 0 || at >= end) throw rejectedPatch()
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
