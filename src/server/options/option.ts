/** One option of a server: what the command line, files and programs have in common. */
import type { Flag } from './flag.js'

/**
 * An option with a flag. The name under which the table has it is that of the library's option and, as every flag's, a key of the
 * configuration file.
 */
export interface ServerOption<T, F extends string = string, D extends T | undefined = T | undefined>
  extends Omit<Flag<T>, 'default'> {
  /** The name of the flag, without dashes before it. */
  readonly flag: F
  /** That of the command line. */
  readonly default: D
  /** What happens when a program leaves the option out, if that differs from the command line; with the default's form in documents. */
  readonly libraryDefault?: string
  /** Whether help and documents leave the flag out, because it is deprecated. */
  readonly isHidden?: true
}

/** Infers the types of an option. */
export const option = <T, const F extends string, D extends T | undefined>(
  definition: ServerOption<T, F, D>
): ServerOption<T, F, D> => definition

/** The value of an option that has not been left out. */
export type ValueOf<O> = O extends ServerOption<infer T, any, any> ? Exclude<T, undefined> : never
