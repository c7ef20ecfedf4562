import type { Flag, Flags } from '../../server/options/flag.js'

/** Formats the flags by section, as pflag does, in lines of at most `width` characters unless a word is longer. */
export const flagsHelp = (flags: Flags, sections: readonly string[], width: number): string =>
  sections
    .map(section => {
      const members = Object.entries(flags)
        .filter(([, flag]) => flag.section === section && !flag.isHidden)
        .sort(([a], [b]) => (a < b ? -1 : 1))
      return `${section} flags:\n\n${members.map(([name, flag]) => flagHelp(name, flag, width)).join('')}`
    })
    .join('\n')

const indent = 10

const flagHelp = (name: string, flag: Flag<unknown>, width: number): string => {
  const short = flag.shorthand === undefined ? '    ' : `-${flag.shorthand}, `
  const head = `  ${short}--${name}${flag.type.implicit === undefined ? ` ${flag.type.label}` : ''}${defaultText(flag)}`
  return `${head}\n${wrap(flag.help, Math.max(40, width) - indent)
    .map(line => `${' '.repeat(indent)}${line}\n`)
    .join('')}`
}

const defaultText = ({ default: value, defaultText: shown }: Flag<unknown>): string => {
  const text =
    shown ?? (Array.isArray(value) ? value.join(',') : typeof value === 'string' ? JSON.stringify(value) : String(value ?? ''))
  // As with pflag, defaults that are empty, zero, false or a map are not shown.
  if (text === '' || value === false || value === 0 || (shown === undefined && text.startsWith('[object'))) return ''
  return `     (default ${text})`
}

/** Breaks text into lines between words. */
const wrap = (text: string, width: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line += line === '' ? word : ` ${word}`
    }
  }
  return [...lines, line]
}
