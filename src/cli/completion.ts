/** Scripts that complete the command lines of `binnacle` in a shell, from the tables of commands and flags. */
import type { Flag, Flags } from '../server/options/flag.js'

/** What a command does, and its flags. */
export interface Completed {
  readonly what: string
  readonly flags: Flags
  /** Words that may follow the command. */
  readonly words?: readonly string[]
}

export type Commands = Readonly<Record<string, Completed>>

/** The words that a flag's value may be, if they are few. */
const wordsOf = ({ type }: Flag<any>): readonly string[] => type.words ?? []
const takesValue = ({ type }: Flag<any>) => type.implicit === undefined
const shownFlags = (flags: Flags) => Object.entries(flags).filter(([, { isHidden }]) => !isHidden)
const firstSentence = (text: string) => text.replace(/([.:;])\s.*$/s, '$1').replace(/[.:;]$/, '')

/** A text in single quotes, for POSIX shells. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Files complete what has no other words. */
function bash(commands: Commands): string {
  const names = Object.entries(commands)
  const values = names.flatMap(([command, { flags }]) =>
    shownFlags(flags)
      .filter(([, flag]) => wordsOf(flag).length > 0)
      .map(([name, flag]) => `    '${command} --${name}') words='${wordsOf(flag).join(' ')}' ;;`)
  )
  const valued = names.flatMap(([command, { flags }]) =>
    shownFlags(flags).flatMap(([name, flag]) => (takesValue(flag) ? [`'${command} --${name}'`] : []))
  )
  const flags = names.map(
    ([command, { flags, words = [] }]) =>
      `      ${command}) words='${[...words, ...shownFlags(flags).map(([name]) => `--${name}`)].join(' ')}' ;;`
  )
  return `# bash completion of binnacle: eval "$(binnacle completion bash)"
_binnacle() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '${names.map(([name]) => name).join(' ')}' -- "$current"))
    return
  fi
  # bash makes three words of --flag=value
  if [ "$current" = = ]; then current=''
  elif [ "$before" = = ]; then before="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  case "\${COMP_WORDS[1]} $before" in
${values.join('\n')}
    ${valued.join(' | ')}) return ;;
    *)
      case "\${COMP_WORDS[1]}" in
${flags.join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _binnacle binnacle
`
}

function zsh(commands: Commands): string {
  const escaped = (text: string) => text.replace(/[\\[\]:]/g, '\\$&')
  const lines = (flags: Flags) =>
    shownFlags(flags).map(([name, flag]) => {
      const words = wordsOf(flag)
      const action = words.length > 0 ? `(${words.join(' ')})` : '_files'
      const value = takesValue(flag) ? `:${escaped(flag.type.label)}:${action}` : ''
      return `        ${quoted(`*--${name}${value && '='}[${escaped(firstSentence(flag.help))}]${value}`)}`
    })
  const cases = Object.entries(commands).map(([command, { flags, words }]) => {
    const rest = words ? [`        '1:word:(${words.join(' ')})'`] : [`        '*:file:_files'`]
    return `    ${command})\n      _arguments \\\n${[...lines(flags), ...rest].join(' \\\n')} ;;`
  })
  return `#compdef binnacle
# zsh completion of binnacle: eval "$(binnacle completion zsh)", after compinit
_binnacle() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${Object.entries(commands)
  .map(([name, { what }]) => `      ${quoted(`${name}:${what}`)}`)
  .join('\n')}
    )
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _binnacle binnacle
`
}

function fish(commands: Commands): string {
  const text = (value: string) => `'${value.replace(/[\\']/g, '\\$&')}'`
  const lines = Object.entries(commands).flatMap(([command, { what, flags, words = [] }]) => [
    `complete -c binnacle -n __fish_use_subcommand -f -a ${command} -d ${text(what)}`,
    ...words.map(word => `complete -c binnacle -n '__fish_seen_subcommand_from ${command}' -f -a ${word}`),
    ...shownFlags(flags).map(([name, flag]) => {
      const found = wordsOf(flag)
      const value = found.length > 0 ? ` -x -a '${found.join(' ')}'` : takesValue(flag) ? ' -r' : ''
      return `complete -c binnacle -n '__fish_seen_subcommand_from ${command}' -l ${name}${value} -d ${text(firstSentence(flag.help))}`
    })
  ])
  return `# fish completion of binnacle: binnacle completion fish | source\n${lines.join('\n')}\n`
}

/** By shell. */
export const completions: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish }
