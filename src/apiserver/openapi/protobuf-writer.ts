/**
 * What the messages of gnostic's schemas of OpenAPI documents have in common. A message lists its parts in the order of their fields; they are
 * made and written only when their turn comes, from back to front. Parts without a value are left out.
 */
import { wireBytes, wireFixed64, wireVarint } from '../../util/protobuf/reader.js'
import { ReverseWriter } from '../../util/protobuf/writer.js'
import { yamlOf } from './go-yaml.js'

export type Json = Record<string, any>
export type Message = (writer: ReverseWriter) => void
type Part = Message | undefined

export function bytesOf(message: Message): Buffer {
  const writer = new ReverseWriter()
  message(writer)
  return writer.take()
}

export const message =
  (parts: readonly Part[]): Message =>
  writer => {
    for (let i = parts.length - 1; i >= 0; i--) parts[i]?.(writer)
  }

/** A field with a message in it. */
export const field =
  (number: number, content: Message): Message =>
  writer => {
    const before = writer.written
    content(writer)
    writer.lengthSince(before)
    writer.varint(number * 8 + wireBytes)
  }

/** A field for each value. */
export const all =
  <T>(number: number, values: readonly T[] | undefined, encode: (value: T) => Message): Message =>
  writer => {
    for (const value of (values ?? []).toReversed()) field(number, encode(value))(writer)
  }

export const optional = <T>(number: number, value: T | undefined, encode: (value: T) => Message): Part =>
  value === undefined ? undefined : writer => field(number, encode(value))(writer)

const content =
  (value: string): Message =>
  writer =>
    writer.string(value)
/** A field with text, which may be empty. */
export const string = (number: number, value: string): Message => field(number, content(value))
export const text = (number: number, value: string | undefined): Part => (value ? string(number, value) : undefined)
export const texts = (number: number, values: readonly string[] | undefined): Message => all(number, values, content)

export const integer =
  (number: number, value: number): Message =>
  writer => {
    writer.int64(value)
    writer.varint(number * 8 + wireVarint)
  }
export const boolean = (number: number, value: boolean): Message => integer(number, value ? 1 : 0)
export const flag = (number: number, value: boolean | undefined): Part => (value ? boolean(number, value) : undefined)

export const double =
  (number: number, value: number): Message =>
  writer => {
    writer.double(value)
    writer.varint(number * 8 + wireFixed64)
  }

/** Writes an Any: a value as YAML. */
export const any = (value: unknown): Message => string(2, yamlOf(value))

const named =
  <T>(encode: (value: T) => Message) =>
  ([name, value]: [string, T]): Message =>
    message([text(1, name), field(2, encode(value))])

/** A field for each entry of a map, which holds its name and its value. */
export const entries = <T>(number: number, map: Readonly<Record<string, T>>, encode: (value: T) => Message): Message =>
  all(number, Object.entries(map), named(encode))

export const extensions = (number: number, object: Json): Message =>
  all(
    number,
    Object.entries(object).filter(([name]) => name.startsWith('x-')),
    named(any)
  )

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/** Writes the operations of a path, each in a field of its own, from `first` on. */
export const operations = (first: number, path: Json, encode: (operation: Json) => Message): Message =>
  message(methods.map((method, i) => optional(first + i, path[method], encode)))
