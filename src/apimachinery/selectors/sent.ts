import { type FieldRequirement, parseFieldSelector } from './fields.js'
import { parseRequirements, type Requirement } from './label-parser.js'
import { SelectorError } from './limits.js'

/** A selector as its client sent it. It is parsed when it is first asked for, once, as several stages of a request ask. */
export class SentSelector<T> {
  readonly text: string
  readonly #parse: (text: string) => readonly T[]
  #outcome: readonly T[] | SelectorError | undefined

  constructor(text: string, parse: (text: string) => readonly T[]) {
    this.text = text
    this.#parse = parse
  }

  /** Its requirements. Throws SelectorError. */
  get requirements(): readonly T[] {
    const outcome = (this.#outcome ??= this.#read())
    if (outcome instanceof SelectorError) throw outcome
    return outcome
  }

  /** Its requirements, or undefined when it cannot be parsed. */
  get readable(): readonly T[] | undefined {
    const outcome = (this.#outcome ??= this.#read())
    return outcome instanceof SelectorError ? undefined : outcome
  }

  #read(): readonly T[] | SelectorError {
    try {
      return this.#parse(this.text)
    } catch (error) {
      if (error instanceof SelectorError) return error
      throw error
    }
  }
}

export type SentFieldSelector = SentSelector<FieldRequirement>
export type SentLabelSelector = SentSelector<Requirement>

/** Undefined for a parameter that is missing or empty. */
export const sentFields = (text: string | null): SentFieldSelector | undefined =>
  text ? new SentSelector(text, parseFieldSelector) : undefined

/** Undefined for a parameter that is missing or empty. */
export const sentLabels = (text: string | null): SentLabelSelector | undefined =>
  text ? new SentSelector(text, parseRequirements) : undefined
