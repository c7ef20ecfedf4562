/** Parses YAML as Kubernetes does: YAML 1.1 as go-yaml understands it, the first document only, keys turned into strings. */

import type * as Yaml from 'yaml'
import type { Document, DocumentOptions, ParseOptions, Scalar, SchemaOptions, YAMLError } from 'yaml'
import { goQuote } from '../../util/go-format.js'
import { lazyPackage } from '../../util/lazy-package.js'
import { maxValues } from './value-limit.js'
import { resolvePlain } from './yaml-resolve.js'

/** Loaded on first use, because many servers never receive YAML. */
const library = lazyPackage<typeof Yaml>('yaml')

/** The text is not YAML, or contains values that JSON cannot express. The message is that of sigs.k8s.io/yaml. */
export class YamlError extends Error {}

export interface ParsedYaml {
  readonly value: unknown
  /** Messages about repeated keys, such as `line 7: key "k" already set in map`. */
  readonly duplicates: readonly string[]
}

/** Characters that YAML forbids. Strings of JSON may contain most of them. */
export const notAllowed = /(?![\t\n\r\x85])[\p{Cc}\ufffe\uffff]/u
/** How often one anchor may be used, so that anchors cannot multiply a document. */
const maxAliases = 100
/** Most aliases in total, because the library looks up each one among all anchors. */
const maxAliasesInAll = 1000
/** The composer and later walks over the document recurse. Real documents are far below this depth. */
const maxDepth = 400
/** Most words, indicators, line ends and comments. Each takes some microseconds. */
const maxLexemes = 800_000
/**
 * Most lines, those of folded and quoted texts included: each takes as long as a value, even when it is empty. A definition of a
 * megabyte has some 20,000.
 */
const maxLines = 150_000
/** What hardly occurs in real documents, and costs more than other words: explicit keys, directives, anchors. */
const rare: ReadonlyMap<string, readonly [limit: number, what: string]> = new Map([
  ['?', [1000, 'explicit keys']],
  ['%', [100, 'directives']],
  ['&', [10_000, 'anchors']]
])

/** The text has more than a body may have of something. */
export class YamlLimitError extends Error {
  readonly limit: number
  readonly what: string

  constructor(limit: number, what: string) {
    super(`yaml: more than ${limit} ${what}`)
    this.limit = limit
    this.what = what
  }
}

const core = 'tag:yaml.org,2002:'
const typed = ['null', 'bool', 'int', 'float', 'timestamp'].map(name => ({ tag: `${core}${name}`, resolve: resolvePlain }))
const plain = { tag: `${core}plain`, default: true, test: /^/, resolve: resolvePlain }
const binary = { tag: `${core}binary`, resolve: (text: string) => Buffer.from(text, 'base64').toString() }

const options: ParseOptions & SchemaOptions & DocumentOptions = {
  version: '1.1',
  schema: 'failsafe',
  merge: true,
  customTags: [plain, ...typed, binary],
  // the library compares every key with every other, so checkKeys finds duplicates instead
  uniqueKeys: false,
  logLevel: 'silent'
}

export function readYaml(text: string): ParsedYaml {
  if (notAllowed.test(text)) throw new YamlError('yaml: control characters are not allowed')
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  checkLines(source)
  const { Composer, LineCounter } = library()
  const lines = new LineCounter()
  const document = new Composer(options).compose(tokens(source, lines), true, source.length).next().value as Document.Parsed
  const end = endOfRoot(document)
  const error = document.errors.find(({ pos, code }) => pos[0] < end || (pos[0] === end && code === 'MISSING_CHAR'))
  if (error) throw new YamlError(`yaml: ${explain(source, error, document)}`)
  return { duplicates: checkKeys(document, lines), value: toJson(document) }
}

function checkLines(text: string): void {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    if (++lines > maxLines) throw new YamlLimitError(maxLines, 'lines')
}

/** Returns where go-yaml stops to read: text after a root value that ends by itself is of no concern. */
function endOfRoot({ contents }: Document.Parsed): number {
  const { isCollection, isScalar } = library()
  const endsItself = (isCollection(contents) && contents.flow) || (isScalar(contents) && contents.type?.startsWith('QUOTE_'))
  return endsItself ? contents!.range[1] : Number.POSITIVE_INFINITY
}

/**
 * Yields the parts of the document, as long as they do not nest too deeply for the composer's stack, and are no more than can become a
 * body with `maxValues`: a pair or an item of a block has an indicator, and so have all but one of a flow.
 */
function* tokens(source: string, lines: Yaml.LineCounter) {
  const { Lexer, Parser } = library()
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  let aliases = 0
  let lexemes = 0
  const indicators: Record<string, number> = { ':': 0, '-': 0, ',': 0 }
  const rarities = new Map<string, number>()
  let before = '\n'
  for (const lexeme of new Lexer().lex(source)) {
    if (++lexemes > maxLexemes) throw new YamlLimitError(maxLexemes, 'words')
    // text that begins like them follows a mark
    const limit = before === scalarMark ? undefined : rare.get(lexeme[0]!)
    if (limit) countRare(rarities, lexeme[0]!, limit)
    if (lexeme.length === 1 && lexeme in indicators) {
      indicators[lexeme]!++
      if (indicators[':']! + indicators['-']! > maxValues || indicators[',']! > maxValues)
        throw new YamlLimitError(maxValues, 'values')
    }
    if (lexeme[0] === '*' && ++aliases > maxAliasesInAll) throw new YamlError('yaml: document contains excessive aliasing')
    // the library puts comments together, which takes time by the square of their number
    yield* parser.next(isComment(lexeme, before) ? ' '.repeat(lexeme.length) : lexeme)
    before = lexeme
    if (parser.stack.length > maxDepth) throw new YamlError('yaml: exceeded max depth')
  }
  yield* parser.end()
}

/** What the lexer gives before the text of a scalar. */
const scalarMark = '\x1f'

/** Whether a lexeme is a comment. One that stands where it must not is left to the library, which reports it. */
const isComment = (lexeme: string, before: string): boolean => lexeme[0] === '#' && /[ \t\r\n]$/.test(before)

function countRare(counts: Map<string, number>, sign: string, [limit, what]: readonly [number, string]): void {
  const count = (counts.get(sign) ?? 0) + 1
  if (count > limit) throw new YamlLimitError(limit, what)
  counts.set(sign, count)
}

function toJson(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    const unknown = /^Unresolved alias .*: (.*)$/s.exec(error.message)
    throw new YamlError(
      unknown ? `yaml: unknown anchor '${unknown[1]}' referenced` : 'yaml: document contains excessive aliasing'
    )
  }
}

/**
 * Turns keys into strings, as JSON requires: booleans and numbers are written out, other types are refused. Returns the repeated
 * keys.
 */
function checkKeys(document: Document, lines: Yaml.LineCounter): string[] {
  const { isAlias, isCollection, isMap, isScalar, isSeq } = library()
  const duplicates: string[] = []
  // visits the value before its key
  const walk = (node: unknown): void => {
    if (isSeq(node)) for (const item of node.items) walk(item)
    if (!isMap(node)) return
    const seen = new Set<unknown>()
    for (const { key, value } of node.items) {
      if (isCollection(key) || isAlias(key)) throw new YamlError('yaml: invalid map key')
      const name = isScalar(key) ? key.value : null
      if (name === null) {
        const shown = isScalar(value) && isPlain(value.value) ? `, value: ${goSyntax(value.value)}` : ''
        throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>${shown}`)
      }
      walk(value)
      if (seen.has(name)) {
        const { line } = lines.linePos((key as Scalar).range![0])
        duplicates.push(`line ${line}: key ${typeof name === 'string' ? JSON.stringify(name) : String(name)} already set in map`)
      }
      seen.add(name)
    }
  }
  walk(document.contents)
  return duplicates
}

const isPlain = (value: unknown) => value === null || ['string', 'boolean', 'number', 'bigint'].includes(typeof value)

/** Formats a scalar with %#v. */
const goSyntax = (value: unknown): string =>
  value === null ? '<nil>' : typeof value === 'string' ? goQuote(value) : String(value)

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/** Errors of the scanner: go-yaml names the line, except the first. */
const scanning = (line: number, message: string) => (line > 1 ? `line ${line}: ${message}` : message)
/** Errors of the parser: go-yaml counts their lines from zero. */
const parsing = (line: number, message: string) => (line > 1 ? `line ${line - 1}: ${message}` : message)

const wrongCharacter = 'found character that cannot start any token'
const noValuesHere = 'mapping values are not allowed in this context'

/** Returns the message for a text that ends within braces or brackets; undefined for other texts. */
function openAtEnd(text: string, { errors }: Document): string | undefined {
  const last = text.trimEnd()
  const unclosed = errors.filter(({ message, pos }) => /^Flow (map|sequence)/.test(message) && pos[0] >= last.length)
  if (unclosed.length === 0) return undefined
  // go-yaml has begun a new line where the text ends
  const line = lineOf(text, text.length) + (text.endsWith('\n') ? 0 : 1)
  if (/[{[,:]$/.test(last)) return parsing(line, 'did not find expected node content')
  return parsing(line, `did not find expected ',' or '${unclosed[0]!.message.startsWith('Flow map') ? '}' : ']'}'`)
}

/** Returns go-yaml's message for the mistake. */
function explain(text: string, error: YAMLError, document: Document): string {
  const { code, message } = error
  const [start, end] = error.pos
  const line = lineOf(text, start)
  const others = document.errors.filter(other => other !== error && other.pos[0] === start)
  const ended = openAtEnd(text, document)
  if (ended && (message.startsWith('Flow') || others.some(other => other.message.startsWith('Flow')))) return ended
  switch (code) {
    case 'TAB_AS_INDENT':
      return scanning(line, wrongCharacter)
    case 'BAD_SCALAR_START':
      return text[start] === ',' ? parsing(line, 'did not find expected node content') : scanning(line, wrongCharacter)
    case 'BAD_DQ_ESCAPE':
      return scanning(line, 'found unknown escape character')
    case 'BAD_ALIAS':
      return scanning(line, 'did not find expected alphabetic or numeric character')
    case 'BLOCK_AS_IMPLICIT_KEY': {
      if (text[start] === '?') return scanning(line, 'mapping keys are not allowed in this context')
      const key = others.find(other => other.code === 'MULTILINE_IMPLICIT_KEY')
      return scanning(key ? lineOf(text, key.pos[1]) : line, noValuesHere)
    }
    case 'MULTILINE_IMPLICIT_KEY':
      return others.length > 0 ? parsing(line, 'did not find expected key') : scanning(lineOf(text, end), noValuesHere)
    case 'BAD_INDENT':
      if (message.startsWith('Flow sequence')) return parsing(line, "did not find expected ',' or ']'")
      if (message.startsWith('Flow map')) return parsing(line, "did not find expected ',' or '}'")
      return parsing(line, message.includes('sequence') ? "did not find expected '-' indicator" : 'did not find expected key')
    case 'MISSING_CHAR':
      if (message.startsWith('Missing closing')) return scanning(line, 'found unexpected end of stream')
      if (message.startsWith('Missing directives-end')) return scanning(line - 1, 'found unknown directive name')
      if (message.startsWith('Implicit map keys')) return scanning(line + 1, "could not find expected ':'")
      return message
    case 'UNEXPECTED_TOKEN':
      if (message.startsWith('Block scalar header')) return scanning(line, 'did not find expected comment or line break')
      if (message.startsWith('Unexpected block-seq-ind'))
        return scanning(line, 'block sequence entries are not allowed in this context')
      if (message.endsWith('at node end'))
        return parsing(
          line,
          text.trimStart().startsWith('- ') ? "did not find expected '-' indicator" : 'did not find expected key'
        )
      return parsing(line, 'did not find expected node content')
    default:
      return message
  }
}
