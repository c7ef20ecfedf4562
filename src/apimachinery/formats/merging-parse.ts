/**
 * Parses JSON as Go decodes repeated keys: objects are merged, other values are replaced. Used only for documents with repeated
 * keys that JSON.parse has accepted.
 */

import { parseExact } from '../../util/exact-json.js'
import { getKey, isObject, type JsonObject, setKey } from '../../util/json.js'

const token = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/g

export function mergingParse(text: string): unknown {
  return new MergingParser(text).parse()
}

class MergingParser {
  readonly #tokens: string[]
  #at = 0

  constructor(text: string) {
    this.#tokens = [...text.matchAll(token)].map(match => match[1]!)
  }

  parse(into?: unknown): unknown {
    const first = this.#tokens[this.#at++]!
    if (first === '{') return this.#object(isObject(into) ? into : {})
    if (first === '[') return this.#list()
    return parseExact(first)
  }

  /** Whether the container ends here. Skips the comma between its members. */
  #ends(end: string): boolean {
    const next = this.#tokens[this.#at]
    if (next === end || next === ',') this.#at++
    return next === end
  }

  #object(object: JsonObject): JsonObject {
    while (!this.#ends('}')) {
      const key = JSON.parse(this.#tokens[this.#at]!) as string
      this.#at += 2
      setKey(object, key, this.parse(getKey(object, key)))
    }
    return object
  }

  #list(): unknown[] {
    const list: unknown[] = []
    while (!this.#ends(']')) list.push(this.parse())
    return list
  }
}
