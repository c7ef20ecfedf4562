/** What commands answer in simulated containers: a table in the Pod's annotations, and a few that every image has. */
import type { Container, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { Behavior, CommandOutput } from '../../simulation/simulate-options.js'
import { annotationDomain } from '../behavior.js'
import { environmentOf } from '../environment.js'
import { resultOf, shells } from '../known-commands.js'

export interface CommandRun {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** In milliseconds; Infinity for one that does not end by itself. */
  readonly lasts: number
  /** A shell that reads lines ends with this one. */
  readonly endsShell?: boolean
}

const output = (stdout: string, stderr = '', exitCode = 0): CommandRun => ({ stdout, stderr, exitCode, lasts: 0 })

/** Reads what a program or an annotation declares. */
function runOf(answer: unknown): CommandRun {
  if (answer === null || typeof answer !== 'object') return output(String(answer))
  const { stdout = '', stderr = '', exitCode = 0 } = answer as CommandOutput
  return output(String(stdout), String(stderr), Number(exitCode) & 255)
}

/** Reads `simulate.binnacle.dev/exec`: a JSON object of commands, with what each prints, or with stdout, stderr and exitCode. */
function declared({ metadata }: Pod, container: string): ReadonlyMap<string, CommandRun> {
  const annotations = metadata.annotations ?? {}
  const text = annotations[`${container}.${annotationDomain}/exec`] ?? annotations[`${annotationDomain}/exec`] ?? '{}'
  let table: unknown
  try {
    table = JSON.parse(text)
  } catch {
    return new Map()
  }
  if (table === null || typeof table !== 'object') return new Map()
  return new Map(Object.entries(table).map(([command, answer]) => [command, runOf(answer)]))
}

/** What a program or an annotation says of a command. */
function said(pod: Pod, container: Container, command: readonly string[], exec?: Behavior['exec']): CommandRun | undefined {
  const answer = exec?.(command)
  return answer === undefined ? declared(pod, container.name).get(command.join(' ')) : runOf(answer)
}

/** What a program or an annotation says of a command, or is known of it. Undefined for a command that is not understood. */
export function understood(
  pod: Pod,
  container: Container,
  command: readonly string[],
  exec?: Behavior['exec']
): CommandRun | undefined {
  const given = said(pod, container, command, exec)
  if (given) return given
  const known = resultOf(command, environmentOf(pod, container))
  return known && { ...known, stderr: '' }
}

/** The same of a line that a shell reads: a command that was declared, or a script. */
export const understoodLine = (pod: Pod, container: Container, line: string, exec?: Behavior['exec']): CommandRun | undefined =>
  said(pod, container, line.trim().split(/\s+/), exec) ?? understood(pod, container, ['sh', '-c', line], exec)

/** Whether a command is a shell that reads what it does, or a script that comes to one. */
export function isShell([name = '', ...words]: readonly string[]): boolean {
  if (!shells.has(name)) return false
  return words[0] === '-c' && words.length === 2 ? comesToShell(words[1]!) : words.every(word => word === '-i' || word === '-l')
}

/** Programs open the best shell of a container with such scripts: `command -v bash >/dev/null && exec bash || exec sh` is that of k9s. */
function comesToShell(script: string): boolean {
  const commands = script.split(/;|&&|\|\||[()\n]/).map(command => command.trim())
  const last = commands.findLast(command => command !== '') ?? ''
  const words = last.split(/\s+/)
  const command = words[0] === 'exec' ? words.slice(1) : words
  return command[1] !== '-c' && isShell(command)
}

/** Returns undefined for a command that sends back what it reads. `exec` is what the program says. */
export function runCommand(
  pod: Pod,
  container: Container,
  command: readonly string[],
  exec?: Behavior['exec']
): CommandRun | undefined {
  const known = understood(pod, container, command, exec)
  if (known) return known
  const [name = '', ...words] = command
  if ((name === 'sh' || name === 'bash' || name === '/bin/sh') && words[0] === '-c')
    return runCommand(pod, container, (words[1] ?? '').trim().split(/\s+/))
  if (name === 'cat')
    return words.length === 0 ? undefined : output('', `cat: can't open '${words[0]}': No such file or directory\n`, 1)
  const why = `exec: "${name}": executable file not found in $PATH`
  return output('', `OCI runtime exec failed: exec failed: unable to start container process: ${why}: unknown\n`, 127)
}
