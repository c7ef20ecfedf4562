/** Optional values. */
import { type Library, overload } from '../declarations.js'
import { opaqueType } from '../types.js'
import {
  ArrayList,
  CelError,
  Duration,
  ListValue,
  MapValue,
  noSuchOverload,
  Optional,
  Timestamp,
  UInt,
  type Value
} from '../values/value.js'

const none = new CelError('optional.none() dereference')

/** Only declared here: the evaluator implements these functions. */
const builtIn = () => noSuchOverload

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0n || value === 0) return true
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0
  if (value instanceof Uint8Array) return value.length === 0
  if (value instanceof UInt) return value.value === 0n
  if (value instanceof Duration) return value.nanos === 0n
  if (value instanceof Timestamp) return value.nanos === -62_135_596_800_000_000_000n
  return value instanceof Optional && (value.value === undefined || isZero(value.value))
}

function unwrap(list: ListValue): Value {
  const values: Value[] = []
  for (const item of list) {
    if (!(item instanceof Optional)) return new CelError(`value ${String(item)} is not optional`)
    if (item.value !== undefined) values.push(item.value)
  }
  return new ArrayList(values)
}

const at = (list: ListValue, i: number) => (list.size === 0 ? Optional.none : Optional.of(list.get(i)))

export const optionals: Library = {
  types: [opaqueType('optional_type')],
  functions: {
    'optional.of': [overload('optional_of', 'V -> optional(V)', (value: Value) => Optional.of(value))],
    'optional.ofNonZeroValue': [
      overload('optional_ofNonZeroValue', 'V -> optional(V)', (value: Value) =>
        isZero(value) ? Optional.none : Optional.of(value)
      )
    ],
    'optional.none': [overload('optional_none', '-> optional(V)', () => Optional.none)],
    'optional.unwrap': [overload('optional_unwrap', 'list(optional(V)) -> list(V)', unwrap)],
    unwrapOpt: [overload('optional_unwrapOpt', 'list(optional(V)).() -> list(V)', unwrap)],
    value: [overload('optional_value', 'optional(V).() -> V', ({ value }: Optional) => (value === undefined ? none : value))],
    hasValue: [overload('optional_hasValue', 'optional(V).() -> bool', (o: Optional) => o.value !== undefined)],
    or: [overload('optional_or_optional', 'optional(V).(optional(V)) -> optional(V)', builtIn)],
    orValue: [overload('optional_orValue_value', 'optional(V).(V) -> V', builtIn)],
    first: [overload('list_first', 'list(V).() -> optional(V)', (list: ListValue) => at(list, 0))],
    last: [overload('list_last', 'list(V).() -> optional(V)', (list: ListValue) => at(list, list.size - 1))],
    '_?._': [overload('select_optional_field', 'dyn, string -> optional(V)', builtIn)],
    '_[?_]': [
      overload('list_optindex_optional_int', 'list(V), int -> optional(V)', builtIn),
      overload('optional_list_optindex_optional_int', 'optional(list(V)), int -> optional(V)', builtIn),
      overload('map_optindex_optional_value', 'map(K, V), K -> optional(V)', builtIn),
      overload('optional_map_optindex_optional_value', 'optional(map(K, V)), K -> optional(V)', builtIn)
    ],
    '_[_]': [
      overload('optional_list_index_int', 'optional(list(V)), int -> optional(V)', builtIn),
      overload('optional_map_index_value', 'optional(map(K, V)), K -> optional(V)', builtIn)
    ]
  }
}
