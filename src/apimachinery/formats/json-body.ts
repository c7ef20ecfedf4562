import { exactJson, parseExact } from '../../util/exact-json.js'
import { maxJsonDepth } from '../../util/json.js'
import { sortedJson } from '../../util/sorted-json.js'
import { nextTurn } from '../../util/turns.js'
import { type BodyFormat, largeBodyBytes, type ParsedBody, SyntaxFailure } from './body-format.js'
import { endlessNumber, scanJson } from './duplicate-keys.js'
import { jsonSyntaxError } from './json-syntax.js'
import { mergingParse } from './merging-parse.js'
import { checkValueCount } from './value-limit.js'

export const jsonBodies: BodyFormat = {
  mediaType: 'application/json',
  parse(body, { typed }) {
    checkValueCount(body)
    const text = body.toString('utf8')
    return body.length > largeBodyBytes ? parseInTurns(text, typed, body) : parseJson(text, typed, body)
  },
  encode(object, pretty, sorted) {
    if (sorted) return Buffer.from(pretty ? sortedJson(object, true) : `${sortedJson(object)}\n`)
    return Buffer.from(pretty ? exactJson(object, 2) : `${exactJson(object)}\n`)
  }
}

const none: readonly string[] = []

/** Parses JSON text. `typed`: as for ParsePurpose; `source`: the text, or its bytes, which an error quotes. Throws SyntaxFailure. */
export const parseJson = (text: string, typed: boolean, source: string | Buffer = text): ParsedBody =>
  checkedJson(text, readJson(text, typed, source), typed)

async function parseInTurns(text: string, typed: boolean, source: Buffer): Promise<ParsedBody> {
  await nextTurn()
  const value = readJson(text, typed, source)
  await nextTurn()
  return checkedJson(text, value, typed)
}

function readJson(text: string, wide: boolean, source: string | Buffer): unknown {
  try {
    return parseExact(text, wide)
  } catch {
    throw new SyntaxFailure(`couldn't get version/kind; json parse error: ${jsonSyntaxError(source) ?? 'invalid JSON'}`)
  }
}

function checkedJson(text: string, value: unknown, typed: boolean): ParsedBody {
  const { duplicates, hasExponents, hasFractions, depth } = scanJson(text)
  if (depth > maxJsonDepth)
    throw new SyntaxFailure(`couldn't get version/kind; json parse error: ${jsonSyntaxError(text) ?? 'exceeded max depth'}`)
  const hasDuplicates = duplicates.length > 0
  const endless = hasExponents ? endlessNumber(text) : undefined
  const merged = hasDuplicates && typed ? mergingParse(text) : value
  return { value: merged, text, yamlDuplicates: none, hasDuplicates, endless, hasFractions }
}
