/** Text in audit events. */

const plain = /^[ !#-[\]-~]*$/

/** A JSON string. Most need no escapes, and looking is cheaper than escaping. */
export const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** The text of a header or URL, whose bytes Node passes on as characters. Bytes that are no UTF-8 become U+FFFD, as in Go. */
export const decoded = (text: string): string =>
  /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text
