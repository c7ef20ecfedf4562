// The options of scripts that people call by hand. What is wrong with one is a line that names it and says what would be right; --help prints the
// script's first lines.
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'

class WrongOption extends Error {}

/** Ends a script with a line that says what is wrong with how it was called. */
export function refuse(message) {
  const [file, folder] = [basename(process.argv[1], '.mjs'), basename(dirname(process.argv[1]))]
  console.error(`${file === 'main' ? folder : file}: ${message}`)
  process.exit(1)
}

/** Prints the first lines of the script. */
export function help() {
  process.stdout.write(helpOf(process.argv[1]))
  process.exit(0)
}

/** The comment with which a script begins. */
const helpOf = file => {
  const code = readFileSync(file, 'utf8')
  const [, lines, block] = /^(?:#!.*\n)?(?:((?:\/\/.*\n)+)|\/\*\*([\s\S]*?)\*\/)/.exec(code) ?? []
  if (lines) return lines.replace(/^\/\/ ?/gm, '')
  return block ? `${block.replace(/^ *\* ?/gm, '').trim()}\n` : ''
}

/** Node's errors, in words that say what would be right. */
function explained({ code, message }, options, allowPositionals) {
  const names = Object.entries(options).map(([name, { type }]) => (type === 'boolean' ? `--${name}` : `--${name}=…`))
  const there = names.length > 0 ? `there are ${names.join(', ')}` : 'there are no options'
  const [, named] = /'([^']+)'/.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `unknown option ${named}; ${there}`
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL' && !allowPositionals) return `unexpected argument ${named}; ${there}`
  return message.split('\n', 1)[0]
}

/**
 * Takes and returns what `parseArgs` does, and two things more: the type "number", a whole number from `least` on (0 when left out), and `choices`, the values
 * that an option may have. Ends the process after --help, and when an option is wrong.
 */
export function parseOptions(config) {
  const options = { ...config.options, help: { type: 'boolean' } }
  const texts = Object.entries(options).map(([name, { type, least, choices, ...rest }]) => {
    const value = rest.default === undefined ? {} : { default: type === 'number' ? String(rest.default) : rest.default }
    return [name, { ...rest, type: type === 'number' ? 'string' : type, ...value }]
  })
  try {
    const { values, ...more } = parseArgs({ ...config, options: Object.fromEntries(texts) })
    if (values.help) help()
    for (const [name, { type, least = 0, choices }] of Object.entries(options)) {
      const odd = choices && [values[name] ?? []].flat().find(value => !choices.includes(value))
      if (odd !== undefined) throw new WrongOption(`--${name} ${JSON.stringify(odd)} must be one of ${choices.join(', ')}`)
      if (type !== 'number' || values[name] === undefined) continue
      const text = values[name]
      if (!/^\d{1,15}$/.test(text) || Number(text) < least)
        throw new WrongOption(`--${name} ${JSON.stringify(text)} must be a whole number, ${least} or more`)
      values[name] = Number(text)
    }
    return { values, ...more }
  } catch (error) {
    if (!(error instanceof WrongOption) && !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error
    refuse(error instanceof WrongOption ? error.message : explained(error, options, config.allowPositionals))
  }
}
