/** Reads --config FILE: flags in a file, over which those of the command line take precedence. */
import { readFileSync } from 'node:fs'
import { SyntaxFailure } from '../apimachinery/formats/body-format.js'
import { parseYaml } from '../apimachinery/formats/yaml-body.js'
import type { Flag, Flags } from '../server/options/flag.js'
import { isObject } from '../util/json.js'
import { suggest } from '../util/suggest.js'
import { fileError, UserError } from '../util/user-error.js'
import { type Parsed, parseFlags } from './flags/parse.js'

/** Whether a flag takes several values, by the label of its type. */
export const takesMany = ({ type }: Flag<any>): boolean =>
  /^(?:strings|stringArray|int32Slice|mapString|stringToString|namespace)/.test(type.label)

/** Parses the command line, and the file that its flag --config names. */
export function parseFlagsAndFile<F extends Flags>(args: readonly string[], flags: F): Parsed<F> {
  const onLine = parseFlags(args, flags)
  const { values, given } = onLine
  const path = (values as Record<string, unknown>).config
  if (typeof path !== 'string') return onLine
  const inFile = withPath(path, () => parseFlags(flagsOf(readText(path), flags), flags))
  const own = [...given].map(name => [name, values[name]])
  return { values: { ...inFile.values, ...Object.fromEntries(own) }, given: new Set([...inFile.given, ...given]) }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fileError(`--config ${path}`, error)
  }
}

function withPath<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof UserError && !error.message.startsWith('--config '))
      throw new UserError(`--config ${path}: ${error.message}`)
    throw error
  }
}

/** Returns the arguments that say the same as the YAML or JSON text of a file. */
function flagsOf(text: string, flags: Flags): string[] {
  let document: unknown
  try {
    const { value, yamlDuplicates } = parseYaml(text)
    if (yamlDuplicates.length > 0) throw new UserError(yamlDuplicates.join(', '))
    document = value
  } catch (error) {
    if (error instanceof SyntaxFailure) throw new UserError(error.message)
    throw error
  }
  if (document === null || document === undefined) return []
  if (!isObject(document)) throw new UserError('must be a map of flags and their values')
  const names = new Map(Object.keys(flags).map(name => [plain(name), name]))
  return Object.entries(document).flatMap(([key, value]) => {
    const name = names.get(plain(key)) ?? names.get(plain(key).replace(/s$/, ''))
    if (name === undefined || name === 'config') throw unknownKey(key, flags)
    return argumentsOf(key, name, value, takesMany(flags[name]!))
  })
}

/** Makes the names of a flag comparable: `securePort`, as the library calls the option, is `secure-port`. */
const plain = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase()

function unknownKey(key: string, flags: Flags): UserError {
  const near = suggest(key, Object.keys(flags))
  return new UserError(`unknown flag ${JSON.stringify(key)}${near === undefined ? '' : `; did you mean ${near}?`}`)
}

function argumentsOf(key: string, name: string, value: unknown, isMany: boolean): string[] {
  if (isScalar(value)) return [`--${name}=${value}`]
  if (value === null) return []
  if (isMany && Array.isArray(value) && value.every(isScalar)) return value.map(one => `--${name}=${one}`)
  if (isMany && isObject(value) && Object.values(value).every(isScalar))
    return Object.entries(value).map(([of, one]) => `--${name}=${of}=${one}`)
  throw new UserError(`${key} must be ${isMany ? 'a value, a list of values, or a map of them' : 'one value'}`)
}

const isScalar = (value: unknown): value is string | number | boolean | bigint =>
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value)
