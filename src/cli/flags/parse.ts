import type { Flag, Flags, FlagValues } from '../../server/options/flag.js'
import { InvalidValue } from '../../server/options/value-types.js'
import { suggest } from '../../util/suggest.js'
import { UserError } from '../../util/user-error.js'

export interface Parsed<F extends Flags> {
  readonly values: FlagValues<F>
  /** Names of the flags that were on the command line. */
  readonly given: ReadonlySet<string>
}

/** Told of each mistake of a command line. One that returns lets the rest be read. */
export type Report = (mistake: UserError) => void

export const raise: Report = mistake => {
  throw mistake
}

/** How many characters of a wrong value a message repeats. Sensible values are shorter. */
const maxShown = 200

/**
 * Parses a command line as pflag does: `--flag=value`, `--flag value`, `--switch`, `--switch=false`, `-v=4`, `-v4`, `-v 4`, and
 * `_` for `-` within names. The first mistake is thrown, unless `report` takes it.
 */
export const parseFlags = <F extends Flags>(args: readonly string[], flags: F, report = raise): Parsed<F> => {
  const values = new Map<string, unknown>()
  const given = new Set<string>()
  const byShorthand = new Map(Object.entries(flags).flatMap(([name, { shorthand }]) => (shorthand ? [[shorthand, name]] : [])))
  const queue = [...args]

  const set = (name: string, written: string, attached: string | undefined): void => {
    const { type, formerNameOf = name } = flags[name] as Flag<unknown>
    const text = attached ?? type.implicit ?? queue.shift()
    if (text === undefined) return report(new UserError(`${written} needs a value (${type.label})`))
    try {
      values.set(formerNameOf, type.read(text, values.get(formerNameOf)))
      given.add(name)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      const shown = JSON.stringify(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)
      report(new UserError(`${written} ${shown} ${error.message}`))
    }
  }

  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    const long = /^--([^=]+)(?:=(.*))?$/s.exec(arg)
    const short = /^-([^-=])(?:=?(.+))?$/s.exec(arg)
    if (long) {
      const name = long[1]!.replaceAll('_', '-')
      if (Object.hasOwn(flags, name)) set(name, `--${name}`, long[2])
      else {
        report(unknownFlag(long[1]!, name, flags))
        // what follows is the value of the flag that was meant
        if (long[2] === undefined && queue[0]?.startsWith('-') === false) queue.shift()
      }
    } else if (short) {
      const name = byShorthand.get(short[1]!)
      if (name === undefined) report(new UserError(`unknown flag -${short[1]}`))
      else set(name, arg.slice(0, 2), short[2])
    } else {
      report(new UserError(`unexpected argument ${JSON.stringify(arg)}`))
    }
  }

  const all = Object.entries(flags).map(([name, { default: standard }]) => [name, values.has(name) ? values.get(name) : standard])
  return { values: Object.fromEntries(all) as FlagValues<F>, given }
}

const unknownFlag = (written: string, name: string, flags: Flags): UserError => {
  const near = suggest(name, Object.keys(flags))
  return new UserError(`unknown flag --${written}${near === undefined ? '' : `; did you mean --${near}?`}`)
}
