// Writes src/kinds/batch/generated/time-zones.json: the names in the IANA time zone database, links included, in their original
// case, which JavaScript's Intl does not provide.
//   node scripts/generate/time-zones.mjs [file]      (default: /usr/share/zoneinfo/tzdata.zi)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const source = process.argv[2] ?? '/usr/share/zoneinfo/tzdata.zi'
const names = new Set()
for (const line of readFileSync(source, 'utf8').split('\n')) {
  const [kind, first, second] = line.split(' ')
  if (kind === 'Z') names.add(first)
  if (kind === 'L') names.add(second)
}
const folder = new URL('../../src/kinds/batch/generated/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(new URL('time-zones.json', folder), `${JSON.stringify([...names].sort(), undefined, 1)}\n`)
