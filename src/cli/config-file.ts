/** Reads --config FILE: flags in a file, over which those of the command line take precedence. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { SyntaxFailure } from '../apimachinery/formats/body-format.js'
import { parseYaml } from '../apimachinery/formats/yaml-body.js'
import type { Flag, Flags } from '../server/options/flag.js'
import { isObject } from '../util/json.js'
import { suggest } from '../util/suggest.js'
import { fileError, UserError } from '../util/user-error.js'
import { type Parsed, parseFlags, type Report, raise } from './flags/parse.js'

/** Whether a flag takes several values, by the label of its type. */
export const takesMany = ({ type }: Flag<any>): boolean =>
  /^(?:strings|stringArray|int32Slice|mapString|stringToString|namespace|namedCertKey)/.test(type.label)

export interface ParsedWithFile<F extends Flags> extends Parsed<F> {
  /** Where the flags stand that come from the file, by their names: `config.yaml, line 7`. */
  readonly places: ReadonlyMap<string, string>
}

/** Parses the command line, and the file that its flag --config names. The first mistake is thrown, unless `report` takes it. */
export function parseFlagsAndFile<F extends Flags>(args: readonly string[], flags: F, report = raise): ParsedWithFile<F> {
  const onLine = parseFlags(args, flags, report)
  const { values, given } = onLine
  const path = (values as Record<string, unknown>).config
  if (typeof path !== 'string') return { ...onLine, places: new Map() }
  const file = new ConfigFile(path, flags, report)
  const inFile = file.parse()
  const own = [...given].map(name => [name, values[name]])
  const places = new Map([...inFile.given].filter(name => !given.has(name)).map(name => [name, file.place(name)]))
  return { values: { ...inFile.values, ...Object.fromEntries(own) }, given: new Set([...inFile.given, ...given]), places }
}

class ConfigFile<F extends Flags> {
  readonly #path: string
  readonly #flags: F
  readonly #report: Report
  /** The numbers of the lines on which flags stand, by their names. */
  readonly #lines = new Map<string, number>()

  constructor(path: string, flags: F, report: Report) {
    this.#path = path
    this.#flags = flags
    this.#report = report
  }

  parse(): Parsed<F> {
    return parseFlags(this.#arguments(), this.#flags, mistake => {
      const [, name] = /^--([\w-]+)/.exec(mistake.message) ?? []
      this.#mistake(mistake.message, this.#lines.get(name ?? ''))
    })
  }

  /** Says where a flag stands. */
  place(name: string): string {
    const line = this.#lines.get(name)
    return `${this.#path}${line === undefined ? '' : `, line ${line}`}`
  }

  #mistake(message: string, line?: number): void {
    this.#report(new UserError(`--config ${this.#path}${line === undefined ? '' : `, line ${line}`}: ${message}`))
  }

  /** Returns the arguments that say the same as the file. */
  #arguments(): string[] {
    const text = this.#read()
    const document = text === undefined ? undefined : this.#document(text)
    if (text === undefined || document === null || document === undefined) return []
    if (!isObject(document)) {
      this.#mistake('must be a map of flags and their values')
      return []
    }
    const lines = text.split('\n')
    const names = new Map(Object.keys(this.#flags).map(name => [plain(name), name]))
    return Object.entries(document).flatMap(([key, value]) => {
      const line = lineOf(key, lines)
      const name = names.get(plain(key)) ?? names.get(plain(key).replace(/s$/, ''))
      if (name === undefined || name === 'config') {
        this.#mistake(unknownKey(key, this.#flags), line)
        return []
      }
      if (line !== undefined) this.#lines.set(name, line)
      return this.#argumentsOf(key, name, value)
    })
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8')
    } catch (error) {
      this.#report(fileError(`--config ${this.#path}`, error))
      return undefined
    }
  }

  #document(text: string): unknown {
    try {
      const { value, yamlDuplicates } = parseYaml(text)
      if (yamlDuplicates.length > 0) this.#mistake(yamlDuplicates.join(', '))
      return value
    } catch (error) {
      if (!(error instanceof SyntaxFailure)) throw error
      this.#mistake(error.message)
      return undefined
    }
  }

  #argumentsOf(key: string, name: string, value: unknown): string[] {
    const flag = this.#flags[name]!
    const isMany = takesMany(flag)
    const shown = (one: Scalar) => (flag.isPath ? pathsFrom(dirname(resolve(this.#path)), String(one), flag.type.label) : one)
    if (isScalar(value)) return [`--${name}=${shown(value)}`]
    if (value === null) return []
    if (isMany && Array.isArray(value) && value.every(isScalar)) return value.map(one => `--${name}=${shown(one)}`)
    if (isMany && isObject(value) && Object.values(value).every(isScalar))
      return Object.entries(value).map(([of, one]) => `--${name}=${of}=${one}`)
    this.#mistake(`${key} must be ${isMany ? 'a value, a list of values, or a map of them' : 'one value'}`, this.#lines.get(name))
    return []
  }
}

/** Makes a path absolute, or those of a certificate and its key (`cert.pem,key.pem:name`); `-` stands for standard output. */
function pathsFrom(folder: string, text: string, type: string): string {
  if (text === '' || text === '-') return text
  if (type !== 'namedCertKey') return resolve(folder, text)
  const [, files, names] = /^(.*?)(:[^:/\\]*)?$/s.exec(text)!
  const paths = files!.split(',').map(path => resolve(folder, path.trim()))
  return `${paths.join(',')}${names ?? ''}`
}

/** Finds the line on which the key of a map begins, in YAML at its start and in JSON anywhere. */
function lineOf(key: string, lines: readonly string[]): number | undefined {
  const starts = ['', '"', "'"].map(quote => `${quote}${key}${quote}`)
  const isIt = (line: string) => starts.some(start => line.startsWith(start) && /^\s*:/.test(line.slice(start.length)))
  const atStart = lines.findIndex(isIt)
  const index = atStart < 0 ? lines.findIndex(line => isIt(line.trimStart())) : atStart
  return index < 0 ? undefined : index + 1
}

/** Makes the names of a flag comparable: `securePort`, as the library calls the option, is `secure-port`. */
const plain = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase()

function unknownKey(key: string, flags: Flags): string {
  const near = suggest(key, Object.keys(flags))
  return `unknown flag ${JSON.stringify(key)}${near === undefined ? '' : `; did you mean ${near}?`}`
}

type Scalar = string | number | boolean | bigint

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean', 'bigint'].includes(typeof value)
