/** The vocabulary of validation: field paths and the kinds of errors, as in k8s.io/apimachinery's field package. */
import { type EffectiveVersion, ownVersion } from '../features/effective-version.js'
import { FeatureGates } from '../features/feature-gates.js'
import type { HonouredGate } from '../features/honoured-gates.js'
import { goJson, goValue, noValue } from './go-value.js'
import type { WholeFloats } from './whole-floats.js'

/**
 * A place in an object: `spec.containers[0].image`. Its text is built only when an error needs it.
 *
 * @example
 * Path.of('spec', 'containers').index(0).child('image') // spec.containers[0].image
 * Path.of('metadata', 'labels').key('app') // metadata.labels[app]
 */
export class Path {
  readonly #parent: Path | undefined
  readonly #step: string
  private constructor(parent: Path | undefined, step: string) {
    this.#parent = parent
    this.#step = step
  }

  static of(...names: string[]): Path {
    let path = new Path(undefined, names[0]!)
    for (const name of names.slice(1)) path = path.child(name)
    return path
  }

  child(name: string, ...more: string[]): Path {
    let path = new Path(this, `.${name}`)
    for (const next of more) path = new Path(path, `.${next}`)
    return path
  }

  index(i: number): Path {
    return new Path(this, `[${i}]`)
  }

  key(key: string): Path {
    return new Path(this, `[${key}]`)
  }

  toString(): string {
    return this.#parent ? `${this.#parent}${this.#step}` : this.#step
  }
}

/**
 * The reasons of field errors, as causes of a Status carry them.
 *
 * @example
 * const reason: FieldErrorReason = 'FieldValueRequired'
 */
export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueForbidden'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'

/**
 * What is wrong with one field.
 *
 * @example
 * for (const { field, message } of errors.list) console.log(`${field}: ${message}`)
 */
export interface FieldError {
  readonly reason: FieldErrorReason
  readonly field: string
  /** The message without the field: `Invalid value: "x": must be y`. */
  readonly message: string
}

const detailed = (head: string, detail: string) => (detail === '' ? head : `${head}: ${detail}`)
const valued = (head: string, value: unknown) => (value === noValue ? head : `${head}: ${goValue(value)}`)

/**
 * Limits on the errors of one object: their number, and the characters that they show. kube-apiserver has no such limits: for a
 * list of a million wrong items it creates an answer of hundreds of megabytes.
 */
const limits = { errors: 1000, characters: 1 << 20 }

/** Tells which feature gates are on, and with which release the server has to work. */
export interface EnabledGates {
  enabled(gate: HonouredGate): boolean
  readonly version?: EffectiveVersion
}

let standardGates: FeatureGates | undefined

/** Thrown when the limit is exceeded: it ends the validation of the object. */
export class EnoughErrors extends Error {
  readonly errors: FieldErrors

  constructor(errors: FieldErrors) {
    super('too many errors')
    this.errors = errors
  }
}

/**
 * Collects what is wrong with an object, in the order in which it is found.
 *
 * @example
 * validate({ spec }, errors) {
 *   if (spec.owner === undefined) errors.required(Path.of('spec', 'owner'))
 *   if (spec.seats > 30) errors.invalid(Path.of('spec', 'seats'), spec.seats, 'the room has 30 seats')
 *   if (!colours.includes(spec.colour)) errors.notSupported(Path.of('spec', 'colour'), spec.colour, colours)
 * }
 */
export class FieldErrors {
  readonly list: FieldError[] = []
  #characters = 0
  readonly #features: EnabledGates | undefined

  /** Whether containers may be privileged. */
  readonly allowPrivileged: boolean

  /** Where the object has whole numbers that are floats. */
  floats: WholeFloats | undefined

  /** What the server that validates allows: its gates (default: the gates at their defaults), and whether containers may be privileged. */
  constructor(features?: EnabledGates, allowPrivileged = true) {
    this.#features = features
    this.allowPrivileged = allowPrivileged
  }

  /** Whether a feature gate is on, which allows what is forbidden otherwise. */
  enabled(gate: HonouredGate): boolean {
    return (this.#features ?? (standardGates ??= new FeatureGates())).enabled(gate)
  }

  /** The minor version of the oldest release that has to understand what is stored. */
  get minCompatibility(): number {
    return (this.#features?.version ?? ownVersion).minCompatibility
  }

  /** Whether anything is wrong. */
  get any(): boolean {
    return this.list.length > 0
  }

  /** Runs a rule beside which no other counts: if it finds errors, the earlier ones are dropped. */
  only(rule: () => void): void {
    this.list.length = 0
    this.#characters = 0
    rule()
  }

  /** Runs rules, and adds each of their errors once. */
  distinct(rules: (errors: FieldErrors) => void): void {
    const own = new FieldErrors(this.#features, this.allowPrivileged)
    own.collect(() => rules(own))
    own.keepDistinct()
    this.addAll(own.list)
  }

  /** Runs a validation that adds to this list. */
  collect(validate: () => undefined | Promise<void>): undefined | Promise<void>
  collect(validate: () => void): void
  collect(validate: () => void | Promise<void>): void | Promise<void> {
    try {
      return validate()?.catch(error => this.#stop(error))
    } catch (error) {
      this.#stop(error)
    }
  }

  #stop(error: unknown): void {
    if (!(error instanceof EnoughErrors)) throw error
    // the errors come from a part of the object with a list of its own
    if (error.errors !== this) for (const found of error.errors.list) if (!this.#isFull) this.add(found)
    // what comes after this validation has room again if the same was found many times
    this.keepDistinct()
  }

  /** Adds errors that were found elsewhere. */
  addAll(errors: Iterable<FieldError>): void {
    for (const error of errors) this.add(error)
  }

  /** Keeps the first of several equal errors. */
  keepDistinct(): void {
    if (this.list.length < 2) return
    const kept = new Map(this.list.map(error => [`${error.field}: ${error.message}`, error]))
    if (kept.size === this.list.length) return
    this.list.splice(0, this.list.length)
    this.#characters = 0
    this.addAll(kept.values())
  }

  /** Drops errors that others say, too. */
  drop(isCovered: (error: FieldError) => boolean): void {
    for (let i = this.list.length - 1; i >= 0; i--) if (isCovered(this.list[i]!)) this.list.splice(i, 1)
  }

  add(error: FieldError): void {
    if (this.#isFull) throw new EnoughErrors(this)
    this.list.push(error)
    this.#characters += error.field.length + error.message.length
  }

  get #isFull(): boolean {
    return this.list.length >= limits.errors || this.#characters > limits.characters
  }

  /** Formats the message only when the limit allows one more error. */
  #add(reason: FieldErrorReason, path: Path | string, message: () => string): void {
    if (this.#isFull) throw new EnoughErrors(this)
    this.add({ reason, field: String(path), message: message() })
  }

  required(path: Path | string, detail = ''): void {
    this.#add('FieldValueRequired', path, () => detailed('Required value', detail))
  }

  /** `value` is printed as Go prints the internal value. Pass a GoText when that differs from the JSON. */
  invalid(path: Path | string, value: unknown, detail = ''): void {
    this.#add('FieldValueInvalid', path, () => detailed(valued('Invalid value', value), detail))
  }

  typeInvalid(path: Path | string, value: unknown, detail = ''): void {
    this.#add('FieldValueTypeInvalid', path, () => detailed(`Invalid value: ${goValue(value)}`, detail))
  }

  forbidden(path: Path | string, detail = ''): void {
    this.#add('FieldValueForbidden', path, () => detailed('Forbidden', detail))
  }

  /** A string is taken for an enum's. Pass a GoText for one whose Go type is plain, where its characters matter. */
  notSupported(path: Path | string, value: unknown, supported: readonly string[]): void {
    this.#add('FieldValueNotSupported', path, () => {
      const list = supported.map(s => JSON.stringify(s)).join(', ')
      return detailed(
        `Unsupported value: ${typeof value === 'string' ? goJson(value) : goValue(value)}`,
        list === '' ? '' : `supported values: ${list}`
      )
    })
  }

  duplicate(path: Path | string, value: unknown, detail = ''): void {
    this.#add('FieldValueDuplicate', path, () => detailed(valued('Duplicate value', value), detail))
  }

  notFound(path: Path | string, value: unknown, detail = ''): void {
    this.#add('FieldValueNotFound', path, () => detailed(`Not found: ${goValue(value)}`, detail))
  }

  tooLong(path: Path | string, max: number): void {
    this.#add('FieldValueTooLong', path, () => `Too long: may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`)
  }

  tooManyCharacters(path: Path | string, max: number): void {
    this.#add('FieldValueTooLong', path, () => `Too long: may not be more than ${max} ${max === 1 ? 'character' : 'characters'}`)
  }

  tooMany(path: Path | string, actual: number, max: number): void {
    this.#add('FieldValueTooMany', path, () => `Too many: ${actual}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`)
  }

  internal(path: Path | string, detail: string): void {
    this.#add('InternalError', path, () => detailed('Internal error', detail))
  }
}
