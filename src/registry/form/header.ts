/**
 * Reads parts of a stored object. The header is what lists, watches and controllers want to know of each object. It is all in the metadata, whose last
 * field are the managedFields, often a third of an object: what follows their beginning is not parsed.
 */
import { parseExact } from '../../util/exact-json.js'

/**
 * Begins the managed fields. No string can contain this text, because quotes within it are escaped; only metadata has such a
 * field, and here it comes first.
 */
const managedFields = Buffer.from(',"managedFields":[')
/**
 * Ends the managed fields and the metadata, since they come last there and hold no other lists. A string may contain this text, but what is
 * left after a cut there is no JSON: the next string begins where a key would have to end.
 */
const endOfManagedFields = Buffer.from('}]}')

/**
 * Returns the metadata of a value in Go's order of fields, perhaps with other fields. `start` is the offset of the first field of the metadata.
 * Throws when the value is no JSON.
 */
export function parsedHeader(value: Buffer, start: number): any {
  const cut = value.indexOf(managedFields, start)
  if (cut < 0) return JSON.parse(value.toString())
  try {
    return JSON.parse(`{"metadata":{${value.toString('utf8', start, cut)}}}`)
  } catch {
    // the managedFields of a template
    return JSON.parse(value.toString())
  }
}

/**
 * Returns a value in Go's order of fields without the managedFields of its metadata, whose parsing takes as long as that of all the rest;
 * where they cannot be told apart, with them. Throws when the value is no JSON.
 */
export function parsedWithoutManagedFields(value: Buffer, start: number): any {
  const from = value.indexOf(managedFields, start)
  const to = from < 0 ? -1 : value.indexOf(endOfManagedFields, from)
  if (to >= 0)
    try {
      return parseExact(value.toString('utf8', 0, from) + value.toString('utf8', to + 2))
    } catch {
      // the cut was in a string
    }
  return parseExact(value.toString())
}
