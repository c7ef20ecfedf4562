import { parseExact } from '../../util/exact-json.js'
import { type BodyFormat, type ParsedBody, SyntaxFailure } from './body-format.js'
import { utf8Problem } from './utf8-problem.js'
import { checkValueCount, maxValues } from './value-limit.js'
import { emitYaml } from './yaml-emit.js'
import { readYamlAsJson, type YamlAsJson } from './yaml-json.js'
import { YamlError } from './yaml-parse.js'
import { longestAtOnce, readYamlAside } from './yaml-thread.js'

export const yamlBodies: BodyFormat = {
  mediaType: 'application/yaml',
  parse(body, { user }) {
    const problem = utf8Problem(body)
    if (problem) throw new SyntaxFailure(`yaml: ${problem}`)
    return parseYamlAside(body.toString('utf8'), user)
  },
  encode: object => Buffer.from(emitYaml(object))
}

/** Parses the first document of a YAML text. Throws SyntaxFailure. */
export function parseYaml(text: string): ParsedBody {
  try {
    return yamlBody(readYamlAsJson(text))
  } catch (error) {
    throw yamlFailure(error)
  }
}

/** As parseYaml, for a text of any length: a long one is parsed in another thread, where users have turns. */
export async function parseYamlAside(text: string, user: string): Promise<ParsedBody> {
  if (text.length <= longestAtOnce) return parseYaml(text)
  try {
    return yamlBody(await readYamlAside(text, user))
  } catch (error) {
    throw yamlFailure(error)
  }
}

function yamlBody({ json, duplicates }: YamlAsJson): ParsedBody {
  // a short document has few values, unless anchors multiply them
  if (json.length > maxValues) checkValueCount(Buffer.from(json))
  return { value: parseExact(json), text: json, yamlDuplicates: duplicates, hasDuplicates: false }
}

const yamlFailure = (error: unknown) => (error instanceof YamlError ? new SyntaxFailure(error.message) : error)
