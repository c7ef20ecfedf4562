/**
 * Patches of stored objects: strategic ones with directives of all sorts, JSON Patches with operations that fit and do not, and applications by several managers
 * that want the same fields.
 */
import { apply, json, merge, strategic } from '../patch-types.mjs'
import { dryRun, storedBases } from '../stored.mjs'

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)

export async function area({ random, cluster, send }) {
  const { stored, plausible, cleanup } = await storedBases({ random, cluster, send })
  return {
    eachResource: true,
    cleanup,
    async generate() {
      const { kind, bases, types } = random.pick(stored)
      const { object, path } = random.pick(bases)
      const how = random.pick(['strategic', 'strategic', 'json', 'apply'])
      const query = dryRun(random)
      if (how === 'apply') return conflicting(kind, object, types, query)
      const body = how === 'json' ? operations(object) : directives(object, types.schema, types.follow)
      return {
        requests: [
          {
            method: 'PATCH',
            path: `${path}?${query}`,
            body: JSON.stringify(body),
            headers: { 'content-type': how === 'json' ? json : strategic }
          }
        ]
      }
    }
  }

  /** A patch for some of the fields that the object has, and for a few that it lacks. */
  function directives(object, schema, follow, depth = 0) {
    const resolved = follow(schema ?? {})
    const patch = {}
    const names = Object.keys(resolved.properties ?? object)
    const present = names.filter(
      name => Object.hasOwn(object, name) && !['apiVersion', 'kind', 'managedFields', 'uid', 'resourceVersion'].includes(name)
    )
    const wanted =
      depth === 0
        ? [random.pick(present.filter(name => name !== 'metadata').concat('metadata'))]
        : random.some(present, 2).concat(random.pick(names) ?? [])
    for (const name of new Set(wanted)) {
      if (name === undefined || (depth === 0 && ['apiVersion', 'kind'].includes(name))) continue
      const inner = resolved.properties?.[name] ?? resolved.additionalProperties
      const value = object[name]
      if (Array.isArray(value)) list(patch, name, value, inner ?? {}, follow, depth)
      else if (isObject(value) && random.chance(0.85)) patch[name] = directives(value, inner, follow, depth + 1)
      else patch[name] = random.chance(0.2) ? null : plausible.value(name, { schema: inner ?? {}, follow })
    }
    if (random.chance(depth === 0 ? 0.03 : 0.12)) patch.$patch = random.pick(['replace', 'delete', 'merge', 'bogus', 1])
    if (random.chance(0.1))
      patch.$retainKeys = random.pick([
        Object.keys(patch).filter(key => !key.startsWith('$')),
        present.slice(0, 2),
        ['nothing'],
        'text',
        []
      ])
    return patch
  }

  function list(patch, name, value, schema, follow, depth) {
    const key = schema['x-kubernetes-patch-merge-key']
    const merges = (schema['x-kubernetes-patch-strategy'] ?? '').includes('merge')
    const items = follow(schema).items ?? {}
    if (!value.every(isObject)) {
      if (random.chance(0.4)) patch[`$deleteFromPrimitiveList/${name}`] = random.pick([value.slice(0, 1), ['nothing'], [], value])
      if (random.chance(0.4))
        patch[`$setElementOrder/${name}`] = random.pick([value.toReversed(), value.slice(0, 1), [...value, 'more']])
      if (random.chance(0.7)) patch[name] = random.pick([value.slice(0, 1), [...value, 'more'], ['more'], [], null])
      return
    }
    const named = key ?? 'name'
    const elements = random.some(value, 2).map(element => {
      const part = random.chance(0.5) ? directives(element, items, follow, depth + 1) : {}
      if (element[named] !== undefined && random.chance(0.92)) part[named] = element[named]
      if (random.chance(0.25)) part.$patch = random.pick(['delete', 'delete', 'replace', 'merge', 'bogus'])
      return part
    })
    if (random.chance(0.4)) elements.push(plausible.value(name, { schema: items, follow }))
    if (random.chance(0.12)) elements.push({ $patch: random.pick(['replace', 'delete', 'merge', 'bogus']) })
    if (random.chance(0.4)) {
      const order = [...value, ...elements.filter(isObject)].filter(e => e[named] !== undefined).map(e => ({ [named]: e[named] }))
      const distinct = [...new Map(order.map(e => [JSON.stringify(e), e])).values()]
      patch[`$setElementOrder/${name}`] = random.pick([
        distinct,
        distinct.toReversed(),
        distinct.slice(0, 1),
        order.map(e => e[named]),
        []
      ])
    }
    if (!merges && random.chance(0.5)) for (const element of elements) if (isObject(element)) delete element.$patch
    if (random.chance(0.93)) patch[name] = elements
  }

  function operations(object) {
    const paths = []
    const walk = (value, path) => {
      paths.push([path, value])
      if (value !== null && typeof value === 'object')
        for (const [key, item] of Object.entries(value))
          if (key !== 'managedFields') walk(item, `${path}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`)
    }
    walk(object, '')
    const path = () => {
      const [found] = random.pick(paths)
      return random.pick([
        found,
        found,
        found,
        `${found}/-`,
        `${found}/0`,
        `${found}/1`,
        `${found}/9`,
        `${found}/-1`,
        `${found}/new`,
        `${found}/new/er`,
        found.slice(1),
        `${found}/`
      ])
    }
    const value = () => random.pick([random.pick(paths)[1], 'x', 1, null, true, {}, [], { a: 'b' }, 'x'.repeat(64)])
    return Array.from({ length: 1 + random.below(3) }, () => {
      const op = random.pick(['add', 'add', 'replace', 'replace', 'remove', 'copy', 'move', 'test', 'bogus'])
      const [found, there] = random.pick(paths)
      const made = { op, path: random.chance(0.4) ? found : path() }
      if (['add', 'replace', 'test'].includes(op) && random.chance(0.95))
        made.value = op === 'test' && random.chance(0.7) ? there : value()
      if (['copy', 'move'].includes(op) && random.chance(0.95)) made.from = path()
      if (random.chance(0.02)) delete made[random.pick(Object.keys(made))]
      return made
    })
  }

  /** Two managers apply, a third one updates or patches, and one of them applies again. */
  function conflicting(kind, object, types, query) {
    const path = cluster.pathOf(kind, '$ID')
    const base = clean(object)
    if (base.metadata.name?.startsWith('$RUN') !== true && !/^[\w-]+$/.test(base.metadata.name)) return { requests: [] }
    base.metadata = { ...base.metadata, name: '$ID' }
    const as = (manager, body, force, more = '') => ({
      method: 'PATCH',
      path: `${path}?fieldManager=${manager}&force=${force}${more}`,
      body,
      headers: { 'content-type': apply }
    })
    const part = () => {
      const body = plausible.changed(base, types, 1)
      body.metadata = { ...(isObject(body.metadata) ? body.metadata : {}), name: '$ID' }
      for (const key of Object.keys(body.spec ?? {})) if (random.chance(0.3)) delete body.spec[key]
      return body
    }
    return {
      requests: [
        as('one', base, false),
        as('two', part(), random.chance(0.5)),
        {
          method: 'PATCH',
          path: `${path}?fieldManager=three`,
          body: { metadata: { labels: { a: random.pick(['1', null]) } } },
          headers: { 'content-type': merge }
        },
        as('one', part(), random.chance(0.3), `&${query}`)
      ],
      cleanup: [
        {
          method: 'PATCH',
          path,
          body: { metadata: { finalizers: null } },
          headers: { 'content-type': merge }
        },
        { method: 'DELETE', path: `${path}?gracePeriodSeconds=0` }
      ]
    }
  }
}

function clean(object) {
  const {
    managedFields: _,
    uid: __,
    resourceVersion: ___,
    creationTimestamp: ____,
    generation: _____,
    ...metadata
  } = object.metadata
  const { status: ______, ...rest } = structuredClone(object)
  return { ...rest, metadata }
}
