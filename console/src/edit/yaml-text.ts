import { type Document, isMap, parseDocument } from 'yaml'

// The server writes and reads YAML 1.1, where `on` and `yes` are booleans, and integers of 64 bits, which numbers of JavaScript do not hold.
const options = { version: '1.1', intAsBigInt: true, merge: false, lineWidth: 0 } as const

export const parseYaml = (text: string): Document.Parsed => parseDocument(text, options)

/** The text of an object as people edit it: without `managedFields`. */
export function editable(text: string): string {
  const document = parseYaml(text)
  const metadata = document.get('metadata')
  if (isMap(metadata)) metadata.delete('managedFields')
  return document.toString({ lineWidth: 0 })
}

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
