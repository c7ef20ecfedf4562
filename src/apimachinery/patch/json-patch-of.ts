/** The JSON Patch that makes one document of another. */
import { equalJson, isObject, type JsonObject } from '../../util/json.js'

/** An operation that needs no other place of the document. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: unknown
}

/** Compares two documents. Members with the value undefined are taken for missing ones, as in JSON. Lists are compared item by item, without regard to moved items. */
export function jsonPatchOf(before: unknown, after: unknown): PatchOperation[] {
  const operations: PatchOperation[] = []
  compare(before, after, '', operations)
  return operations
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

function compare(before: unknown, after: unknown, path: string, operations: PatchOperation[]): void {
  if (isObject(before) && isObject(after)) compareObjects(before, after, path, operations)
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, operations)
  else if (!equalJson(before, after)) operations.push({ op: 'replace', path, value: after })
}

function compareObjects(before: JsonObject, after: JsonObject, path: string, operations: PatchOperation[]): void {
  for (const key of Object.keys(before)) {
    if (before[key] === undefined) continue
    const place = `${path}/${escaped(key)}`
    if (!Object.hasOwn(after, key) || after[key] === undefined) operations.push({ op: 'remove', path: place })
    else compare(before[key], after[key], place, operations)
  }
  for (const key of Object.keys(after))
    if (after[key] !== undefined && (!Object.hasOwn(before, key) || before[key] === undefined))
      operations.push({ op: 'add', path: `${path}/${escaped(key)}`, value: after[key] })
}

function compareLists(before: readonly unknown[], after: readonly unknown[], path: string, operations: PatchOperation[]): void {
  const common = Math.min(before.length, after.length)
  for (let i = 0; i < common; i++) compare(before[i], after[i], `${path}/${i}`, operations)
  for (let i = before.length - 1; i >= common; i--) operations.push({ op: 'remove', path: `${path}/${i}` })
  for (let i = common; i < after.length; i++) operations.push({ op: 'add', path: `${path}/-`, value: after[i] })
}
