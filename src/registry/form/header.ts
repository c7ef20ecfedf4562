/**
 * Reads the header of a stored object: what lists, watches and controllers want to know of each object. managedFields are often a third
 * of an object, and the last field of its metadata, so that cutting them out saves their parsing.
 */

/** No text can contain this: within a string, its quotes are escaped. Only metadata has such a field, and here it comes first. */
const managedFields = Buffer.from(',"managedFields":[')
/** The end of the list and of the metadata. A manager may have such a name; what is cut there is no JSON. */
const listEnd = Buffer.from('}]}')

/**
 * Returns the metadata of a value in Go's order of fields, and its other fields if `whole`. `start` is the offset of the first field of
 * the metadata. Throws when the value is no JSON.
 */
export function parsedHeader(value: Buffer, start: number, whole: boolean): any {
  const cut = value.indexOf(managedFields, start)
  if (cut >= 0) {
    const metadata = `{"metadata":{${value.toString('utf8', start, cut)}}`
    try {
      if (!whole) return JSON.parse(`${metadata}}`)
      const end = value.indexOf(listEnd, cut)
      if (end >= 0) return JSON.parse(metadata + value.toString('utf8', end + listEnd.length))
    } catch {
      // the managedFields of a template, or a strange manager
    }
  }
  return JSON.parse(value.toString())
}
