/** Definitions of custom resources, and shapes of what managers write to them. */
import { either, fields, filled, free, freeObject, items, list, map, odd, one, orNull, set } from './shapes.mjs'

const text = { type: 'string' }
const whole = { type: 'integer' }
const keep = { 'x-kubernetes-preserve-unknown-fields': true }
const object = (properties, more = {}) => ({ type: 'object', properties, ...more })
const mapOf = (additionalProperties, more = {}) => ({ type: 'object', additionalProperties, ...more })
const arrayOf = (items, listType, more = {}) => ({ type: 'array', items, 'x-kubernetes-list-type': listType, ...more })
const keyed = (listKeys, properties, more = {}) =>
  arrayOf(object(properties, { required: listKeys.filter(key => properties[key].default === undefined) }), 'map', {
    'x-kubernetes-list-map-keys': listKeys,
    ...more
  })

const named = ['x', 'y', 'z'].map(name => ({ name }))
const ports = [
  { port: 1 },
  { port: 1, protocol: 'TCP' },
  { port: 1, protocol: 'UDP' },
  { port: 2 },
  { port: 10, protocol: 'UDP' }
]
const word = one('1', '2', '3')
const number = one(0, 1, 2)

/** Every kind of typed field, as [schema, shape]. */
const typed = {
  text: [text, word],
  map: [mapOf(text), map(['a', 'b', 'c'], word)],
  maps: [mapOf(object({ a: text, b: mapOf(text) })), map(['a', 'b'], fields({ a: word, b: map(['a', 'b'], word) }))],
  mapOfSets: [mapOf(arrayOf(text, 'set')), map(['a', 'b'], set('1', '2', '3'))],
  mapOfItems: [mapOf(keyed(['name'], { name: text, value: text })), map(['a', 'b'], items(named, fields({ value: word })))],
  mapOfLists: [mapOf(arrayOf(whole, 'atomic')), map(['a', 'b'], list(number))],
  set: [arrayOf(text, 'set'), set('1', '2', '3', '4')],
  numbers: [arrayOf(whole, 'set'), set(1, 2, 10)],
  items: [
    keyed(['name'], {
      name: text,
      value: text,
      map: mapOf(text),
      set: arrayOf(text, 'set'),
      items: keyed(['name'], { name: text, value: whole }),
      free: { type: 'object', ...keep },
      any: keep
    }),
    items(
      named,
      fields({
        value: word,
        map: map(['a', 'b'], word),
        set: set('1', '2'),
        items: items(named, fields({ value: number })),
        free: freeObject(2),
        any: free(2)
      })
    )
  ],
  ports: [
    keyed(['port', 'protocol'], {
      port: whole,
      protocol: { ...text, default: 'TCP' },
      name: text,
      options: object({ a: text, b: text }, { default: { a: '1' } })
    }),
    items(ports, fields({ name: word, options: fields({ a: word, b: word }) }))
  ],
  list: [arrayOf(object({ a: text, b: mapOf(text) }), 'atomic'), list(fields({ a: word, b: map(['a'], word) }))],
  atomicMap: [mapOf(text, { 'x-kubernetes-map-type': 'atomic' }), map(['a', 'b'], word)],
  atomic: [
    object({ a: text, b: mapOf(text) }, { 'x-kubernetes-map-type': 'atomic' }),
    fields({ a: word, b: map(['a', 'b'], word) })
  ],
  struct: [
    object({ a: text, deep: object({ map: mapOf(text), b: whole }) }),
    fields({ a: word, deep: fields({ map: map(['a', 'b'], word), b: number }) })
  ],
  nullable: [mapOf(text, { nullable: true }), orNull(map(['a', 'b'], word))],
  nullableItems: [
    keyed(['name'], { name: text, value: text }, { nullable: true }),
    orNull(items(named, fields({ value: word })))
  ],
  nullableText: [{ ...text, nullable: true }, orNull(word)],
  defaulted: [
    object({ a: { ...text, default: '1' }, b: text, c: mapOf(text) }, { default: {} }),
    fields({ a: word, b: word, c: map(['a'], word) })
  ],
  defaultedSet: [arrayOf(text, 'set', { default: ['d'] }), set('d', '1', '2')],
  free: [{ type: 'object', ...keep }, freeObject()],
  any: [keep, free()],
  partly: [object({ a: text, m: mapOf(text) }, keep), fields({ a: word, m: map(['a', 'b'], word), x: free(2), y: free(2) })],
  either: [{ 'x-kubernetes-int-or-string': true }, one(1, 2, '1', '50%')],
  embedded: [
    { type: 'object', 'x-kubernetes-embedded-resource': true, ...keep },
    fields({
      'apiVersion!': one('v1', 'v2'),
      'kind!': one('A', 'B'),
      // nothing empty: kube-apiserver drops it only when it reads the object again, so that each application is a change
      metadata: filled(fields({ name: one('a', 'b'), labels: map(['a', 'b'], word), finalizers: set('a.b/c', 'a.b/d') })),
      spec: free(2)
    })
  ]
}

const schemaOf = parts => object(Object.fromEntries(Object.entries(parts).map(([name, [schema]]) => [name, schema])))
const shapeOf = parts => fields(Object.fromEntries(Object.entries(parts).map(([name, [, shape]]) => [name, shape])))
const without = (parts, ...names) => Object.fromEntries(Object.entries(parts).filter(([name]) => !names.includes(name)))
const status = object({
  replicas: whole,
  selector: text,
  phase: text,
  map: mapOf(text),
  conditions: keyed(['type'], { type: text, status: text, reason: text }),
  free: { type: 'object', ...keep }
})
const statusShape = fields({
  replicas: number,
  selector: one('a=b', 'a=c'),
  phase: word,
  map: map(['a', 'b'], word),
  conditions: items([{ type: 'A' }, { type: 'B' }], fields({ status: one('True', 'False'), reason: word })),
  free: freeObject(2)
})
const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector'
}
const scaled = { ...typed, replicas: [whole, number] }
/** The same field names with other types: what a definition changes from version to version. */
const changed = {
  ...without(scaled, 'text', 'struct'),
  set: [arrayOf(text, 'atomic'), set('1', '2', '3', '4')],
  list: [
    keyed(['a'], { a: text, b: mapOf(text) }),
    items(
      ['1', '2'].map(a => ({ a })),
      fields({ b: map(['a'], word) })
    )
  ],
  map: [mapOf(text, { 'x-kubernetes-map-type': 'atomic' }), map(['a', 'b', 'c'], word)],
  atomic: [object({ a: text, b: mapOf(text) }), fields({ a: word, b: map(['a', 'b'], word) })],
  more: [text, word]
}
const subresources = { status: {}, scale }

/** Kinds by name: their versions, each with a schema, and shapes of the fields beside metadata. */
export const customKinds = {
  free: {
    versions: {
      v1: {
        schema: object({ spec: { type: 'object', ...keep } }, keep),
        shape: fields({ 'spec!': freeObject(4), other: free(2) })
      }
    }
  },
  open: {
    versions: {
      v1: {
        schema: object({ spec: object({ values: { type: 'object', ...keep }, any: keep }), status: { type: 'object', ...keep } }),
        shape: fields({ 'spec!': fields({ values: freeObject(4), any: either(free(3), free(1)) }) }),
        status: fields({ 'status!': freeObject(3) }),
        subresources: { status: {} }
      }
    }
  },
  typed: {
    versions: {
      v1: {
        schema: object({ spec: schemaOf(typed) }),
        shape: fields({ 'spec!': shapeOf(typed) })
      }
    }
  },
  odd: {
    versions: {
      v1: {
        schema: object({ spec: schemaOf(typed) }),
        shape: fields({
          'spec!': fields(Object.fromEntries(Object.entries(typed).map(([name, [, shape]]) => [name, odd(shape)])))
        })
      }
    }
  },
  scaled: {
    versions: {
      v1: {
        schema: object({ spec: schemaOf(scaled), status }),
        shape: fields({ 'spec!': shapeOf(scaled) }),
        status: fields({ 'status!': statusShape }),
        subresources
      }
    }
  },
  versions: {
    versions: {
      v1: {
        schema: object({ spec: schemaOf(scaled), status }),
        shape: fields({ 'spec!': shapeOf(scaled) }),
        status: fields({ 'status!': statusShape }),
        subresources
      },
      v2: {
        schema: object({ spec: schemaOf(without(scaled, 'text')), status }),
        shape: fields({ 'spec!': shapeOf(without(scaled, 'text')) }),
        status: fields({ 'status!': statusShape }),
        subresources
      }
    }
  },
  changed: {
    versions: {
      v1: { schema: object({ spec: schemaOf(scaled) }), shape: fields({ 'spec!': shapeOf(scaled) }) },
      v2: { schema: object({ spec: schemaOf(changed) }), shape: fields({ 'spec!': shapeOf(changed) }) }
    }
  }
}

/** The CustomResourceDefinition of a kind, in a group that ends with the name of the run. */
export function definitionOf(name, { versions }) {
  const group = groupOf(name)
  const plural = `${name}s`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: kindOf(name) },
      versions: Object.entries(versions).map(([version, { schema, subresources }], i) => ({
        name: version,
        served: true,
        storage: i === 0,
        schema: { openAPIV3Schema: schema },
        ...(subresources ? { subresources } : {})
      }))
    }
  }
}

export const groupOf = name => `${name}.$RUN.example.com`
export const kindOf = name => name[0].toUpperCase() + name.slice(1)
