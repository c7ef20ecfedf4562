// Generates random objects of the built-in types: mostly valid, with an invalid value here and there.
import { loadSchema } from '../../build/apimachinery/schema/load.js'

const names = [
  'a',
  'x',
  'web',
  'kube-system',
  'default',
  'a.b.c',
  'UPPER',
  '-',
  '..',
  'x'.repeat(64),
  '__proto__',
  'constructor',
  'é',
  ''
]
const strings = [
  ...names,
  'a/b',
  'example.com/x',
  'TCP',
  'Always',
  'ClusterFirst',
  '80%',
  '10.0.0.5',
  '::1',
  '10.0.0.0/8',
  'http://x/y',
  '* * * * *',
  'true',
  'Equal',
  'In',
  'Exists',
  'v1',
  'apps/v1',
  'Pod',
  'pods',
  'get',
  '*',
  'self == self',
  'has(object.x)',
  '$(A)',
  '^a+$',
  '(',
  'P1D',
  '5s',
  '2026-01-01T00:00:00Z',
  'system:masters',
  'kubernetes.io/os',
  '\u0000',
  '\ud800',
  '\u2028',
  ' a ',
  'x'.repeat(300)
]
const odd = [
  null,
  '',
  'x',
  0,
  -1,
  1.5,
  1e300,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2n ** 63n - 1n,
  -(2n ** 63n),
  2n ** 64n,
  true,
  false,
  [],
  [null],
  [[]],
  {},
  { a: null },
  { '': {} },
  { constructor: 1, toString: 'x' },
  JSON.parse('{"__proto__":{"a":1}}'),
  'x'.repeat(70_000)
]

/** What most objects are made of, so that they get beyond the first checks. */
const sound = ['a', 'web', 'x', 'b-1', 'default', 'example.com/x', 'TCP', 'Always', '10.0.0.5', 'v1', 'Pod', 'a=b']

/** `next(n)` returns a whole number below n. */
export function objectMaker(next) {
  const pick = list => list[next(list.length)]
  const oneIn = n => next(n) === 0
  /** Whether objects are calm: they have next to nothing that does not belong there. */
  let calm = false
  const scalars = {
    string: field => (field?.enum && !oneIn(calm ? 200 : 9) ? pick(field.enum) : pick(calm ? sound : strings)),
    int32: () => pick([0, 1, 2, 80, 443, 65535, 65536, -1, 2 ** 31 - 1]),
    int64: () => pick([0, 1, 60, 1000, -1, 2 ** 53, 2n ** 63n - 1n]),
    double: () => pick([0, 0.5, -1, 1e300]),
    bool: () => oneIn(2),
    bytes: () => pick(['', 'YQ==', 'AAAA', 'not base64!', 'YWJj']),
    quantity: () => pick(['1', '100m', '1Gi', '0', '-1', '1e3', '1.5', '9e99', '1Zi', 5, 0.1, '']),
    intOrString: () => pick([80, 'http', '25%', 0, -1, '']),
    time: () => pick(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5+01:00', null, 'x', '']),
    microTime: () => pick(['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00Z', null]),
    fieldsV1: () => pick([{ 'f:a': {} }, {}, { x: 1 }, { 'k:{"a":1}': {} }]),
    raw: () => pick([{}, { kind: 'X', apiVersion: 'v1', a: 1 }, [], 'x']),
    json: () => pick(odd),
    schemaOrArray: () => pick([{ type: 'string' }, [{ type: 'string' }], 5]),
    schemaOrBool: () => pick([true, false, { type: 'integer' }, 'x']),
    schemaOrStringArray: () => pick([['a'], { type: 'object' }, 5])
  }

  function value(type, depth, field) {
    if (oneIn(calm ? 600 : 40)) return pick(odd)
    if (type.kind === 'scalar') return scalars[type.scalar](field)
    if (type.kind === 'list')
      return Array.from({ length: depth > 7 ? 0 : pick([0, 1, 1, 2, 3]) }, () => value(type.items, depth + 1, field))
    const out = {}
    const set = (name, v) => Object.defineProperty(out, name, { value: v, enumerable: true, configurable: true, writable: true })
    if (type.kind === 'map') {
      for (let n = next(3); n > 0; n--) set(pick(calm ? sound : strings), value(type.values, depth + 1))
      return out
    }
    for (const f of type.fields) {
      const wanted =
        f.required || f.name === 'metadata' || f.name === 'spec'
          ? calm || !oneIn(12)
          : next(10) < (depth < 3 ? (calm ? 2 : 4) : depth < 6 ? (calm ? 1 : 2) : 0)
      if (wanted) set(f.name, value(f.type, depth + 1, f))
    }
    if (oneIn(calm ? 500 : 60)) set(pick(['unknown', '__proto__', '$patch', 'Kind']), pick(odd))
    return out
  }

  return {
    pick,
    oneIn,
    odd: () => pick(odd),
    string: () => pick(strings),
    name: () => pick(names),
    /** An object of one of the types that are whole objects. */
    object(typeName, isCalm) {
      calm = isCalm
      return value(loadSchema().type(typeName), 0)
    }
  }
}
