import type { ValueType } from './value-types.js'

/** One flag of a command. */
export interface Flag<T> {
  readonly type: ValueType<T>
  /** Heading of the flag's section in the help. */
  readonly section: string
  readonly description: string
  readonly default: NoInfer<T>
  /** The default in the help, if it differs from the value. */
  readonly defaultText?: string
  /** One letter, for `-v`. */
  readonly shorthand?: string
  /** The flag that this one sets, because this is its former name. */
  readonly formerNameOf?: string
}

/** Flags by name. */
export type Flags = Readonly<Record<string, Flag<any>>>

/** The values of a command's flags. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never }

/** Infers the value type of a flag. */
export const flag = <T>(definition: Flag<T>): Flag<T> => definition
