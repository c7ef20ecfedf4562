/** Writes messages of Protobuf, as gnostic's schemas of OpenAPI documents need them. Fields without a value are left out. */
import type * as Yaml from 'yaml'
import { lazyPackage } from '../util/lazy-package.js'

const yaml = lazyPackage<typeof Yaml>('yaml')

type Part = Buffer | undefined

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      bytes.push(rest)
      return Buffer.from(bytes)
    }
    bytes.push((rest % 128) + 128)
  }
}

export const message = (parts: readonly Part[]): Buffer => Buffer.concat(parts.filter(part => part !== undefined))
export const bytes = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + 2), varint(content.length), content])
export const text = (field: number, value: string | undefined): Part =>
  value === undefined || value === '' ? undefined : bytes(field, Buffer.from(value))
export const texts = (field: number, values: readonly string[] = []): Part =>
  values.length === 0 ? undefined : Buffer.concat(values.map(value => bytes(field, Buffer.from(value))))
export const flag = (field: number, value: boolean | undefined): Part => (value ? varintField(field, 1) : undefined)
export const all = <T>(field: number, values: readonly T[], encode: (value: T) => Buffer): Part =>
  values.length === 0 ? undefined : Buffer.concat(values.map(value => bytes(field, encode(value))))
export const optional = <T>(field: number, value: T | undefined, encode: (value: T) => Buffer): Part =>
  value === undefined ? undefined : bytes(field, encode(value))

/** Any: a value as YAML, written as go-yaml does. */
export const any = (value: unknown): Buffer => bytes(2, Buffer.from(yamlOf(value)))

const keyword = /^(true|false|null|yes|no|on|off|y|n)$/i
const plain = /^[a-z][\w./ -]*\w$|^[a-z]$/i

/** go-yaml puts text that would be read as another type between double quotes, and other text that needs them between single ones. */
function yamlOf(value: unknown): string {
  if (typeof value === 'string' && plain.test(value) && !keyword.test(value)) return `${value}\n`
  const { Document, visit, parse } = yaml()
  const isText = (text: string) => {
    try {
      return typeof parse(text) === 'string'
    } catch {
      return true
    }
  }
  const document = new Document(value)
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && (keyword.test(node.value) || !isText(node.value))) node.type = 'QUOTE_DOUBLE'
    }
  })
  return document.toString({ lineWidth: 0, singleQuote: true })
}

export const named =
  <T>(encode: (value: T) => Buffer) =>
  ([name, value]: [string, T]): Buffer =>
    message([text(1, name), bytes(2, encode(value))])

export const extensions = (field: number, object: Readonly<Record<string, unknown>>): Part =>
  all(
    field,
    Object.entries(object).filter(([name]) => name.startsWith('x-')),
    named(any)
  )

export const varintField = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)])

export function double(field: number, value: number): Buffer {
  const content = Buffer.alloc(8)
  content.writeDoubleLE(value)
  return Buffer.concat([varint(field * 8 + 1), content])
}
