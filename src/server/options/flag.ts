import type { ValueType } from './value-types.js'

/** One flag of a command. */
export interface Flag<T> {
  readonly type: ValueType<T>
  /** Heading of the flag's section in the help. */
  readonly section: string
  /** What the flag does, in one or two sentences. */
  readonly help: string
  readonly default: NoInfer<T>
  /** The default in the help, if it differs from the value. */
  readonly defaultText?: string
  /**
   * Whether the text is a path, or each text of a list. A configuration file gives it relative to itself. The command line makes it absolute, unless
   * 'as given': messages then name it as it was written, as those of kube-apiserver do.
   */
  readonly isPath?: true | 'as given'
  /** One letter, for `-v`. */
  readonly shorthand?: string
  /** Whether the help leaves the flag out, because it is deprecated. */
  readonly isHidden?: true
  /** The flag that this one sets, because this is its former name. */
  readonly formerNameOf?: string
}

/** Flags by name. */
export type Flags = Readonly<Record<string, Flag<any>>>

/** The values of a command's flags. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: FlagValue<F[Name]> }

/** The value of one flag: also undefined, if that is its default. */
export type FlagValue<F> = F extends { readonly type: ValueType<infer T>; readonly default: infer D }
  ? undefined extends D
    ? T | undefined
    : T
  : never

/** Infers the value type of a flag. */
export const flag = <T>(definition: Flag<T>): Flag<T> => definition
