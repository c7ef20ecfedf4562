// Writes src/cli/flags/generated/known-flags.ts: kube-apiserver's flags by section, with their types and defaults.
//   node scripts/generate/flags.mjs FILE RELEASE (kube-apiserver-flags.txt of the facts)
//   node scripts/generate/flags.mjs --docs       (writes docs/flags.md from the built flags)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

if (process.argv[2] === '--docs') {
  const { flagsDocument } = await import('../../build/cli/flags/flags-document.js')
  const { configSchemaText } = await import('../../build/cli/config-schema.js')
  const { acceptedFlags } = await import('../../build/cli/flags/serve-flags.js')
  writeFileSync(new URL('../../docs/flags.md', import.meta.url), flagsDocument())
  writeFileSync(new URL('../../docs/config.schema.json', import.meta.url), configSchemaText(acceptedFlags))
  process.exit()
}

const [source, release] = process.argv.slice(2)
if (!release) throw new Error('usage: flags.mjs FILE RELEASE')
const sections = new Map()
let names
for (const line of readFileSync(source, 'utf8').split('\n')) {
  const section = /^# (.+)$/.exec(line)?.[1]
  if (section) sections.set(section, (names = []))
  const [, name, type, standard] = /^--(\S+) (\S+)(?: default (.*))? ?$/.exec(line) ?? []
  if (name) names.push([name, type, standard?.replace(/^"(.*)"$|^\[(.*)\]$/, '$1$2') ?? ''])
}

const entries = [...sections].map(
  ([section, flags]) =>
    `  ${/\W/.test(section) ? `'${section}'` : section}: {\n${flags
      .map(([name, type, standard]) => `    ${/\W/.test(name) ? `'${name}'` : name}: ['${type}', '${standard}']`)
      .join(',\n')}\n  }`
)
const folder = new URL('../../src/cli/flags/generated/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(
  new URL('known-flags.ts', folder),
  `// Made by scripts/generate/flags.mjs.

/** The flags of kube-apiserver v${release} by section, in its order: their types, and their defaults as text. */
export const knownFlags: Readonly<Record<string, Readonly<Record<string, readonly [type: string, standard: string]>>>> = {
${entries.join(',\n')}
}
`
)
