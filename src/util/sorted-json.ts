/** Writes JSON as Go writes maps: keys sorted, and escaped for HTML. */
import { sortedKeys } from './go-format.js'
import { withHtmlEscapes } from './html-escapes.js'
import type { JsonObject } from './json.js'

/** Writes JSON with all keys sorted; with `indented`, two spaces per level, as kube-apiserver's pretty output. */
export const sortedJson = (value: unknown, indented = false): string => writeJson(value, isAlways, indented ? '\n' : undefined)

const isAlways = () => true

/** `newLine` is undefined for JSON in one line; otherwise it is the text that begins a line at the value's level. */
export function writeJson(value: unknown, isSorted: (object: object) => boolean, newLine?: string): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return jsonScalar(value)
  const inner = newLine === undefined ? '' : `${newLine}  `
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? inner : `,${inner}`}${writeJson(item, isSorted, newLine && inner)}`
    return text === '' ? '[]' : `[${text}${newLine ?? ''}]`
  }
  const colon = newLine === undefined ? ':' : ': '
  for (const key of isSorted(value) ? sortedKeys(value) : Object.keys(value)) {
    const item = (value as JsonObject)[key]
    if (item === undefined) continue
    text += `${text === '' ? inner : `,${inner}`}${keyText(key)}${colon}${writeJson(item, isSorted, newLine && inner)}`
  }
  return text === '' ? '{}' : `{${text}${newLine ?? ''}}`
}

/** The texts of keys, which are always the same ones for a kind. */
const keyTexts = new Map<string, string>()
const mostKeys = 4096
const longestKey = 64

function keyText(key: string): string {
  let text = keyTexts.get(key)
  if (text !== undefined) return text
  text = jsonScalar(key)
  if (key.length > longestKey) return text
  if (keyTexts.size >= mostKeys) keyTexts.clear()
  keyTexts.set(key, text)
  return text
}

function jsonScalar(value: unknown): string {
  const json = JSON.stringify(value)
  return typeof value === 'string' ? withHtmlEscapes(json) : json
}
