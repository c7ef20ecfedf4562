/** Prints structural schemas as TypeScript interfaces. */
import { isMap } from '../../util/members.js'

/** What the server answers has all fields with defaults; new objects need not have them. */
type Form = 'answer' | 'create'
type Schema = Readonly<Record<string, unknown>>

const isSchema: (value: unknown) => value is Schema = isMap
const width = 110
const ofServer = new Set(['apiVersion', 'kind', 'metadata'])

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** A text as a literal, in which no line can end. */
const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))
const literal = (value: unknown) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))

function comment(description: unknown, indent: string): string {
  if (typeof description !== 'string' || description.trim() === '') return ''
  const lines = description
    .trim()
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap(wrapped)
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map(line => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.trim().split(/\s+/)) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

export class SchemaPrinter {
  readonly #names = new Set<string>()
  readonly #parts: string[] = []
  readonly #defaults = new WeakMap<Schema, boolean>()
  /** The interfaces of schemas that are the same in both forms. */
  readonly #printed = new WeakMap<Schema, string>()

  get text(): string {
    return `${this.#parts.join('\n\n')}\n`
  }

  add(text: string): void {
    this.#parts.push(text)
  }

  /** Takes a name that is not taken yet: the first of those wanted, or the last with a number. */
  free(...wanted: readonly [string, ...string[]]): string {
    let name = wanted.find(each => !this.#names.has(each))
    for (let n = 2; name === undefined; n++) {
      const numbered = `${wanted.at(-1)}${n}`
      if (!this.#names.has(numbered)) name = numbered
    }
    this.#names.add(name)
    return name
  }

  /** Prints the interface of a kind, which begins with the fields that every object has. */
  object(name: string, schema: Schema, form: Form, own: readonly string[]): void {
    const place = this.#parts.push('') - 1
    const fields = own.map(line => `  ${line}\n`).join('') + this.#fields(name, schema, form, ofServer)
    this.#parts[place] = `${comment(schema.description, '')}export interface ${name} {\n${fields}}`
  }

  #fields(name: string, schema: Schema, form: Form, without: ReadonlySet<string> = new Set()): string {
    const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : []
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const lines = properties.flatMap(([field, given]) => {
      if (without.has(field)) return []
      const value = isSchema(given) ? given : {}
      const isThere = 'default' in value ? form === 'answer' : required.has(field)
      const type = this.#type(name + capital(field.replaceAll(/[^A-Za-z0-9]/g, '')), value, form)
      return `${comment(value.description, '  ')}  ${keyOf(field)}${isThere ? '' : '?'}: ${type}${isThere ? '' : ' | undefined'}\n`
    })
    return lines.join('') + (schema['x-kubernetes-preserve-unknown-fields'] === true ? '  [field: string]: unknown\n' : '')
  }

  #type(name: string, schema: Schema, form: Form): string {
    const text = this.#plainType(name, schema, form)
    return schema.nullable === true && text !== 'unknown' ? `${text} | null` : text
  }

  #plainType(name: string, schema: Schema, form: Form): string {
    if (schema['x-kubernetes-int-or-string'] === true) return 'number | string'
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum.map(literal).join(' | ')
    switch (schema.type) {
      case 'string':
      case 'boolean':
        return schema.type
      case 'integer':
      case 'number':
        return 'number'
      case 'array': {
        const item = this.#type(name, isSchema(schema.items) ? schema.items : {}, form)
        return /[| ]/.test(item) ? `(${item})[]` : `${item}[]`
      }
      case 'object':
        return this.#objectType(name, schema, form)
      default:
        return 'unknown'
    }
  }

  #objectType(name: string, schema: Schema, form: Form): string {
    const { properties, additionalProperties } = schema
    if (isSchema(properties) && Object.keys(properties).length > 0) return this.#interface(name, schema, form)
    if (isSchema(additionalProperties)) return `Record<string, ${this.#type(name, additionalProperties, form)}>`
    return 'Record<string, unknown>'
  }

  #interface(wanted: string, schema: Schema, form: Form): string {
    const differs = this.#hasDefaults(schema)
    const known = differs ? undefined : this.#printed.get(schema)
    if (known !== undefined) return known
    const base = wanted.replace(/Draft(?=[A-Z]|$)/, '')
    const name = this.free(form === 'create' && differs ? `${base}Draft` : base)
    if (!differs) this.#printed.set(schema, name)
    const place = this.#parts.push('') - 1
    this.#parts[place] = `${comment(schema.description, '')}export interface ${name} {\n${this.#fields(base, schema, form)}}`
    return name
  }

  /** Whether a field in it has a default: then answers have fields that new objects need not have. */
  #hasDefaults(schema: Schema): boolean {
    const known = this.#defaults.get(schema)
    if (known !== undefined) return known
    const { properties, additionalProperties, items } = schema
    const below = [additionalProperties, items, ...(isSchema(properties) ? Object.values(properties) : [])].filter(isSchema)
    const found = below.some(each => 'default' in each || this.#hasDefaults(each))
    this.#defaults.set(schema, found)
    return found
  }
}
