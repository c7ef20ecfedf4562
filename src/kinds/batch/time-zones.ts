import { readFileSync } from 'node:fs'

let names: ReadonlySet<string> | undefined

/** Whether the time zone database has a zone or link of exactly this name. Intl would ignore case. */
export function isTimeZone(name: string): boolean {
  names ??= new Set(JSON.parse(readFileSync(new URL('./generated/time-zones.json', import.meta.url), 'utf8')))
  return names.has(name)
}

/**
 * Returns what Go's time.LoadLocation says against a name; undefined when nothing. The empty name is UTC, "Local" the machine's
 * time zone.
 */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'Local') return undefined
  if (name.includes('..') || name.startsWith('/') || name.startsWith('\\')) return 'time: invalid location name'
  return isTimeZone(name) ? undefined : `unknown time zone ${name}`
}
