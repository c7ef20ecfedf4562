// Writes src/cli/flags/generated/known-flags.ts: the names of kube-apiserver's flags by section, so that a flag that is not
// supported yet is refused by name.
//   node scripts/generate-flags.mjs [file]      (default: ../shared/facts/kube-apiserver-flags.txt)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const source = process.argv[2] ?? new URL('../../shared/facts/kube-apiserver-flags.txt', import.meta.url)
const sections = new Map()
let names
for (const line of readFileSync(source, 'utf8').split('\n')) {
  const section = /^# (.+)$/.exec(line)?.[1]
  if (section) sections.set(section, (names = []))
  const name = /^--(\S+)/.exec(line)?.[1]
  if (name) names.push(name)
}

const entries = [...sections].map(
  ([section, flags]) => `  '${section}': [\n${flags.map(flag => `    '${flag}'`).join(',\n')}\n  ]`
)
const folder = new URL('../src/cli/flags/generated/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(
  new URL('known-flags.ts', folder),
  `// Made by scripts/generate-flags.mjs.

/** The flags of kube-apiserver v1.36.2 by section, in its order. */
export const knownFlags: Readonly<Record<string, readonly string[]>> = {
${entries.join(',\n')}
}
`
)
