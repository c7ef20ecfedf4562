import { exactJson } from '../../util/exact-json.js'
import { equalJson, isObject } from '../../util/json.js'

/** The leaves in which two values differ, as a diff: what errors about immutable specs show. */
export function specChanges(before: unknown, after: unknown): string {
  const lines: string[] = []
  compare('', before, after, lines)
  return lines.join('')
}

function compare(path: string, before: any, after: any, lines: string[]): void {
  if (equalJson(before, after)) return
  const list = Array.isArray(before) && Array.isArray(after)
  if (list || (isObject(before) && isObject(after))) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(list ? `${path}[${key}]` : `${path}.${key}`, (before as any)[key], (after as any)[key], lines)
    return
  }
  lines.push(`@@ ${path.slice(1)} @@\n`)
  if (before !== undefined) lines.push(`-${exactJson(before)}\n`)
  if (after !== undefined) lines.push(`+${exactJson(after)}\n`)
}
