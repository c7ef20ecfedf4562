/**
 * The descriptions of types and fields, for `kubectl explain`. The texts are generated when the package is built (see
 * scripts/generate/descriptions.mjs); without them the documents lack only the descriptions.
 */
import { readFileSync } from 'node:fs'
import type { Parameter } from './operation.js'

interface TypeText {
  d?: string
  f?: Record<string, string>
}

export class Descriptions {
  readonly #types: Readonly<Record<string, TypeText>>
  readonly #parameters: Readonly<Record<string, string>>

  constructor(texts: { types: Record<string, TypeText>; parameters: Record<string, string> }) {
    this.#types = texts.types
    this.#parameters = texts.parameters
  }

  type(name: string): { description?: string } {
    return wrap(this.#types[name]?.d)
  }

  field(type: string, field: string): { description?: string } {
    return wrap(this.#types[type]?.f?.[field])
  }

  parameter({ name, in: place, of }: Parameter): { description?: string } {
    if (place === 'path' && name === 'name') return wrap(`name of the ${of}`)
    if (place === 'path' && name === 'path') return wrap('path to the resource')
    return wrap(this.#parameters[`${of} ${name}`] ?? this.#parameters[name])
  }
}

const wrap = (description: string | undefined) => (description === undefined ? {} : { description })

let loaded: WeakRef<Descriptions> | undefined

/** Reads the descriptions when a document is made. Keeps them only while documents are being made. */
export function loadDescriptions(): Descriptions {
  const known = loaded?.deref()
  if (known) return known
  const descriptions = readDescriptions()
  loaded = new WeakRef(descriptions)
  return descriptions
}

function readDescriptions(): Descriptions {
  try {
    return new Descriptions(JSON.parse(readFileSync(new URL('./generated/descriptions.json', import.meta.url), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return new Descriptions({ types: {}, parameters: {} })
  }
}
