import { internalValue } from '../../apimachinery/validation/internal-text.js'
import { exactJson } from '../../util/exact-json.js'
import { unifiedDiff } from '../../util/unified-diff.js'

/** Returns the difference of two values, as kube-apiserver's errors about immutable specs print it. */
export function specChanges(typeName: string, before: unknown, after: unknown): string {
  return textChanges(internalValue(typeName, before), internalValue(typeName, after))
}

export function textChanges(before: unknown, after: unknown): string {
  return unifiedDiff(lines(before), lines(after))
}

/** Formats a value as Go's indented JSON. */
function lines(value: unknown): string[] {
  return exactJson(value, 1).split('\n')
}
