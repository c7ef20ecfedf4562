import {
  Document,
  type DocumentOptions,
  isMap,
  type ParseOptions,
  parseAllDocuments,
  parseDocument,
  type SchemaOptions,
  type Tags
} from 'yaml'

/** Plain scalars that are no texts in YAML 1.1, but texts to the server: they need quotes nowhere, and get them everywhere. */
const asText = (name: string, test: RegExp) => ({
  tag: `tag:yaml.org,2002:${name}`,
  default: true as const,
  test,
  identify: () => false,
  resolve: (text: string) => text
})
const texts = [
  asText('timestamp', /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ \t]+)[\d:.]+[ \t]*(?:Z|[-+]\d{1,2}(?::\d{2})?)?)?$/),
  asText('sexagesimal', /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/)
]
const others = new Set(['timestamp', 'int', 'float'].map(name => `tag:yaml.org,2002:${name}`))
const isTime = (tag: Tags[number]): boolean =>
  typeof tag === 'object' && others.has(tag.tag) && (tag.tag.endsWith('timestamp') || ('format' in tag && tag.format === 'TIME'))

// The server writes and reads YAML 1.1, where `on` and `yes` are booleans, and integers of 64 bits, which numbers of JavaScript do not hold.
const options: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1',
  intAsBigInt: true,
  merge: false,
  customTags: tags => [...texts, ...tags.filter(tag => !isTime(tag))]
}

export const parseYaml = (text: string): Document.Parsed => parseDocument(text, options)

/** The text of an object as people edit it: without `managedFields`. */
export function editable(text: string): string {
  const document = parseYaml(text)
  const metadata = document.get('metadata')
  if (isMap(metadata)) metadata.delete('managedFields')
  return document.toString({ lineWidth: 0 })
}

/** Writes a value as YAML. */
export const yamlOf = (value: unknown): string => new Document(value, options).toString({ lineWidth: 0 })

/** The value that a text stands for: integers are bigints. Throws what is wrong with the text. */
export function valuesOf(text: string): unknown {
  const document = parseYaml(text)
  const [error] = document.errors
  if (error) throw error
  return document.toJS()
}

/** Changes a text so that it stands for other values at some paths, and keeps the rest as it is written. */
export function withChanges(text: string, changes: readonly Change[]): string {
  const document = parseYaml(text)
  for (const { path, value } of changes) {
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, document.createNode(value))
  }
  return document.toString({ lineWidth: 0 })
}

export type Path = readonly (string | number)[]
export interface Change {
  readonly path: Path
  /** Undefined: the field goes. */
  readonly value: unknown
}

/** Writes a path as errors of the server do: `spec.containers[0].image`. */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number'
        ? `${text}[${step}]`
        : /^[\w-]+$/.test(step)
          ? text
            ? `${text}.${step}`
            : step
          : `${text}[${step}]`,
    ''
  )

/** An object of a text with several, and its own part of the text. */
export interface YamlObject {
  readonly object: {
    readonly apiVersion?: string
    readonly kind?: string
    readonly metadata?: { readonly name?: string; readonly namespace?: string }
  }
  readonly text: string
}

/** The objects of a text in which `---` separates them. Throws what is wrong with it. */
export function parseAll(text: string): YamlObject[] {
  return [...parseAllDocuments(text, options)].flatMap(document => {
    const [error] = document.errors
    if (error) throw error
    const object = document.toJS() as YamlObject['object'] | null
    return object ? [{ object, text: document.toString({ lineWidth: 0 }) }] : []
  })
}
