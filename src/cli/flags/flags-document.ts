/** Writes docs/flags.md, which says for each flag of kube-apiserver what Binnacle does with it. */

import type { Flag, Flags } from '../../server/options/flag.js'
import { kubernetesMinor } from '../../util/kubernetes-version.js'
import { fixedFlags } from './fixed-flags.js'
import { knownFlags } from './generated/known-flags.js'
import { serveFlags } from './serve-flags.js'

const cell = (text: string) => text.replaceAll('|', '\\|')

const row = (name: string, { help }: Pick<Flag<unknown>, 'help'>) => `| \`--${name}\` | ${cell(help)} |\n`
const table = (rows: string) => `| flag | |\n| --- | --- |\n${rows}`

export function flagsDocument(): string {
  const own: [string, Flag<any>][] = Object.entries(serveFlags as Flags).filter(([, flag]) => !flag.isHidden)
  const known = new Set(Object.values(knownFlags).flatMap(Object.keys))
  const sections = Object.entries(knownFlags).map(([section, flags]) => {
    const names = Object.keys(flags)
    const honoured = own.filter(([name]) => names.includes(name))
    const fixed = names.flatMap(name => (Object.hasOwn(fixedFlags, name) ? [row(name, fixedFlags[name]!)] : []))
    const rows = honoured.map(([name, flag]) => row(name, flag)).join('')
    return `## ${section}\n\n${table(rows + fixed.join(''))}`
  })
  const ours = own.filter(([name]) => !known.has(name)).map(([name, flag]) => row(name, flag))
  return `# Flags

<!-- Made by scripts/generate/flags.mjs from src/server/options/ and src/cli/flags/. -->

\`binnacle serve\` takes every flag of kube-apiserver 1.${kubernetesMinor}. One that is honoured says what it does. One that "must be" something is
accepted with that value, which says what Binnacle does anyway, and refused with any other. The library takes the honoured flags as
options of the same names ([options.ts](../src/server/options.ts)). One that "has no effect" tunes machinery that is not here: it takes every valid value, and the log says so.

${sections.join('\n')}
## Binnacle's own

${table(ours.join(''))}`
}
