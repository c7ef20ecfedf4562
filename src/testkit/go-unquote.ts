/** Reads what Go's strconv.Quote writes, character by character. */

const short: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '"': '"', '\\': '\\' }
}

/** Returns the text that begins at `at` with a quote, and the place after its end. Throws for what is no quoted text, or has controls in it. */
export function goUnquote(line: string, at: number): { readonly text: string; readonly end: number } {
  if (line[at] !== '"') throw new Error(`no quote at ${at} of ${JSON.stringify(line)}`)
  let text = ''
  for (let i = at + 1; i < line.length; i++) {
    const char = line[i]!
    if (char === '"') return { text, end: i + 1 }
    if (char < ' ' || (char >= '\x7f' && char < '\xa0')) throw new Error(`a control character at ${i} of ${JSON.stringify(line)}`)
    if (char !== '\\') {
      text += char
      continue
    }
    const kind = line[++i]!
    const digits = kind === 'x' ? 2 : kind === 'u' ? 4 : kind === 'U' ? 8 : 0
    if (digits === 0) {
      if (!(kind in short)) throw new Error(`an unknown escape at ${i} of ${JSON.stringify(line)}`)
      text += short[kind]
    } else {
      const hex = line.slice(i + 1, i + 1 + digits)
      if (!/^[\da-f]+$/.test(hex) || hex.length < digits) throw new Error(`an odd escape at ${i} of ${JSON.stringify(line)}`)
      text += String.fromCodePoint(Number.parseInt(hex, 16))
      i += digits
    }
  }
  throw new Error(`the quote at ${at} does not end: ${JSON.stringify(line)}`)
}

/** Reads pairs `key="text"`, with spaces between them. */
export function goPairs(line: string, from: number): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (let at = from; at < line.length; ) {
    const key = /^ ?([\w-]+)=/.exec(line.slice(at))
    if (!key) throw new Error(`no pair at ${at} of ${JSON.stringify(line)}`)
    at += key[0].length
    const bare = /^[\w.]+/.exec(line.slice(at))
    const { text, end } = bare ? { text: bare[0], end: at + bare[0].length } : goUnquote(line, at)
    if (key[1]! in pairs) throw new Error(`${key[1]} comes twice in ${JSON.stringify(line)}`)
    pairs[key[1]!] = text
    at = end
  }
  return pairs
}
