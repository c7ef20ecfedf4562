import { STATUS_CODES } from 'node:http'
import { token } from '../header-fields.js'
import { httpDate } from '../http-date.js'

/** What the connection alone decides: two answers could be taken for one if a handler, or another server, had a say in it. */
const ofConnections = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'trailer', 'content-length'])
const invalidValue = /[^\t\x20-\x7e\x80-\xff]/

/** The lines with which an answer begins, up to the empty one. `framing`: lines about its length and the connection. Throws TypeError for characters that a header cannot have. */
export function answerHead(status: number, headers: Readonly<Record<string, string | string[]>>, framing: string): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  // what follows a switch is no answer of HTTP
  let hasDate = status === 101
  for (const name in headers) {
    const lower = name.toLowerCase()
    if (ofConnections.has(lower)) continue
    if (!token.test(name)) throw new TypeError('invalid character in the name of a header')
    if (lower === 'date') hasDate = true
    const value = headers[name]!
    for (const one of typeof value === 'string' ? [value] : value) {
      if (invalidValue.test(one)) throw new TypeError(`invalid character in the header ${name}`)
      head += `${name}: ${one}\r\n`
    }
  }
  return hasDate ? `${head}${framing}\r\n` : `${head}date: ${httpDate()}\r\n${framing}\r\n`
}
