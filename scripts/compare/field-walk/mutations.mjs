/** What is tried in place of a field's value, by the field's type. */
import { Exact, Repeated } from '../values.mjs'
import { typeOf } from './examples.mjs'

const name = length => 'x'.repeat(length)
const subdomain = length => 'x.'.repeat(length / 2).padEnd(length, 'y')

const strings = {
  space: ' ',
  letter: 'b',
  upper: 'Ab',
  underscore: 'a_b',
  dashes: '-a-',
  dot: 'a.b',
  dots: 'a..b',
  slash: 'a/b',
  'leading slash': '/a',
  'two slashes': 'a/b/c',
  'up a folder': '../a',
  'prefixed upper': 'Example.com/x',
  prefixed: 'example.com/x',
  'kubernetes.io': 'kubernetes.io/x',
  number: '1',
  negative: '-1',
  quantity: '10Gi',
  percent: '50%',
  address: '10.1.0.1',
  'odd address': '010.1.0.1',
  'address v6': '2001:db8::1',
  cidr: '10.1.0.0/16',
  'odd cidr': '10.1.0.1/16',
  url: 'https://a.example.com/x',
  'http url': 'http://a',
  time: '2024-01-02T03:04:05Z',
  umlaut: 'é',
  'two lines': 'a\nb',
  // what Go's %q and its JSON write in different ways
  'odd characters': 'a<b>&"\\\u0003\u200b\u00e9',
  colon: 'a:b',
  star: '*',
  'star domain': '*.example.com',
  equals: 'a=b',
  None: 'None',
  '15 long': name(15),
  '16 long': name(16),
  '63 long': name(63),
  '64 long': name(64),
  '253 long': subdomain(253),
  '254 long': subdomain(254),
  '1025 long': name(1025)
}
const integers = {
  0: 0,
  1: 1,
  negative: -1,
  2: 2,
  10: 10,
  11: 11,
  100: 100,
  101: 101,
  511: 511,
  512: 512,
  600: 600,
  1001: 1001,
  3600: 3600,
  65535: 65535,
  65536: 65536,
  86401: 86401,
  100001: 100001,
  'max int32': 2147483647,
  'over int32': new Exact('2147483648'),
  'under int32': new Exact('-2147483649'),
  'max int64': new Exact('9223372036854775807'),
  'over int64': new Exact('9223372036854775808'),
  'min int64': new Exact('-9223372036854775808'),
  fraction: 1.5,
  'point zero': new Exact('1.0'),
  exponent: new Exact('1e3')
}
const quantities = {
  0: '0',
  1: '1',
  2: '2',
  negative: '-1',
  milli: '1m',
  fraction: '1.5',
  Gi: '1Gi',
  'below milli': '0.0001',
  nano: '1n',
  huge: '1e30',
  'max int64': '9223372036854775807',
  letter: 'a',
  unit: '1Gb',
  plus: '+1',
  digits: '1.00000000001',
  'json number': 1,
  'json fraction': 0.5,
  'json exponent': new Exact('1e3')
}
const times = {
  fraction: '2024-01-02T03:04:05.678901Z',
  offset: '2024-01-02T03:04:05+02:00',
  future: '2124-01-02T03:04:05Z',
  past: '1924-01-02T03:04:05Z',
  date: '2024-01-02',
  lower: '2024-01-02t03:04:05z',
  letter: 'a'
}
const either = {
  ...Object.fromEntries(
    ['0', '1', 'negative', '2', '65535', '65536', 'max int32', 'over int32', 'fraction'].map(key => [`${key}`, integers[key]])
  ),
  percent: '50%',
  'percent 100': '100%',
  'percent 101': '101%',
  'negative percent': '-1%',
  'zero percent': '0%',
  digits: '80',
  letter: 'a',
  upper: 'Ab',
  underscore: 'a_b',
  '15 long': name(15),
  '16 long': name(16)
}
const wrong = { 'a string': 'a', 'a number': 1, 'a boolean': true, 'a list': [], 'an object': {}, 'a list of null': [null] }
const keys = {
  'empty key': '',
  'upper key': 'A_b',
  'key with two slashes': 'a/b/c',
  'key with dash': '-a',
  'key of 64': name(64),
  'key of 254': subdomain(254),
  'prefixed key': 'example.com/a',
  'upper prefix': 'Example.com/a',
  'kubernetes.io key': 'kubernetes.io/x',
  cpu: 'cpu',
  proto: '__proto__'
}

/** An element of another identity than the first. */
function another(item, mergeKeys) {
  if (typeof item === 'string') return `${item}b`
  if (typeof item === 'number') return item + 1
  if (item === null || typeof item !== 'object') return item
  const copy = structuredClone(item)
  const key =
    mergeKeys?.find(k => copy[k] !== undefined) ??
    ['name', 'key', 'type', 'path', 'mountPath', 'ip'].find(k => typeof copy[k] === 'string')
  if (key !== undefined) copy[key] = typeof copy[key] === 'number' ? copy[key] + 1 : `${copy[key]}b`
  return copy
}

/** Another value that is as valid. */
function changed(value, schema, resolved, mergeKeys) {
  if (resolved.enum) return resolved.enum.find(other => other !== value && other !== '') ?? value
  if (typeOf(schema)?.endsWith('.Quantity')) return value === '2' ? '3' : '2'
  if (resolved.format === 'date-time') return '2025-01-02T03:04:05Z'
  if (resolved.format === 'byte') return 'Yg=='
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return /%$/.test(value) ? '30%' : `${value}b`
  if (Array.isArray(value)) return value.length > 0 ? [...value, another(value[0], mergeKeys)] : value
  return undefined
}

const entries = (values, sort) => Object.entries(values).map(([label, value]) => ({ sort: `${sort}${label}`, value }))

/**
 * All mutations of a field with this example: { sort, value }, or { sort, remove }, { sort, unknown }. The ones with `light` are those that
 * show the rules of a kind where the rules of the type are already known.
 */
export function mutationsOf(schema, example, follow) {
  const resolved = follow(schema)
  const type = typeOf(schema) ?? ''
  const list = [
    { sort: 'absent', remove: true, light: true },
    { sort: 'null', value: null, light: true }
  ]
  const jsonType = resolved.oneOf ? 'either' : (resolved.type ?? (resolved.properties ? 'object' : 'any'))
  const fitting = {
    string: 'a string',
    integer: 'a number',
    number: 'a number',
    boolean: 'a boolean',
    array: 'a list',
    object: 'an object'
  }[jsonType]
  for (const mutation of entries(wrong, ''))
    if (mutation.sort !== fitting) list.push({ ...mutation, light: ['a string', 'a number'].includes(mutation.sort) })
  if (jsonType !== 'object' || !resolved.properties)
    list.push({ sort: 'twice', value: new Repeated(example, example), strict: true })
  const mergeKeys =
    resolved['x-kubernetes-list-map-keys'] ??
    (resolved['x-kubernetes-patch-merge-key'] ? [resolved['x-kubernetes-patch-merge-key']] : undefined)
  const other = changed(example, schema, resolved, mergeKeys)
  if (other !== undefined) list.push({ sort: 'another', value: other, light: true })
  list.push({ sort: 'the example', value: example, light: true })
  if (type.endsWith('.Quantity')) return [...list, { sort: 'empty', value: '' }, ...entries(quantities, '')]
  if (jsonType === 'either') return [...list, { sort: 'empty', value: '' }, ...entries(either, '')]
  switch (jsonType) {
    case 'string':
      list.push({ sort: 'empty', value: '', light: true })
      if (resolved.enum) {
        list.push(...resolved.enum.map(value => ({ sort: `enum ${value}`, value })))
        list.push({ sort: 'no such enum', value: 'Nonsense', light: true })
        list.push({ sort: 'no such enum, odd characters', value: strings['odd characters'] })
        const lower = resolved.enum[0].toLowerCase()
        if (!resolved.enum.includes(lower)) list.push({ sort: 'lowercase enum', value: lower })
        return list
      }
      if (resolved.format === 'date-time') return [...list, ...entries(times, 'time ')]
      list.push(
        ...entries(strings, '').map(m => (['upper', '254 long', 'underscore'].includes(m.sort) ? { ...m, light: true } : m))
      )
      return list
    case 'integer':
    case 'number':
      return [
        ...list,
        ...entries(integers, '').map(m =>
          ['0', 'negative', 'max int32', 'over int32', 'max int64'].includes(m.sort) ? { ...m, light: true } : m
        )
      ]
    case 'array': {
      const item = Array.isArray(example) ? example[0] : undefined
      if (item === undefined) return list
      list.push({ sort: 'a duplicate item', value: [item, item], light: true })
      list.push({ sort: 'items with a null', value: [item, null] })
      const isText = typeof item === 'string'
      if (isText)
        list.push(
          { sort: 'an empty item', value: [''] },
          { sort: 'a wrong item', value: [1] },
          { sort: 'a star', value: ['*', item] }
        )
      if (isText) for (const [label, value] of Object.entries(strings)) list.push({ sort: `an item: ${label}`, value: [value] })
      else list.push({ sort: 'a wrong item', value: ['a'] }, { sort: 'an empty item', value: [{}], light: true })
      const more = another(item, mergeKeys)
      list.push({ sort: 'the other order', value: [more, item], light: true })
      for (const size of [9, 17, 33, 65, 101, 129, 257])
        list.push({ sort: `${size} items`, value: Array.from({ length: size }, (_, i) => numbered(item, i, mergeKeys)) })
      list.push({ sort: 'empty list', value: [], light: true })
      return list
    }
    default: {
      list.push({ sort: 'empty object', value: {}, light: true })
      if (resolved.additionalProperties) {
        const inner = isObject(example) ? (Object.values(example)[0] ?? 'a') : 'a'
        for (const [label, key] of Object.entries(keys))
          list.push({ sort: label, value: own(key, inner), light: label === 'upper key' })
        list.push({ sort: 'a null entry', value: { a: null } }, { sort: 'a wrong entry', value: { a: 1 } })
        list.push({ sort: 'a list as entry', value: { a: [] } }, { sort: 'an empty entry', value: { a: '' } })
        list.push({ sort: 'an entry twice', value: { a: new Repeated(inner, inner) }, strict: true })
        list.push({ sort: 'one more', value: { ...example, zz: inner }, light: true })
        if (typeof inner === 'string' && follow(resolved.additionalProperties).type === 'string')
          for (const [label, value] of Object.entries(strings)) list.push({ sort: `an entry: ${label}`, value: { a: value } })
        return list
      }
      if (resolved.properties)
        for (const validation of ['Strict', 'Warn', 'Ignore'])
          list.push({ sort: `an unknown field, ${validation}`, value: { ...example, unknownField: 1 }, validation })
      return list
    }
  }
}

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)
const own = (key, value) => Object.defineProperty({}, key, { value, enumerable: true })

function numbered(item, i, mergeKeys) {
  if (typeof item === 'string') return `${item}${i}`
  if (typeof item === 'number') return item + i
  if (!isObject(item)) return item
  const copy = structuredClone(item)
  for (const key of mergeKeys ?? ['name'])
    if (typeof copy[key] === 'string') copy[key] = `${copy[key]}${i}`
    else if (typeof copy[key] === 'number') copy[key] += i
  return copy
}
