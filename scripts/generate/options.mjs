// Writes the types of the options that have flags, from the table of options (src/server/options/), after a build:
//   node scripts/generate/options.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const { optionTypesText } = await import('../../build/server/options/types-text.js')
const file = fileURLToPath(new URL('../../src/server/options/generated/flag-options.ts', import.meta.url))
mkdirSync(new URL('.', `file://${file}`), { recursive: true })
writeFileSync(file, optionTypesText())
