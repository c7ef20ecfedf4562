import type { Flags, FlagValues } from '../../server/options/flag.js'
import { formatDuration } from '../../util/go-duration.js'
import { fixedFlags } from './fixed-flags.js'

/** Formats the values of flags as Go prints them: `[a,b]`, `5m0s`. */
export function flagTexts<F extends Flags>(flags: F, values: FlagValues<F>): Record<string, string> {
  const texts = Object.entries(flags).map(([name, flag]) => [
    name,
    // a flag without effect has the text of kube-apiserver, unless it was given
    textOf(values[name], flag.type.label, Object.hasOwn(fixedFlags, name) ? flag.defaultText : undefined)
  ])
  return Object.fromEntries(texts)
}

function textOf(value: unknown, label: string, shown = ''): string {
  if (value === undefined) return shown
  if (Array.isArray(value)) return `[${value.join(',')}]`
  if (typeof value === 'number' && label === 'duration') return formatDuration(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, one]) => `${key}=${one}`)
    .join(',')
}
