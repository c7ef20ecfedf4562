/** Changes the bodies of scenarios at random: other values, fields of other bodies, fields gone, entries twice. */
import { texts } from './texts.mjs'

const anyText = [...texts.flat(), '010.0.0.1', 'x'.repeat(254)]
const numbers = [-1, 0, 1, 2, 100, 101, 65535, 65536, 2147483647, 2147483648, -2147483649, 0.5]
/** Fields that identify an object. They mostly stay, because otherwise another object would be asked for. */
const identity = new Set(['apiVersion', 'kind', 'name', 'namespace', 'generateName'])

const isContainer = value => value !== null && typeof value === 'object'

export class BodyChanges {
  #random
  /** By the name of a field, the objects that it contains in any body. */
  #objects = new Map()
  /** By the name of a field, its plain values in any body. */
  #values = new Map()

  constructor(random, scenarios) {
    this.#random = random
    for (const { steps } of scenarios) for (const { body } of steps) if (isContainer(body)) this.#learn(body, '')
  }

  #learn(value, name) {
    if (!isContainer(value)) {
      if (!this.#values.has(name)) this.#values.set(name, new Set())
      this.#values.get(name).add(value)
    } else if (Array.isArray(value)) for (const item of value) this.#learn(item, name)
    else {
      if (!this.#objects.has(name)) this.#objects.set(name, [])
      this.#objects.get(name).push(value)
      for (const [key, item] of Object.entries(value)) this.#learn(item, key)
    }
  }

  /** Returns a function that changes a body. It makes the same choices for equal bodies, so both servers get the same. */
  next() {
    const times = this.#random.chance(0.35) ? 0 : 1 + this.#random.below(3)
    const choices = Array.from({ length: times * 24 }, () => this.#random.next())
    return body => {
      let used = 0
      const pick = list => list[Math.floor((choices[used++ % choices.length] ?? 0) * list.length)]
      for (let i = 0; i < times && isContainer(body); i++) this.#change(body, '', pick)
      return body
    }
  }

  #change(container, name, pick) {
    const keys = Object.keys(container).filter(
      key => !identity.has(key) || pick([true, false, false, false, false, false, false, false])
    )
    if (keys.length === 0) return
    const key = pick(keys)
    const value = container[key]
    const field = Array.isArray(container) ? name : key
    // deep changes matter most
    if (isContainer(value) && Object.keys(value).length > 0 && pick([true, true, true, true, false]))
      return this.#change(value, field, pick)
    const how = pick(['value', 'value', 'value', 'add', 'add', 'add', 'remove', 'twice', 'kind'])
    if (how === 'add' && !Array.isArray(container)) this.#add(container, name, pick)
    else if (how === 'remove') Array.isArray(container) ? container.splice(Number(key), 1) : delete container[key]
    else if (how === 'twice' && Array.isArray(container)) container.push(structuredClone(value))
    else if (how === 'kind') container[key] = pick([null, '', 0, false, [], {}])
    else container[key] = this.#other(value, field, pick)
  }

  /** Adds a field that an object in the same place of another body has. */
  #add(object, name, pick) {
    const from = pick(this.#objects.get(name) ?? [{}])
    const key = pick(Object.keys(from))
    if (key !== undefined && !identity.has(key)) object[key] = structuredClone(from[key])
  }

  #other(value, field, pick) {
    if (typeof value === 'boolean') return !value
    const known = [...(this.#values.get(field) ?? [])]
    if (known.length > 0 && pick([true, false, false])) return pick(known)
    if (typeof value === 'number') return pick(numbers)
    if (typeof value === 'string') return pick(anyText)
    return value
  }
}
