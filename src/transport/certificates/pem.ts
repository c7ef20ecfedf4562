/** Finds PEM blocks as Go's encoding/pem does, so that the same texts are certificates here and in kube-apiserver. */

export interface PemBlock {
  readonly type: string
  /** Whether lines of the form "Key: value" stand before the content. */
  readonly hasHeaders: boolean
  readonly bytes: Buffer
}

const begin = '-----BEGIN '
const end = '\n-----END '
const dashes = '-----'

/** Yields the well-formed blocks of a text in their order. Everything else is skipped; a text that ends within headers is left. */
export function* pemBlocks(source: string): Generator<PemBlock> {
  // one character for each byte, as Go sees it
  const text = Buffer.from(source).toString('latin1')
  for (let at = 0; ; ) {
    const found = blockFrom(text, at)
    if (!found) return
    if (found.block) yield found.block
    at = found.next
  }
}

interface Found {
  /** Undefined when what looks like a block is none. */
  readonly block?: PemBlock
  readonly next: number
}

/** Reads the block around the first END line after `from`; undefined when there is none. */
function blockFrom(text: string, from: number): Found | undefined {
  const endLine = text.indexOf(end, from)
  if (endLine < 0) return undefined
  const trailer = endLine + end.length
  const none: Found = { next: trailer }
  // the slice bounds the search: from every END line back to the text's beginning it would take quadratic time
  const offset = text.slice(from, endLine).lastIndexOf(begin)
  const start = from + offset
  if (offset < 0 || (offset > 0 && text[start - 1] !== '\n')) return none
  const typeLine = lineAt(text, start + begin.length)
  if (!typeLine.text.endsWith(dashes)) return none
  const type = typeLine.text.slice(0, -dashes.length)

  let content = typeLine.next
  let hasHeaders = false
  for (;;) {
    if (content >= text.length) return undefined
    const line = lineAt(text, content)
    if (!line.text.includes(':')) break
    hasHeaders = true
    content = line.next
  }
  if (hasHeaders && endLine < content) return trailer < content ? undefined : none
  const last = lineAt(text, trailer)
  if (last.text !== `${type}${dashes}`) return none
  const bytes = decodeBase64(text.slice(content, endLine))
  if (!bytes) return none
  return { block: { type: Buffer.from(type, 'latin1').toString(), hasHeaders, bytes }, next: last.next }
}

/** Returns a line without the spaces and tabs at its end, and the start of the next line. */
function lineAt(text: string, from: number): { text: string; next: number } {
  const newline = text.indexOf('\n', from)
  const lineEnd = newline === -1 ? text.length : newline
  let to = lineEnd
  if (newline !== -1 && text[to - 1] === '\r') to--
  while (to > from && (text[to - 1] === ' ' || text[to - 1] === '\t')) to--
  return { text: text.slice(from, to), next: lineEnd + 1 }
}

/** Decodes standard base64 with its padding; undefined where Go would refuse it. */
function decodeBase64(text: string): Buffer | undefined {
  const digits = text.replace(/[ \t\r\n]/g, '')
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) return undefined
  return Buffer.from(digits, 'base64')
}
