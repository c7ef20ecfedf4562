/** The JSON Schema of the file of --config, for editors: from the table of flags. */
import type { Flag, Flags } from '../server/options/flag.js'
import { optionTable } from '../server/options/table.js'
import { takesMany } from './config-file.js'

type Schema = Readonly<Record<string, unknown>>

/** What a text of a flag may be in a file: YAML reads `1.36` as a number. */
const scalar = ['string', 'number', 'boolean']
/** A flag without a value counts as left out. */
const nothing = 'null'

function valuesOf(flag: Flag<any>): Schema {
  const { label, words, range } = flag.type
  if (words) return { enum: [...words, null] }
  if (label === 'bool') return { type: ['boolean', nothing] }
  if (range) return { type: [range.isWhole ? 'integer' : 'number', nothing], minimum: range.from, maximum: range.to }
  if (label === 'duration')
    return { anyOf: [{ type: 'string', pattern: '^([0-9.]+(h|m|s|ms|us|µs|ns))+$|^0$' }, { enum: [0, null] }] }
  if (!takesMany(flag)) return { type: [...scalar, nothing] }
  return { type: [...scalar, 'array', 'object', nothing], items: { type: scalar }, additionalProperties: { type: scalar } }
}

function schemaOf(flag: Flag<any>): Schema {
  const { help, default: standard, defaultText, isHidden, formerNameOf } = flag
  const isShown =
    defaultText === undefined && flag.type.label !== 'duration' && ['number', 'boolean', 'string'].includes(typeof standard)
  return {
    description: help,
    ...valuesOf(flag),
    ...(isShown ? { default: standard } : {}),
    ...(isHidden || formerNameOf ? { deprecated: true } : {})
  }
}

/** A flag has its name as a key, and that of the library's option. */
export function configSchema(flags: Flags): Schema {
  const names = new Map(Object.entries(optionTable).map(([name, { flag }]) => [flag as string, name]))
  const properties = Object.entries(flags)
    .filter(([name]) => name !== 'config')
    .flatMap(([name, flag]) => [name, names.get(name) ?? name].map(key => [key, schemaOf(flag)] as const))
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The file of binnacle serve --config',
    type: ['object', nothing],
    additionalProperties: false,
    properties: Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** The schema with a line for each key, so that a change of one is seen. */
export function configSchemaText(flags: Flags): string {
  const { properties, ...head } = configSchema(flags)
  const lines = Object.entries(properties as Schema).map(([key, schema]) => `${JSON.stringify(key)}:${JSON.stringify(schema)}`)
  return `${JSON.stringify(head).slice(0, -1)},"properties":{\n${lines.join(',\n')}\n}}\n`
}
