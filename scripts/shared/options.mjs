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

/** Reads one value of an option. */
function checked(name, text, { type, least = 0, most, choices }) {
  const wrong = what => new WrongOption(`--${name} ${JSON.stringify(text)} must be ${what}`)
  if (choices && !choices.includes(text)) throw wrong(`one of ${choices.join(', ')}`)
  if (!Object.hasOwn(numbers, type)) return text
  const { form, what } = numbers[type]
  if (!form.test(text) || Number(text) < least || Number(text) > (most ?? Infinity))
    throw wrong(`${what}, ${most === undefined ? `${least} or more` : `from ${least} to ${most}`}`)
  return Number(text)
}

const numbers = {
  number: { form: /^\d{1,15}$/, what: 'a whole number' },
  decimal: { form: /^\d{1,15}(\.\d{1,15})?$/, what: 'a number' }
}

/**
 * Takes and returns what `parseArgs` does, and more: the types "number", a whole number, and "decimal", both from `least` (0 when left out) to `most`; `choices`,
 * the values that an option may have; and `list`, values of the type between commas, which may be none. Ends the process after --help, and when an option is wrong.
 */
export function parseOptions(config) {
  const options = { ...config.options, help: { type: 'boolean' } }
  const texts = Object.entries(options).map(([name, { type, multiple, short }]) => [
    name,
    { type: type === 'boolean' ? type : 'string', multiple: multiple ?? false, ...(short ? { short } : {}) }
  ])
  try {
    const { values, ...more } = parseArgs({ ...config, options: Object.fromEntries(texts) })
    if (values.help) help()
    for (const [name, option] of Object.entries(options)) {
      const given = values[name]
      if (given === undefined) {
        if (option.default !== undefined) values[name] = option.default
      } else if (option.type === 'boolean') continue
      else if (option.list)
        values[name] = given
          .split(',')
          .flatMap((text, _, all) => (all.length === 1 && text === '' ? [] : checked(name, text, option)))
      else values[name] = Array.isArray(given) ? given.map(text => checked(name, text, option)) : checked(name, given, option)
    }
    return { values, ...more }
  } catch (error) {
    if (!(error instanceof WrongOption) && !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error
    refuse(error instanceof WrongOption ? error.message : explained(error, options, config.allowPositionals))
  }
}
