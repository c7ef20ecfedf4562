/** Reads the bodies of the server's own paths, and validates them by the schemas of their routes. */

import { badRequest } from '../../apimachinery/status/status.js'
import { isObject, type JsonObject } from '../../util/json.js'
import { suggest } from '../../util/suggest.js'
import { wrongField } from './errors.js'
import type { Schema } from './own-document.js'

/** Returns an empty object for an empty body. `parse` throws a SyntaxError. Throws a StatusError 400 or 422. */
export function parseBody(bytes: Buffer, schema: Schema, parse: (text: string) => unknown = JSON.parse): JsonObject {
  if (bytes.length === 0) return validated({}, schema)
  let body: unknown
  try {
    body = parse(bytes.toString())
  } catch (error) {
    throw badRequest(`the body is not JSON: ${(error as Error).message}`)
  }
  return validated(body, schema)
}

function validated(body: unknown, schema: Schema): JsonObject {
  if (!isObject(body)) throw badRequest('the body must be a JSON object')
  const { properties = {}, required = [] } = schema
  for (const [name, value] of Object.entries(body)) {
    const property = Object.hasOwn(properties, name) ? properties[name]! : undefined
    if (!property) {
      if (schema.additionalProperties !== false) continue
      const near = suggest(name, Object.keys(properties))
      throw wrongField(name, `unknown field${near === undefined ? '' : `; did you mean ${near}?`}`)
    }
    const problem = problemWith(value, property)
    if (problem !== undefined) throw wrongField(name, problem)
  }
  for (const name of required) if (!Object.hasOwn(body, name)) throw wrongField(name, 'is required')
  return body
}

/** Returns why a value does not fit; undefined when it does. */
function problemWith(value: unknown, { type, pattern, maxLength, maxItems, items }: Schema): string | undefined {
  if (type === 'object' && !isObject(value)) return 'must be an object'
  if (type === 'boolean' && typeof value !== 'boolean') return 'must be true or false'
  if (type === 'string') {
    if (typeof value !== 'string') return 'must be a string'
    if (maxLength !== undefined && value.length > maxLength) return `must have at most ${maxLength} characters`
    if (pattern !== undefined && !new RegExp(pattern).test(value)) return `must match ${pattern}`
  }
  if (type === 'array') {
    if (!Array.isArray(value)) return 'must be a list'
    if (maxItems !== undefined && value.length > maxItems) return `must have at most ${maxItems} items`
    const problems = items ? value.map(item => problemWith(item, items)) : []
    const i = problems.findIndex(problem => problem !== undefined)
    if (i >= 0) return `[${i}] ${problems[i]}`
  }
  return undefined
}
