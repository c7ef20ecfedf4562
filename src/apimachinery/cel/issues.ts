/** Collects the errors in an expression, and formats them: message, source line and a caret. */
import type { Location } from './ast.js'

const maxReported = 100
const maxSnippet = 16384

export const noLocation: Location = { line: -1, column: -1 }

export class Issues {
  readonly #source: string
  readonly #list: { readonly at: Location; readonly message: string }[] = []
  #count = 0

  constructor(source: string) {
    this.#source = source
  }

  get any(): boolean {
    return this.#count > 0
  }

  /** The message of the error that was found first; undefined without errors. */
  get first(): string | undefined {
    return this.#list[0]?.message
  }

  report(at: Location, message: string): void {
    // an empty text has no positions
    const shown = this.#source === '' ? { line: 1, column: -1 } : at
    if (++this.#count <= maxReported) this.#list.push({ at: shown, message })
  }

  /** Formats the errors in the order of the source. */
  toString(): string {
    const lines = this.#source === '' ? [] : this.#source.split('\n')
    const sorted = this.#list.toSorted((a, b) => a.at.line - b.at.line || a.at.column - b.at.column)
    const texts = sorted.map(({ at, message }) => display(at, message, lines[at.line - 1]))
    if (this.#count > maxReported) texts.push(`${this.#count - maxReported} more errors were truncated`)
    return texts.join('\n')
  }
}

function display({ line, column }: Location, message: string, source: string | undefined): string {
  const head = `ERROR: <input>:${line}:${column + 1}: ${message}`
  if (source === undefined || Buffer.byteLength(source) > maxSnippet) return head
  const snippet = source.replaceAll('\t', ' ')
  const chars = [...snippet]
  // characters beyond ASCII count as two columns
  const isWide = (char: string | undefined) => char !== undefined && char > '\x7f'
  const dots = chars.slice(0, Math.max(0, column)).map(c => (isWide(c) ? '\uff0e' : '.'))
  return `${head}\n | ${snippet}\n | ${dots.join('')}${isWide(chars[column]) ? '\uff3e' : '^'}`
}
