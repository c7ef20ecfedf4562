/**
 * The text of a patched document as kube-apiserver shows it when it cannot decode it. Its patch library parses lazily: an
 * object that a patch has looked into is written with sorted keys, everything else as it was.
 */
import { sortedKeys } from '../util/go-format.js'
import type { JsonObject } from '../util/json.js'

/** The objects that a patch has looked into. */
export type Opened = Set<object>

const none: Opened = new Set()

export const openedJson = (value: unknown, opened: Opened = none): string => write(value, object => opened.has(object))

/** All keys sorted, as Go writes maps. */
export const sortedJson = (value: unknown): string => write(value, () => true)

function write(value: unknown, isSorted: (object: object) => boolean): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return escapeHtml(JSON.stringify(value))
  if (Array.isArray(value)) return `[${value.map(v => write(v, isSorted)).join(',')}]`
  const keys = isSorted(value) ? sortedKeys(value) : Object.keys(value)
  return `{${keys.map(k => `${escapeHtml(JSON.stringify(k))}:${write((value as JsonObject)[k], isSorted)}`).join(',')}}`
}

/** encoding/json writes these so that JSON can stand in HTML and JavaScript. */
function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
