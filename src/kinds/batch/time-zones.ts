import { readFileSync } from 'node:fs'

let names: ReadonlySet<string> | undefined

/** Whether the time zone database has a zone or link of exactly this name. Intl would ignore case. */
export function isTimeZone(name: string): boolean {
  names ??= new Set(JSON.parse(readFileSync(new URL('./generated/time-zones.json', import.meta.url), 'utf8')))
  return names.has(name)
}
