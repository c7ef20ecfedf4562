/** Converts YAML to the JSON that Kubernetes makes of it before decoding. */

import { exactJson } from '../../util/exact-json.js'
import { sortedEntries } from '../../util/go-format.js'
import { isDeeperThan, isObject, maxJsonDepth } from '../../util/json.js'
import { readYaml, YamlError } from './yaml-parse.js'

export interface YamlAsJson {
  /** JSON with sorted keys. */
  readonly json: string
  readonly duplicates: readonly string[]
}

/**
 * Converts the first document of a YAML text. Throws YamlError for invalid YAML, for anchors that multiply the document, and for
 * deep nesting.
 */
export function readYamlAsJson(text: string): YamlAsJson {
  const { value, duplicates } = readYaml(text)
  if (isDeeperThan(value, maxJsonDepth)) throw new YamlError('yaml: exceeded max depth')
  return { json: sortedJson(value), duplicates }
}

function sortedJson(value: unknown): string {
  const text = exactJson(value, undefined, (_, v) => {
    if (typeof v === 'number' && !Number.isFinite(v))
      throw new YamlError(`json: unsupported value: ${Number.isNaN(v) ? 'NaN' : v > 0 ? '+Inf' : '-Inf'}`)
    return isObject(v) ? Object.fromEntries(sortedEntries(v)) : v
  })
  return text ?? 'null'
}
