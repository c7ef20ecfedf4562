/** Shows people what has changed in an object. */
import { parseExact } from '../../util/exact-json.js'
import { isObject } from '../../util/json.js'
import { unifiedDiff } from '../../util/unified-diff.js'
import type { Change } from './redact.js'

/** Objects with more lines are not compared, because that can take a time which grows with their square. */
const maxLines = 4000

/**
 * Returns a unified diff of two objects as indented JSON, without managedFields, which every write changes. Returns "" when
 * nothing has changed.
 */
export function diffOf({ before, after }: Change): string {
  const [a, b] = [linesOf(before), linesOf(after)]
  if (a.length + b.length > maxLines) return `${a.length} lines became ${b.length}: too many to compare\n`
  return unifiedDiff(a, b)
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined) return []
  const object = parseExact(text)
  if (isObject(object) && isObject(object.metadata)) delete object.metadata.managedFields
  return JSON.stringify(object, (_, value) => (typeof value === 'bigint' ? String(value) : value), 2).split('\n')
}
