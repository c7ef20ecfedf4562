/**
 * Reads the header of a stored object: what lists, watches and controllers want to know of each object. It is all in the metadata, whose last
 * field are the managedFields, often a third of an object: what follows their beginning is not parsed.
 */

/**
 * Begins the managed fields. No string can contain this text, because quotes within it are escaped; only metadata has such a
 * field, and here it comes first.
 */
const managedFields = Buffer.from(',"managedFields":[')

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
