/**
 * The text of a patched document as kube-apiserver shows it when it cannot decode it. Its patch library parses lazily: an
 * object that a patch has looked into is written with sorted keys, everything else as it was.
 */
import { sortedKeys } from '../util/go-format.js'
import type { JsonObject } from '../util/json.js'

/** The objects that a patch has looked into. */
export type Opened = Set<object>

const none: Opened = new Set()

export function openedJson(value: unknown, opened: Opened = none): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return escapeHtml(JSON.stringify(value))
  if (Array.isArray(value)) return `[${value.map(v => openedJson(v, opened)).join(',')}]`
  const keys = opened.has(value) ? sortedKeys(value) : Object.keys(value)
  return `{${keys.map(k => `${escapeHtml(JSON.stringify(k))}:${openedJson((value as JsonObject)[k], opened)}`).join(',')}}`
}

/** encoding/json writes these so that JSON can stand in HTML and JavaScript. */
function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
