/**
 * Translates the content of one kind's objects to another kind's: every field that a scenario's bodies have stands for a field that an object
 * of the other kind has. The first value is what the other object has there; other values are other values.
 */
const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value)
const isContainer = value => value !== null && typeof value === 'object'
const beside = new Set(['apiVersion', 'kind', 'metadata'])
const without = path => path.filter(key => typeof key !== 'number').join('.')

export class Fields {
  #random
  #base
  #others
  #slots
  #values
  /** By the source's path: { slot, base: the other kind's value, seen: source's values in the order in which they came, drops, own } */
  #known = new Map()

  /** `others` are objects of the same kind that lend fields, `values` known values by the name of a field. */
  constructor(random, base, others, values) {
    this.#random = random
    this.#base = base
    this.#others = others
    this.#values = values
    this.#slots = contentOf(base)
  }

  /** Learns which fields bodies have, so that it is known which of them one body lacks. */
  learn(body) {
    for (const [path, value] of leavesOf(body, [])) if (!beside.has(path[0])) this.#of(path, value)
  }

  /** A whole object, as for a create, an update or an application. */
  object(body) {
    const result = structuredClone(this.#base)
    delete result.metadata
    const given = new Set()
    for (const [path, value] of leavesOf(body, [])) {
      if (beside.has(path[0])) continue
      const known = this.#of(path, value)
      if (!known.slot) continue
      given.add(without(path))
      put(result, known.slot, this.#valueOf(known, value))
    }
    for (const [source, { drops, slot }] of this.#known) if (drops && slot && !given.has(source)) drop(result, slot)
    return result
  }

  /** A merge patch, by key or by list. */
  patch(body) {
    const result = {}
    for (const [path, value] of leavesOf(body, [])) {
      if (beside.has(path[0])) continue
      const directive = path.findIndex(key => typeof key === 'string' && key.startsWith('$'))
      if (directive >= 0) this.#directive(result, path.slice(0, directive + 1), at(body, path.slice(0, directive + 1)))
      else {
        const known = this.#of(path, value)
        if (!known.slot) continue
        const list = known.slot.findIndex(key => typeof key === 'number')
        // the list as it is, but for the one value
        if (list > 0 && at(result, known.slot.slice(0, list)) === undefined)
          put(result, known.slot.slice(0, list), structuredClone(at(this.#base, known.slot.slice(0, list)) ?? []))
        put(result, known.slot, this.#valueOf(known, value))
      }
    }
    return result
  }

  /** The operations of a JSON Patch. */
  operations(list) {
    return list.map(operation => {
      if (!isObject(operation)) return operation
      const result = { ...operation }
      for (const key of ['path', 'from']) if (typeof result[key] === 'string') result[key] = this.#pointer(result[key])
      if ('value' in result && typeof operation.path === 'string') result.value = this.#operand(operation.path, result.value)
      return result
    })
  }

  /** A dotted path of the source, where it is known. */
  dotted(path) {
    const slot = this.#known.get(path)?.slot
    return slot?.every(key => typeof key === 'string' && /^\w+$/.test(key)) ? slot.join('.') : path
  }

  #operand(pointer, value) {
    const path = unescaped(pointer)
    if (beside.has(path[0])) return value
    if (path.length === 0)
      return isObject(value) ? { ...this.object(value), ...('metadata' in value ? { metadata: value.metadata } : {}) } : value
    const known = this.#known.get(without(path))
    if (known?.slot && !isContainer(value)) return this.#valueOf(known, value)
    if (isObject(value) && !known) return at(this.#base, unescaped(this.#pointer(pointer))) ?? value
    return value
  }

  #pointer(pointer) {
    const path = unescaped(pointer)
    if (path.length === 0 || beside.has(path[0]) || !pointer.startsWith('/')) return pointer
    const own = this.#known.get(without(path))
    if (own?.slot) return escaped(own.slot)
    // what holds fields that are known
    const inner = [...this.#known].find(([source, { slot }]) => slot && source.startsWith(`${without(path)}.`))
    if (inner) return escaped(inner[1].slot.slice(0, -1))
    const last = path.at(-1)
    const outer = [...this.#known].find(([source, { slot }]) => slot && source.startsWith(`${without(path.slice(0, -1))}.`))
    if (outer && path.length > 1) return escaped([...outer[1].slot.slice(0, -1), last])
    return escaped(this.#of(path, '').slot ?? path)
  }

  #directive(result, path, value) {
    const key = path.at(-1)
    const [name, list] = key.split('/')
    if (list === undefined) {
      const held = path.slice(0, -1).filter(part => typeof part !== 'number')
      const known = [...this.#known].find(
        ([source, { slot }]) => slot && source.startsWith(held.length === 0 ? '' : `${held.join('.')}.`)
      )
      const parent = known && held.length > 0 ? known[1].slot.slice(0, -1) : []
      if (!isContainer(at(result, parent) ?? {})) return
      put(result, [...parent, key], value)
      return
    }
    const lists = this.#slots.filter(slot => Array.isArray(at(this.#base, slot)))
    if (lists.length === 0) return
    const slot = lists[path.join('.').length % lists.length]
    put(result, [...slot.slice(0, -1), `${name}/${slot.at(-1)}`], value)
  }

  #of(path, value) {
    const source = without(path)
    if (!this.#known.has(source)) {
      const own = at(this.#base, path)
      // fields of the same name and type stand for themselves, most of the time
      const same = own !== undefined && typeof own === typeof value && this.#random.chance(0.7)
      const lender = this.#slots.length === 0 || this.#random.chance(0.3) ? this.#random.pick(this.#others) : this.#base
      const slots = lender === this.#base ? this.#slots : contentOf(lender)
      const fitting = slots.filter(slot => typeof at(lender, slot) === typeof value)
      const choice = fitting.length > 0 && this.#random.chance(0.75) ? fitting : slots
      const slot = same ? path : choice.length > 0 ? this.#random.pick(choice) : undefined
      this.#known.set(source, {
        slot,
        base: slot && at(same ? this.#base : lender, slot),
        seen: [],
        drops: this.#random.chance(0.25),
        own: this.#random.chance(0.3)
      })
    }
    const known = this.#known.get(source)
    if (!known.seen.includes(text(value))) known.seen.push(text(value))
    return known
  }

  #valueOf({ slot, base, seen, own }, value) {
    const index = seen.indexOf(text(value))
    if (value === null) return null
    if (index === 0 && base !== undefined) return structuredClone(base)
    if (Array.isArray(base)) return [base.slice(0, -1), [...base, ...base.slice(0, 1)], [], [value], base.toReversed()][index % 5]
    if (isObject(base)) return index % 3 === 2 ? {} : index % 3 === 1 ? Object.fromEntries(Object.entries(base).slice(1)) : base
    if (typeof base === 'number') return typeof value === 'number' ? base + index : value
    if (typeof base === 'boolean') return index % 2 === 1 ? !base : base
    if (own || base === undefined) return value
    const others = [...(this.#values.get(slot.findLast(key => typeof key === 'string')) ?? [])].filter(other => other !== base)
    return others.length > 0 ? others[index % others.length] : value
  }
}

const contentOf = object => [...slotsOf(object, [])].filter(path => !beside.has(path[0]))
const text = value => JSON.stringify(value) ?? ''

function* leavesOf(value, path) {
  if (Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0)
    for (const key of Object.keys(value)) yield* leavesOf(value[key], [...path, Array.isArray(value) ? Number(key) : key])
  else if (path.length > 0 && value !== undefined) yield [path, value]
}

function* slotsOf(value, path) {
  if (path.length > 0 && (!isObject(value) || path.length > 1)) yield path
  if (isContainer(value))
    for (const key of Object.keys(value)) yield* slotsOf(value[key], [...path, Array.isArray(value) ? Number(key) : key])
}

const at = (value, path) => path.reduce((found, key) => (isContainer(found) ? found[key] : undefined), value)

function put(target, path, value) {
  let container = target
  for (const [i, key] of path.slice(0, -1).entries()) {
    if (!isContainer(container[key])) container[key] = typeof path[i + 1] === 'number' ? [] : {}
    container = container[key]
  }
  const last = path.at(-1)
  if (Array.isArray(container) && typeof last === 'number') container[Math.min(last, container.length)] = value
  else container[last] = value
}

function drop(target, path) {
  const container = at(target, path.slice(0, -1))
  if (!isContainer(container)) return
  if (Array.isArray(container)) container.splice(path.at(-1), 1)
  else delete container[path.at(-1)]
}

const unescaped = pointer =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replace(/~1/g, '/').replace(/~0/g, '~'))
    .map(part => (/^\d+$/.test(part) ? Number(part) : part))
const escaped = path => path.map(part => `/${String(part).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')
