import type { SelectableField } from '../api/generated/apiextensions-v1.js'
import type { KubeObject } from '../registry/kind.js'
import { jsonPath } from './json-path.js'

/** Returns the fields that field selectors may name, with functions that read their text: "" for a missing value (KEP-4358). */
export function selectableFields(declared: readonly SelectableField[] = []): Record<string, (object: KubeObject) => string> {
  return Object.fromEntries(
    declared.map(({ jsonPath: path }) => {
      const find = jsonPath(path)
      return [path.replace(/^\./, ''), object => String(find?.(object)[0] ?? '')]
    })
  )
}
