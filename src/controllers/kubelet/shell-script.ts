/**
 * Shell scripts that are no more than commands one after the other, joined by `;`, `&&`, `||` or the ends of lines. What else a shell can do
 * (pipes, redirection, conditions, loops, substitution) makes a script that is not understood.
 */
import { mostCharacters } from './environment.js'

export interface ScriptCommand {
  readonly words: readonly string[]
  /** Whether it runs depends on how the commands before it have ended: `&&` after success, `||` after failure. */
  readonly after: ';' | '&&' | '||'
}

/** Ends of commands, white space, quoted texts, variables, and what stands for itself. */
const token = /(;|&&|\|\||\n)|([ \t\r]+)|'([^']*)'|"([^"\\`]*)"|(\$(?:\w+|\{\w+\}))|([\w./:,@%+=^!-]+)/y
const variable = /\$(?:(\w+)|\{(\w+)\})|\$/g

/** Returns undefined for a script that is not understood, or has variables that are not known. */
export function parseScript(script: string, environment: ReadonlyMap<string, string>): ScriptCommand[] | undefined {
  const commands: ScriptCommand[] = []
  let after: ScriptCommand['after'] = ';'
  let words: string[] = []
  let word: string | undefined
  let size = 0
  const expand = (text: string): string | undefined => {
    let isKnown = true
    const expanded = text.replace(variable, (_, bare: string | undefined, braced: string | undefined) => {
      const value = size > mostCharacters ? undefined : environment.get(bare ?? braced ?? '')
      size += value?.length ?? 0
      isKnown &&= value !== undefined
      return value ?? ''
    })
    return isKnown ? expanded : undefined
  }
  const endWord = () => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  token.lastIndex = 0
  while (token.lastIndex < script.length) {
    const [matched, end, space, single, double, name, plain] = token.exec(script) ?? []
    if (matched === undefined) return undefined
    if (end !== undefined || space !== undefined) endWord()
    if (end !== undefined) {
      if (words.length > 0) commands.push({ words, after })
      // a line may end after `&&`, and no command may be missing elsewhere
      else if (end !== '\n') return undefined
      if (words.length > 0 || end !== '\n') after = end === '\n' ? ';' : (end as ScriptCommand['after'])
      words = []
    } else if (space === undefined) {
      const part = single ?? plain ?? expand((double ?? name)!)
      // a value without quotes would be split into words
      if (part === undefined || (name !== undefined && !/^[\w./:,@%+=-]+$/.test(part))) return undefined
      word = (word ?? '') + part
    }
  }
  endWord()
  if (words.length > 0) commands.push({ words, after })
  else if (after !== ';') return undefined
  return commands
}
