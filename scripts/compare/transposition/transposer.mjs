/** Chooses the kinds that scenarios are played with in place of their own. */
import { setTimeout } from 'node:timers/promises'
import { randomName } from '../../../test/conformance/variables.mjs'
import { basesOf } from '../bases.mjs'
import { Cluster } from '../cluster.mjs'
import { customKinds, customObject } from './custom-kinds.mjs'
import { Fields } from './fields.mjs'
import { keyOf, pathOf, Transposition } from './transposition.mjs'

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
/** Events are one kind in two groups. */
const family = kind => (kind.resource === 'events' ? 'events' : keyOf(kind))

/** Makes the custom kinds on both servers, and looks at what they serve. */
export async function transposerOf(servers, scenarios) {
  const send = request => Promise.all(servers.map(server => server.send(request)))
  const group = `${randomName('t')}.example.com`
  const made = customKinds(group)
  for (const body of made) await send({ path: definitions, body })
  for (const { spec } of made)
    for (let tries = 0; tries < 100; tries++) {
      const answers = await send({ path: `/apis/${group}/v1/${spec.names.plural}` })
      if (answers.every(({ status }) => status === 200)) break
      await setTimeout(100)
    }
  // discovery follows later
  await setTimeout(2000)
  const { resources } = await Cluster.of(...servers)
  const close = async () => {
    for (const { metadata } of made) await send({ method: 'DELETE', path: `${definitions}/${metadata.name}` })
  }
  return new Transposer(resources, scenarios, group, close)
}

class Transposer {
  #kinds
  #bodies
  #values
  #customGroup
  close

  constructor(kinds, scenarios, customGroup, close) {
    this.#kinds = kinds.filter(kind => kind.verbs.includes('create') && kind.verbs.includes('get'))
    this.#bodies = scenarios.flatMap(({ steps }) => steps.filter(({ body }) => isObject(body)))
    this.#values = valuesOf(this.#bodies)
    this.#customGroup = customGroup
    this.close = close
  }

  of(scenario, random) {
    const sources = new Map()
    for (const step of scenario.steps) {
      const path = pathOf(step)
      if (!path || path.name === '~') continue
      const key = keyOf(path)
      if (!sources.has(key)) sources.set(key, { ...path, steps: 0, namespaced: false })
      const source = sources.get(key)
      source.steps++
      source.namespaced ||= path.namespace !== undefined
    }
    const known = [...sources.values()].sort((a, b) => b.steps - a.steps)
    const mapped = new Map()
    for (const [i, source] of known.entries()) {
      if (i > 0 && !random.chance(0.4)) continue
      const target = this.#targetFor(source, random)
      if (target) mapped.set(keyOf(source), target)
    }
    return new Transposition(scenario, random, mapped)
  }

  #targetFor(source, random) {
    const customGroup = this.#customGroup
    const own = this.#kinds.find(kind => keyOf(kind) === keyOf(source))
    const namespaced = own ? own.namespaced : source.namespaced
    const versions = own
      ? this.#kinds.filter(k => family(k) === family(own) && (k.version !== source.version || k.group !== source.group))
      : []
    const same = versions.length > 0 && random.chance(0.3)
    const custom = this.#kinds.filter(k => k.group === customGroup && k.namespaced === namespaced)
    const others = this.#kinds.filter(
      k => k.namespaced === namespaced && (k.group === '' || k.group.endsWith('.k8s.io') || !k.group.includes('.'))
    )
    const kind = same
      ? random.pick(versions)
      : custom.length > 0 && random.chance(0.12)
        ? random.pick(custom)
        : random.pick(others)
    if (!kind) return undefined
    const siblings = this.#kinds.filter(k => keyOf(k) === keyOf(kind))
    const sourceKind = own?.kind
    if (same) return { kind, siblings, sourceKind }
    const bases = (kind.group === customGroup ? [customObject(kind)] : basesOf(kind, this.#bodies)).map(asScenario)
    const base = random.chance(0.3) ? bases[0] : random.pick(bases)
    return { kind, siblings, sourceKind, sample: bases[0], fields: new Fields(random, base, bases, this.#values) }
  }
}

/** With the variables of scenarios. */
const variable = name => `\${${name}}`
const asScenario = object =>
  JSON.parse(JSON.stringify(object).replaceAll('$NS', variable('ns')).replaceAll('$ID', variable('id')))

/** The texts of bodies, by the names of the fields in which they lie. */
function valuesOf(bodies) {
  const values = new Map()
  const learn = (value, name) => {
    if (Array.isArray(value)) for (const item of value) learn(item, name)
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) learn(item, key)
    else if (typeof value === 'string') values.set(name, (values.get(name) ?? new Set()).add(value))
  }
  for (const { body } of bodies) learn(body, '')
  return values
}
