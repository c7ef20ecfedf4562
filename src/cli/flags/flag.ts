import type { ValueType } from './value-types.js'

/** One flag of a command. */
export interface Flag<T> {
  readonly type: ValueType<T>
  /** Heading in the help. */
  readonly section: string
  readonly description: string
  readonly default: NoInfer<T>
  /** The default as the help shows it, where that is not its value. */
  readonly defaultText?: string
  /** One letter: `-v`. */
  readonly shorthand?: string
}

/** Flags by name. */
export type Flags = Readonly<Record<string, Flag<any>>>

/** What the flags of a command turned out to be. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never }

/** Ties the types of a flag together. */
export const flag = <T>(definition: Flag<T>): Flag<T> => definition
