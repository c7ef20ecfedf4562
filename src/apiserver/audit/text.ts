/** Writes text for audit events. */
import { withHtmlEscapes } from '../../util/html-escapes.js'

/** Text without quotes, backslashes, control characters, and without those that Go escapes for HTML. */
const plain = /^[ !#-%'-;=?-[\]-~]*$/

/** Writes a JSON string as Go does. Most texts need no escapes, and looking is cheaper than escaping. */
export const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : withHtmlEscapes(JSON.stringify(text)))

/**
 * Decodes the text of a header or URL, whose bytes Node passes on as characters. Bytes that are no UTF-8 become U+FFFD, as in Go.
 */
export const decoded = (text: string): string => (/[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text)

let second = Number.NaN
let secondText = ''
let last = Number.NaN
let lastText = ''

/** Formats a metav1.MicroTime: RFC 3339 with six digits. Many events have the same millisecond. */
export function microTime(milliseconds: number): string {
  if (milliseconds === last) return lastText
  const whole = Math.floor(milliseconds / 1000)
  if (whole !== second) {
    second = whole
    secondText = new Date(whole * 1000).toISOString().slice(0, 20)
  }
  const micros = Math.floor((milliseconds - whole * 1000) * 1000)
  last = milliseconds
  lastText = `${secondText}${String(micros).padStart(6, '0')}Z`
  return lastText
}
