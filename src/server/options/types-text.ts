/** Writes the interface of the options that have flags, which programs see, with the sentences of the help. */
import { valueTypes } from '../../util/members.js'
import type { ServerOption } from './option.js'
import { optionTable } from './table.js'
import { duration } from './value-types.js'

const typescript = new Map<unknown, string>([
  [valueTypes.text, 'string'],
  [valueTypes.boolean, 'boolean'],
  [valueTypes.texts, 'readonly string[]'],
  [valueTypes.numbers, 'readonly number[]'],
  [valueTypes.switches, 'Readonly<Record<string, boolean>>'],
  [valueTypes.textsByName, 'Readonly<Record<string, string>>']
])

type AnyOption = ServerOption<any>

function typeOf({ type }: AnyOption): string {
  if (type.typescript) return type.typescript
  if (type.value.narrower) return 'number'
  const words = [...type.value.what.matchAll(/"([^"]+)"/g)].map(([, word]) => `'${word}'`)
  return typescript.get(type.value) ?? words.join(' | ')
}

function defaultOf({ default: value, defaultText, libraryDefault, type }: AnyOption): string {
  if (libraryDefault !== undefined) return libraryDefault
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = defaultText ?? (Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : '')
  return text === '' || type.value === valueTypes.switches ? '' : text
}

const isDuration = ({ type }: AnyOption) => type.label === duration.label

/** `/**` and the lines of a comment, broken before 130 characters. */
function comment(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    if (`   * ${lines.at(-1)} ${word}`.length > 125 && lines.at(-1) !== '') lines.push('')
    lines[lines.length - 1] += `${lines.at(-1) === '' ? '' : ' '}${word}`
  }
  if (lines.length === 1) return `  /** ${lines[0]} */`
  return ['  /**', ...lines.map(line => `   * ${line}`), '   */'].join('\n')
}

export function optionTypesText(): string {
  const all: [string, AnyOption][] = Object.entries(optionTable)
  const nameOf = new Map(all.map(([name, { flag }]) => [flag, name]))
  // programs know flags by the names of their options
  const named = (text: string) =>
    text.replace(/--([a-z][\w-]*)/g, (written, flag) => (nameOf.has(flag) ? `\`${nameOf.get(flag)}\`` : written))
  const members = all.map(([name, option]) => {
    const help = named(option.help)
    const standard = named(defaultOf(option))
    const end = [isDuration(option) ? 'Milliseconds' : '', standard && `default ${standard}`].filter(Boolean).join('; ')
    const last = end === '' ? '' : ` ${end[0]!.toUpperCase()}${end.slice(1)}.`
    return `${comment(`${help}${last}`)}\n  readonly ${name}?: ${typeOf(option)} | undefined\n`
  })
  return `// Made by scripts/generate/options.mjs from the table of options.
import type { AuthorizationMode } from '../authorization.js'

/** The options of a server that have flags. */
export interface FlagOptions {
${members.join('')}}
`
}
