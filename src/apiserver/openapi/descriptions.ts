/**
 * The descriptions of types and fields, for `kubectl explain`. The texts are generated when the package is built (see
 * scripts/generate/descriptions.mjs); without them the documents lack only the descriptions.
 */
import { readFileSync } from 'node:fs'
import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import type { Parameter } from './operation.js'

interface TypeText {
  d?: string
  f?: Record<string, string>
}

interface Texts {
  readonly types: Readonly<Record<string, TypeText>>
  readonly parameters: Readonly<Record<string, string>>
}

export class Descriptions {
  readonly #types: Texts['types']
  readonly #parameters: Texts['parameters']
  /** Whether the values of enums are listed, in texts and in schemas. */
  readonly enums: boolean

  constructor({ types, parameters }: Texts, enums = true) {
    this.#types = types
    this.#parameters = parameters
    this.enums = enums
  }

  type(name: string): { description?: string } {
    return this.#text(this.#types[name]?.d)
  }

  field(type: string, field: string): { description?: string } {
    return this.#text(this.#types[type]?.f?.[field])
  }

  #text(description: string | undefined): { description?: string } {
    const end = this.enums || description === undefined ? -1 : description.indexOf(enumHeader)
    return wrap(end < 0 ? description : description!.slice(0, end).trim())
  }

  parameter({ name, in: place, of }: Parameter): { description?: string } {
    if (place === 'path' && name === 'name') return wrap(`name of the ${of}`)
    if (place === 'path' && name === 'path') return wrap('path to the resource')
    return wrap(this.#parameters[`${of} ${name}`] ?? this.#parameters[name])
  }
}

/** What a text says before it lists the values of an enum. */
const enumHeader = 'Possible enum values:'

const wrap = (description: string | undefined) => (description === undefined ? {} : { description })

let loaded: WeakRef<Texts> | undefined

/** Reads the descriptions when a document is made. Keeps them only while documents are being made. */
export function loadDescriptions(features?: Pick<FeatureGates, 'enabled'>): Descriptions {
  let texts = loaded?.deref()
  if (!texts) loaded = new WeakRef((texts = readTexts()))
  return new Descriptions(texts, features?.enabled('OpenAPIEnums'))
}

function readTexts(): Texts {
  try {
    return JSON.parse(readFileSync(new URL('./generated/descriptions.json', import.meta.url), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { types: {}, parameters: {} }
  }
}
