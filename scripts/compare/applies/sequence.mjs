/**
 * Sequences of writes to one object by three managers: applications with and without force, patches and replacements, of the
 * object and its subresources, in its versions. A sequence is a list of requests as in docs/compare.md.
 *
 * A kind is { versions, strategic }. Each version is { apiVersion, kind, path, shape, status, subresources }: `path` is that of
 * the object $ID, `shape` makes what lies beside the identity, `status` the body of the subresource of that name.
 */
import { apply, json, merge, strategic } from '../patch-types.mjs'
import { fields, map, one, orNull, set } from './shapes.mjs'

const managers = ['one', 'two', 'three']
const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/** What managers write to metadata. */
const metadata = fields({
  labels: map(['a', 'b'], one('1', '2')),
  annotations: orNull(map(['a', 'b'], one('1', '2'))),
  finalizers: set('a.b/c', 'a.b/d'),
  ownerReferences: (random, before) =>
    ['u1', 'u2']
      .filter(() => random.chance(before ? 0.6 : 0.3))
      .map(uid => ({ apiVersion: 'v1', kind: 'Thing', name: random.pick(['o', 'p']), uid }))
})

export function sequenceOf(kind, random) {
  const versions = Object.values(kind.versions)
  /** The body that each manager applied last to each subresource, and all bodies. */
  const last = new Map()
  const bodies = []
  const length = 6 + random.below(4)

  const made = (version, subresource, before) => {
    const body = subresource === 'status' ? version.status(random, before) : version.shape(random, before)
    const more = random.chance(0.15) ? metadata(random, before?.metadata) : before?.metadata
    return more && Object.keys(more).length > 0 ? { ...body, metadata: more } : body
  }
  const identified = ({ apiVersion, kind: name }, body) => ({
    apiVersion,
    kind: name,
    ...body,
    metadata: { ...body.metadata, name: kind.name ?? '$ID' }
  })

  function application(version, subresource, force) {
    const manager = random.pick(managers)
    const key = `${manager} ${subresource}`
    const before = last.get(key)
    // what was applied before, again, with parts changed, or with one of them gone
    let body = before && random.chance(0.1) ? before : made(version, subresource, before)
    if (before && random.chance(0.15)) body = withoutOne(before)
    last.set(key, body)
    bodies.push(body)
    return request('PATCH', version, subresource, manager, identified(version, body), apply, force ? '&force=true' : '')
  }

  function withoutOne(body) {
    const copy = structuredClone(body)
    let at = copy
    for (let depth = 0; ; depth++) {
      const names = Object.keys(at).filter(name => depth > 0 || name !== 'metadata')
      if (names.length === 0) return copy
      const name = random.pick(names)
      if (isObject(at[name]) && random.chance(0.7)) at = at[name]
      else {
        if (depth > 0) delete at[name]
        return copy
      }
    }
  }

  /** Some parts of a body null, so that a patch removes them. */
  function withNulls(value, depth = 0) {
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) =>
        depth > 0 && random.chance(0.12) ? [name, null] : [name, withNulls(inner, depth + 1)]
      )
    )
  }

  function operations(version, subresource) {
    const wanted = made(version, subresource)
    const known = pathsOf([...bodies, wanted])
    const pointer = path => path.map(step => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')
    const valueAt = path => path.reduce((value, step) => value?.[step], wanted)
    return Array.from({ length: 1 + random.below(2) }, () => {
      const path = random.pick(known)
      const value = valueAt(path)
      if (random.chance(0.35)) return { op: 'remove', path: pointer(path) }
      if (value === undefined)
        return {
          op: random.pick(['add', 'replace']),
          path: pointer(path),
          value: random.pick(bodies[0] ? [valueIn(bodies, path)] : [{}])
        }
      return { op: random.pick(['add', 'add', 'replace']), path: pointer(path), value }
    })
  }

  function write(first) {
    const version = random.pick(versions)
    const status = version.status !== undefined
    const scale = version.subresources?.scale !== undefined
    const subresource = first
      ? ''
      : random.pick(['', '', '', ...(status ? ['status'] : []), ...(scale && random.chance(0.5) ? ['scale'] : [])])
    const manager = random.pick(managers)
    if (subresource === 'scale') return scaling(version, manager)
    if (first && random.chance(0.4)) {
      const body = made(version, '')
      bodies.push(body)
      return {
        ...request('POST', version, '', manager, identified(version, body)),
        path: `${version.collection}?fieldManager=${manager}`
      }
    }
    const how = first
      ? 'apply'
      : random.pick([
          'apply',
          'apply',
          'apply',
          'force',
          'force',
          'merge',
          'merge',
          'json',
          'put',
          ...(kind.strategic ? ['strategic'] : [])
        ])
    if (how === 'apply' || how === 'force') return application(version, subresource, how === 'force')
    if (how === 'json') return request('PATCH', version, subresource, manager, operations(version, subresource), json)
    const body = made(version, subresource, random.chance(0.6) && bodies.length > 0 ? random.pick(bodies) : undefined)
    bodies.push(body)
    if (how === 'put') return { ...request('PUT', version, subresource, manager, body), over: true }
    return request('PATCH', version, subresource, manager, withNulls(body), how === 'merge' ? merge : strategic)
  }

  /** The scale has the kind of another group, and fields of its own. */
  function scaling(version, manager) {
    const spec = { replicas: random.below(3) }
    const how = random.pick(['apply', 'force', 'merge', 'put'])
    if (how === 'put') return { ...request('PUT', version, 'scale', manager, { spec }), over: true }
    if (how === 'merge') return request('PATCH', version, 'scale', manager, { spec }, merge)
    const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: '$ID' }, spec: random.chance(0.85) ? spec : {} }
    return request('PATCH', version, 'scale', manager, body, apply, how === 'force' ? '&force=true' : '')
  }

  const requests = Array.from({ length }, (_, i) => write(i === 0))
  const reads = versions.map(({ path }) => ({ path, pick: normal }))
  return {
    // the scale does not show what became of the object
    requests: [...requests.flatMap(made => (made.path.includes('/scale?') ? [made, reads[0]] : [made])), ...reads],
    cleanup: [
      { method: 'PATCH', path: versions[0].path, body: { metadata: { finalizers: null } }, headers: { 'content-type': merge } },
      { method: 'DELETE', path: `${versions[0].path}?gracePeriodSeconds=0` }
    ]
  }
}

const request = (method, { path }, subresource, manager, body, type = 'application/json', more = '') => ({
  method,
  path: `${path}${subresource && `/${subresource}`}?fieldManager=${manager}${more}`,
  headers: { 'content-type': type },
  body,
  pick: normal,
  leftOut
})

const valueIn = (bodies, path) => {
  for (const body of bodies) {
    const found = path.reduce((value, step) => value?.[step], body)
    if (found !== undefined) return found
  }
  return null
}

function pathsOf(bodies) {
  const found = new Map()
  const walk = (value, path) => {
    if (path.length > 1) found.set(JSON.stringify(path), path)
    if (value !== null && typeof value === 'object')
      for (const key of Object.keys(value)) walk(value[key], [...path, Array.isArray(value) ? Number(key) : key])
  }
  for (const { metadata: _, ...body } of bodies) walk(body, [])
  return found.size > 0 ? [...found.values()] : [['metadata', 'labels']]
}

/** Removes what depends on time. */
const shown = {
  // a controller writes the status at any time
  CustomResourceDefinition(body) {
    delete body.status
    if (body.metadata.managedFields)
      body.metadata.managedFields = body.metadata.managedFields.filter(({ subresource }) => !subresource)
  },
  // deletion draws their order
  Namespace: body => body.metadata.finalizers?.sort()
}

/**
 * The order of entries depends on the second in which they were written, and that of conflicts, problems and findings about custom resources on the order in which
 * Go visits a map. It also decides which field is reported that a schema does not declare.
 */
export function normal(body) {
  const entries = body.metadata?.managedFields
  if (entries) entries.sort((a, b) => (identityOf(a) < identityOf(b) ? -1 : 1))
  const causes = body.details?.causes
  causes?.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (body.code === 422) {
    body.message = body.message.replace(/ is invalid: .*/s, ' is invalid')
    // other areas compare the texts of findings
    if (!body.details?.group?.endsWith('.example.com')) delete body.details
  }
  if (body.message) body.message = body.message.replace(/(unable to find api field .* for the json field) ".*"/, '$1')
  shown[body.kind]?.(body)
  if (body.code === 500) body.message = body.message.replace(/(^|: )(errors:\n|\.[a-z]).*/s, '')
  return body
}

const identityOf = ({ manager, operation, apiVersion, subresource }) =>
  JSON.stringify([manager, operation, apiVersion, subresource])

/**
 * kube-apiserver 1.37 makes null of a map or list whose members an application gives up but which stays, and then refuses that null where the schema of a
 * custom resource demands a map or list. The server that is compared keeps it empty, as earlier releases do. A case ends there.
 */
export function leftOut({ headers }, reference, target) {
  if (headers?.['content-type'] !== apply || reference.status !== 422 || ![200, 422].includes(target.status)) return false
  const causesOf = ({ text }) => JSON.parse(text).details?.causes?.map(cause => JSON.stringify(cause)) ?? []
  const known = new Set(causesOf(target))
  const isNull = cause => /"message":"Invalid value: \\"null\\": .* must be of type (object|array): /.test(cause)
  const found = causesOf(reference)
  return found.length > 0 && found.every(cause => known.has(cause) || isNull(cause))
}
