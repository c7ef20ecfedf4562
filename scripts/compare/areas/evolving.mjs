/** Definitions that change under stored objects: list types, pruning, defaults, nullability and versions, followed by writes and reads of several managers. */
import { leftOut, normal } from '../applies/sequence.mjs'
import { apply, json, merge } from '../patch-types.mjs'

const group = '$ID.evolving.example.com'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const definition = `${definitions}/things.${group}`
/** By then both servers serve a changed definition. */
const served = 400

export const picks = { normal, items: ({ items }) => items }

export async function area({ random }) {
  return { eachResource: true, generate: () => sequence(random) }
}

function sequence(random) {
  const one = (...values) => random.pick(values)
  const maybe = (chance, fields) => (random.chance(chance) ? fields : {})
  const text = { type: 'string' }
  const item = () => ({
    type: 'object',
    required: ['name'],
    properties: {
      name: text,
      x: one(text, { type: 'integer' }, { ...text, default: 'd' }),
      y: { type: 'object', additionalProperties: text }
    }
  })
  /** Schemas of one field, which the same values often fit. */
  const list = () =>
    one(
      { type: 'array', items: item() },
      { type: 'array', items: item(), 'x-kubernetes-list-type': 'atomic' },
      { type: 'array', items: item(), 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      { type: 'array', items: { ...item(), 'x-kubernetes-map-type': 'atomic' }, 'x-kubernetes-list-type': 'set' },
      { type: 'array', items: item(), nullable: true, default: [{ name: 'd' }] },
      { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      { 'x-kubernetes-preserve-unknown-fields': true }
    )
  const texts = () =>
    one(
      { type: 'array', items: text },
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set', default: ['d'] },
      { type: 'array', items: { 'x-kubernetes-int-or-string': true }, 'x-kubernetes-list-type': 'atomic' }
    )
  const map = () =>
    one(
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
      { type: 'object', properties: { a: text, b: { ...text, default: 'd' } } },
      { type: 'object', properties: { a: text }, 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', properties: { a: text, c: { type: 'integer' } }, default: {} },
      { 'x-kubernetes-preserve-unknown-fields': true }
    )
  const leaf = () =>
    one(
      text,
      { ...text, nullable: true },
      { ...text, default: 'd' },
      { 'x-kubernetes-int-or-string': true },
      { type: 'integer' },
      { ...text, enum: ['1', '2'] },
      { 'x-kubernetes-preserve-unknown-fields': true }
    )
  const fields = { list, texts, map, leaf }
  const spec = () => ({
    type: 'object',
    ...maybe(0.2, { 'x-kubernetes-preserve-unknown-fields': true }),
    properties: Object.fromEntries(
      Object.entries(fields).flatMap(([name, schema]) => (random.chance(0.85) ? [[name, schema()]] : []))
    )
  })
  const versionNames = ['v1', 'v2']
  let storage = 'v1'
  const schemas = { v1: spec(), v2: spec() }
  if (random.chance(0.5)) schemas.v2 = schemas.v1
  const versions = () =>
    versionNames.map(name => ({
      name,
      served: true,
      storage: name === storage,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: schemas[name] } } }
    }))
  const body = () => ({ group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions: versions() })
  const entry = () => ({
    name: one('1', '2', 'd'),
    ...maybe(0.5, { x: one('1', '2', 3) }),
    ...maybe(0.3, { y: { a: one('1', '2') } }),
    ...maybe(0.2, { z: '1' })
  })
  const values = {
    list: () => one([entry()], [entry(), entry()], [], null, [entry()]),
    texts: () => one(['1'], ['1', '2'], ['2', '1'], [], ['1', '1']),
    map: () => one({ a: '1' }, { a: '2', b: '1' }, { b: '2', z: '1' }, {}, { c: 1 }),
    leaf: () => one('1', '2', 3, null)
  }
  const value = () =>
    Object.fromEntries(Object.entries(values).flatMap(([name, make]) => (random.chance(0.6) ? [[name, make()]] : [])))
  const object = version => ({ apiVersion: `${group}/${version}`, kind: 'Thing', metadata: { name: 'o' }, spec: value() })
  const collection = version => `/apis/${group}/${version}/namespaces/$NS/things`
  const change = () => {
    const version = one(...versionNames)
    if (random.chance(0.25)) storage = storage === 'v1' ? 'v2' : 'v1'
    else if (random.chance(0.3)) schemas[version] = spec()
    else {
      const name = one(...Object.keys(fields))
      const properties = { ...schemas[version].properties, [name]: fields[name]() }
      if (random.chance(0.15)) delete properties[name]
      schemas[version] = { ...schemas[version], properties }
    }
    return {
      method: 'PUT',
      path: definition,
      body: { metadata: { name: `things.${group}` }, spec: body() },
      over: true,
      // warnings of later releases
      unchecked: true
    }
  }
  const patch = (version, content, type, query = '') => ({
    method: 'PATCH',
    path: `${collection(version)}/o?fieldManager=${one('one', 'two', 'three')}${query}`,
    body: content,
    headers: { 'content-type': type }
  })
  const write = () => {
    const version = one(...versionNames)
    return one(
      () => patch(version, object(version), apply),
      () => patch(version, object(version), apply),
      () => patch(version, object(version), apply, '&force=true'),
      () => patch(version, object(version), apply, '&force=true'),
      () => patch(version, { spec: value() }, merge),
      () => patch(version, { metadata: { labels: { a: one('1', '2') } } }, merge),
      () => patch(version, [{ op: one('add', 'remove'), path: `/spec/${one(...Object.keys(fields))}`, value: '1' }], json),
      () => ({ method: 'PUT', path: `${collection(version)}/o?fieldManager=put`, body: { spec: value() }, over: true })
    )()
  }
  const compared = request => ({ pick: normal, leftOut: isLeftOut, ...request })
  const requests = [
    {
      path: definitions,
      body: { metadata: { name: `things.${group}` }, spec: body() },
      // warnings of later releases
      unchecked: true
    },
    ...versionNames.map(version => ({ path: collection(version), eventually: true, wait: served, pick: picks.items })),
    compared(patch('v1', object('v1'), apply, '&force=true'))
  ]
  for (let i = 3 + random.below(3); i > 0; i--) {
    if (random.chance(0.6)) requests.push(compared(write()))
    requests.push(
      change(),
      ...versionNames.map((version, n) => compared({ path: `${collection(version)}/o`, wait: n === 0 ? served : 0 })),
      compared(write())
    )
  }
  return {
    requests,
    cleanup: [
      { method: 'DELETE', path: `${collection('v1')}/o` },
      { method: 'DELETE', path: definition }
    ]
  }
}

/**
 * The null that kube-apiserver 1.37 makes of an emptied map or list (see `leftOut`) is dropped, where the version of the application says nothing about
 * its type, though the one that is pruned does. The server that is compared keeps it empty. So the answers differ in one field, which the application
 * does not have and nobody owns a part of, and in nothing else.
 */
function isLeftOut(request, reference, target) {
  if (leftOut(request, reference, target)) return true
  if (request.headers?.['content-type'] !== apply || reference.status !== 200 || target.status !== 200) return false
  const [wanted, got] = [reference, target].map(({ text }) => JSON.parse(text))
  const lost = Object.keys(got.spec ?? {}).filter(key => !Object.hasOwn(wanted.spec ?? {}, key))
  if (lost.length !== 1 || Object.hasOwn(request.body?.spec ?? {}, lost[0])) return false
  if (!['{}', '[]'].includes(JSON.stringify(got.spec[lost[0]]))) return false
  const parts = ({ metadata }) =>
    metadata.managedFields?.flatMap(({ fieldsV1 }) => Object.keys(fieldsV1['f:spec']?.[`f:${lost[0]}`] ?? {}))
  if (parts(got)?.some(part => part !== '.')) return false
  delete got.spec[lost[0]]
  const compared = ({ spec, metadata: { managedFields, labels } }) =>
    JSON.stringify([sorted(spec ?? {}), sorted(managedFields), labels])
  return compared(wanted) === compared(got)
}

/** With the keys of all objects sorted. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, sorted(inner)])
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )
}
