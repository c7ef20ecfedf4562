/**
 * What a few commands do whose whole effect is to take time, to print and to end: `true`, `false`, `sleep`, `echo`, `hostname`, `env`, and
 * shell scripts of these. No other command is understood.
 */
import { mostCharacters } from './environment.js'
import { parseScript } from './shell-script.js'

export interface CommandResult {
  readonly stdout: string
  readonly exitCode: number
  /** In milliseconds; Infinity for one that does not end by itself. */
  readonly lasts: number
  /** The script ended its shell by itself, with `exit` or `exec`: one that reads lines reads no more. */
  readonly endsShell?: boolean
}

export const shells: ReadonlySet<string> = new Set(['sh', '/bin/sh', 'bash', '/bin/bash', 'ash', '/bin/ash'])

const ended = (exitCode: number, stdout = '', lasts = 0): CommandResult => ({ stdout, exitCode, lasts })

/** What an image does without a command: that of the sandbox of a Pod, and that of Kubernetes' tests, do nothing until they are stopped. */
export function resultOfImage(image: string, args: readonly string[]): CommandResult | undefined {
  const [, name] = /(?:^|\/)(pause|agnhost)(?:[:@]|$)/.exec(image) ?? []
  const waits = name === 'pause' || (name === 'agnhost' && (args[0] ?? 'pause') === 'pause')
  return waits ? ended(0, '', Number.POSITIVE_INFINITY) : undefined
}

/** Returns undefined for a command that is not understood. */
export function resultOf(command: readonly string[], environment: ReadonlyMap<string, string>): CommandResult | undefined {
  const [name = '', ...words] = command
  if (!shells.has(name)) return simple(name, words, environment)
  return words[0] === '-c' && words.length === 2 ? runScript(words[1]!, environment) : undefined
}

function runScript(script: string, environment: ReadonlyMap<string, string>): CommandResult | undefined {
  const commands = parseScript(script, environment)
  if (!commands) return undefined
  let result = ended(0)
  for (const { words, after } of commands) {
    if (after === '&&' ? result.exitCode !== 0 : after === '||' && result.exitCode === 0) continue
    const isExec = words[0] === 'exec'
    const [name = '', ...rest] = isExec ? words.slice(1) : words
    const isExit = name === 'exit' && !isExec
    const next = isExit ? exit(rest, result.exitCode) : simple(name, rest, environment)
    if (!next) return undefined
    result = ended(next.exitCode, result.stdout + next.stdout, result.lasts + next.lasts)
    if (result.stdout.length > mostCharacters) return undefined
    if (isExit || isExec) return { ...result, endsShell: true }
    if (result.lasts === Number.POSITIVE_INFINITY) break
  }
  return result
}

function exit([code, ...more]: readonly string[], last: number): CommandResult | undefined {
  if (code === undefined) return ended(last)
  return more.length === 0 && /^\d{1,9}$/.test(code) ? ended(Number(code) & 255) : undefined
}

function simple(path: string, words: readonly string[], environment: ReadonlyMap<string, string>): CommandResult | undefined {
  switch (path.replace(/^\/(?:usr\/)?bin\//, '')) {
    case 'true':
    case ':':
      return ended(0)
    case 'false':
      return ended(1)
    case 'sleep':
      return sleep(words)
    case 'echo':
      return echo(words)
    case 'hostname':
      return words.length === 0 ? ended(0, `${environment.get('HOSTNAME') ?? ''}\n`) : undefined
    case 'env':
      return words.length === 0 ? ended(0, lines([...environment].map(([name, value]) => `${name}=${value}`))) : undefined
    default:
      return undefined
  }
}

const lines = (list: readonly string[]) => list.map(line => `${line}\n`).join('')

function echo(words: readonly string[]): CommandResult | undefined {
  const isOpen = words[0] === '-n'
  const shown = isOpen ? words.slice(1) : words
  // shells do not agree on other options and on backslashes
  if (/^-[a-zA-Z]+$/.test(shown[0] ?? '') || shown.some(word => word.includes('\\'))) return undefined
  return ended(0, shown.join(' ') + (isOpen ? '' : '\n'))
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function sleep(words: readonly string[]): CommandResult | undefined {
  let lasts = words.length > 0 ? 0 : Number.NaN
  for (const word of words) {
    const [, number, unit = 's'] = /^(\d{1,12}(?:\.\d{1,9})?|inf|infinity)([smhd])?$/.exec(word) ?? []
    lasts += number?.startsWith('inf') ? Number.POSITIVE_INFINITY : Math.round(Number(number) * units[unit]!)
  }
  return Number.isNaN(lasts) ? undefined : ended(0, '', lasts)
}
