/** The operators and functions of the language itself. */

import { type CallCost, regexCost } from '../cost/call-cost.js'
import { add, fixed, multiply, type Range, scale, unknownSize } from '../cost/estimate-range.js'
import { perCharacter } from '../cost/rates.js'
import { actualSize } from '../cost/sizes.js'
import { type Implementation, type Library, type Overload, overload } from '../declarations.js'
import { qualify } from '../evaluate/qualify.js'
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeParam,
  typeType,
  uintType
} from '../types.js'
import { compare, contains } from '../values/compare.js'
import { characters } from '../values/text.js'
import { type ListValue, noSuchOverload, type Value } from '../values/value.js'
import { arithmetic } from './arithmetic.js'
import { matches } from './regular-expression.js'

const size = (operands: readonly { size: Range }[], i: number) => operands[i]?.size ?? unknownSize

const readsBoth: CallCost = {
  estimate: operands => {
    const result = add(size(operands, 0), size(operands, 1))
    return { cost: scale(result, perCharacter), size: result }
  },
  actual: ([a, b]) => Math.ceil((actualSize(a!) + actualSize(b!)) * perCharacter)
}

const concatenatesLists: CallCost = {
  estimate: operands => ({ cost: fixed(1), size: add(size(operands, 0), size(operands, 1)) }),
  actual: () => 1
}

/** The cost of reading both operands up to the end of the shorter one. */
const readsShorter: CallCost = {
  estimate: operands => {
    const max = Math.min(size(operands, 0).max, size(operands, 1).max)
    return { cost: scale({ min: max > 0 ? 1 : 0, max }, perCharacter) }
  },
  actual: ([a, b]) => Math.ceil(Math.min(actualSize(a!), actualSize(b!)) * perCharacter)
}

const readsAffix: CallCost = {
  estimate: operands => ({ cost: scale(size(operands, 1), perCharacter) }),
  actual: ([, affix]) => Math.ceil(actualSize(affix!) * perCharacter)
}

const searches: CallCost = {
  estimate: operands => ({ cost: multiply(scale(size(operands, 0), perCharacter), scale(size(operands, 1), perCharacter)) }),
  actual: ([text, part]) => Math.ceil(actualSize(text!) * perCharacter) * Math.ceil(actualSize(part!) * perCharacter)
}

const searchesList: CallCost = {
  estimate: operands => ({ cost: size(operands, 1) }),
  actual: operands => actualSize(operands[1]!)
}

/** The types of ordered values, with the text that stands for them in names of overloads: int, int64 and so on. */
const ordered: readonly (readonly [id: string, type: string])[] = [
  ['bool', 'bool'],
  ['int64', 'int'],
  ['uint64', 'uint'],
  ['double', 'double'],
  ['string', 'string'],
  ['bytes', 'bytes'],
  ['timestamp', 'timestamp'],
  ['duration', 'duration']
]
const mixedNumbers = [
  ['int64_double', 'int, double'],
  ['int64_uint64', 'int, uint'],
  ['uint64_double', 'uint, double'],
  ['uint64_int64', 'uint, int'],
  ['double_int64', 'double, int'],
  ['double_uint64', 'double, uint']
] as const

function relation(name: string, holds: (order: -1 | 0 | 1) => boolean): Overload[] {
  const run: Implementation = (a: Value, b: Value) => {
    const order = compare(a, b)
    return typeof order === 'number' ? holds(order) : order
  }
  const text = new Set(['string', 'bytes'])
  return [
    ...ordered.map(([id, type]) =>
      overload(`${name}_${id}`, `${type}, ${type} -> bool`, run, { cost: text.has(id) ? readsShorter : undefined })
    ),
    ...mixedNumbers.map(([id, types]) => overload(`${name}_${id}`, `${types} -> bool`, run))
  ]
}

/** Only declared here: the evaluator implements these functions. */
const builtIn = () => noSuchOverload

const sizes = (a: string | Uint8Array | { size: number }) =>
  BigInt(typeof a === 'string' ? characters(a) : a instanceof Uint8Array ? a.length : a.size)

const sized = [
  ['bytes', 'bytes'],
  ['list', 'list(A)'],
  ['string', 'string'],
  ['map', 'map(A, B)']
] as const

export const standardLibrary: Library = {
  types: [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    listType(typeParam('A')),
    mapType(typeParam('A'), typeParam('B')),
    nullType,
    stringType,
    timestampType,
    typeType(),
    uintType
  ],
  functions: {
    '_?_:_': [overload('conditional', 'bool, A, A -> A', builtIn)],
    '_&&_': [overload('logical_and', 'bool, bool -> bool', builtIn)],
    '_||_': [overload('logical_or', 'bool, bool -> bool', builtIn)],
    '!_': [overload('logical_not', 'bool -> bool', (a: boolean) => !a)],
    '@not_strictly_false': [overload('not_strictly_false', 'bool -> bool', builtIn)],
    '_==_': [overload('equals', 'A, A -> bool', builtIn, { cost: readsShorter })],
    '_!=_': [overload('not_equals', 'A, A -> bool', builtIn, { cost: readsShorter })],
    '_+_': [
      overload('add_bytes', 'bytes, bytes -> bytes', arithmetic.add, { cost: readsBoth }),
      overload('add_double', 'double, double -> double', arithmetic.add),
      overload('add_duration_duration', 'duration, duration -> duration', arithmetic.add),
      overload('add_duration_timestamp', 'duration, timestamp -> timestamp', arithmetic.add),
      overload('add_timestamp_duration', 'timestamp, duration -> timestamp', arithmetic.add),
      overload('add_int64', 'int, int -> int', arithmetic.add),
      overload('add_list', 'list(A), list(A) -> list(A)', (a: ListValue, b: ListValue) => a.concat(b), {
        cost: concatenatesLists
      }),
      overload('add_string', 'string, string -> string', arithmetic.add, { cost: readsBoth }),
      overload('add_uint64', 'uint, uint -> uint', arithmetic.add)
    ],
    '_-_': [
      overload('subtract_double', 'double, double -> double', arithmetic.subtract),
      overload('subtract_duration_duration', 'duration, duration -> duration', arithmetic.subtract),
      overload('subtract_int64', 'int, int -> int', arithmetic.subtract),
      overload('subtract_timestamp_duration', 'timestamp, duration -> timestamp', arithmetic.subtract),
      overload('subtract_timestamp_timestamp', 'timestamp, timestamp -> duration', arithmetic.subtract),
      overload('subtract_uint64', 'uint, uint -> uint', arithmetic.subtract)
    ],
    '_*_': [
      overload('multiply_double', 'double, double -> double', arithmetic.multiply),
      overload('multiply_int64', 'int, int -> int', arithmetic.multiply),
      overload('multiply_uint64', 'uint, uint -> uint', arithmetic.multiply)
    ],
    '_/_': [
      overload('divide_double', 'double, double -> double', arithmetic.divide),
      overload('divide_int64', 'int, int -> int', arithmetic.divide),
      overload('divide_uint64', 'uint, uint -> uint', arithmetic.divide)
    ],
    '_%_': [
      overload('modulo_int64', 'int, int -> int', arithmetic.modulo),
      overload('modulo_uint64', 'uint, uint -> uint', arithmetic.modulo)
    ],
    '-_': [
      overload('negate_double', 'double -> double', arithmetic.negate),
      overload('negate_int64', 'int -> int', arithmetic.negate)
    ],
    '_<_': relation('less', order => order < 0),
    '_<=_': relation('less_equals', order => order <= 0),
    '_>_': relation('greater', order => order > 0),
    '_>=_': relation('greater_equals', order => order >= 0),
    '_[_]': [
      overload('index_list', 'list(A), int -> A', (list: Value, i: Value) => qualify(list, i)),
      overload('index_map', 'map(A, B), A -> B', (map: Value, key: Value) => qualify(map, key))
    ],
    '@in': [
      overload('in_list', 'A, list(A) -> bool', (item: Value, list: Value) => contains(list, item), { cost: searchesList }),
      overload('in_map', 'A, map(A, B) -> bool', (key: Value, map: Value) => contains(map, key))
    ],
    size: sized.flatMap(([id, type]) => [
      overload(`size_${id}`, `${type} -> int`, sizes),
      overload(`${id}_size`, `${type}.() -> int`, sizes)
    ]),
    contains: [
      overload('contains_string', 'string.(string) -> bool', (s: string, t: string) => s.includes(t), { cost: searches })
    ],
    startsWith: [
      overload('starts_with_string', 'string.(string) -> bool', (s: string, t: string) => s.startsWith(t), { cost: readsAffix })
    ],
    endsWith: [
      overload('ends_with_string', 'string.(string) -> bool', (s: string, t: string) => s.endsWith(t), { cost: readsAffix })
    ],
    matches: [
      overload('matches', 'string, string -> bool', matches, { cost: regexCost }),
      overload('matches_string', 'string.(string) -> bool', matches, { cost: regexCost })
    ]
  }
}
