/** A shell in a simulated container, for `kubectl exec -it POD -- sh`: it reads lines, and does those that it understands. */
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { CommandRun } from './commands.js'

export interface ShellParts {
  readonly stdin: Readable
  readonly stdout: Writable | undefined
  /** Undefined in a terminal, which has one output. */
  readonly stderr: Writable | undefined
  readonly isTerminal: boolean
  /** Undefined for a line that is not understood. */
  run(line: string): CommandRun | undefined
  /** Waits; resolves with false when the container ends meanwhile. */
  passes(milliseconds: number): Promise<boolean>
}

const prompt = '/ # '
const mostCharacters = 4096
const [interrupt, endOfText, backspace, deleted, sequence] = ['\u0003', '\u0004', '\b', '\u007f', '\u001b']

/** Resolves with the exit code: that of `exit`, or of the last line when the input ends; undefined when the container has ended. */
export async function runShell(parts: ShellParts): Promise<number | undefined> {
  const { stdin, stdout, stderr, isTerminal, run, passes } = parts
  let last = 0
  let line = ''
  // arrow keys and others send a sequence that ends with a letter
  let isSequence = false
  const write = (text: string) => stdout?.write(isTerminal ? text.replaceAll('\n', '\r\n') : text)
  /** Does a line; resolves with whether the shell goes on. */
  const enter = async (): Promise<'goes on' | 'ends' | 'killed'> => {
    const words = line.trim().split(/\s+/)
    const [name = ''] = words
    const isExit = name === 'exit' && words.length <= 2 && /^\d{0,9}$/.test(words[1] ?? '')
    const result = name === '' || name.startsWith('#') ? undefined : run(line)
    line = ''
    if (isExit) {
      last = words[1] ? Number(words[1]) & 255 : last
      return 'ends'
    }
    if (result) {
      if (result.lasts > 0 && !(await passes(result.lasts))) return 'killed'
      last = result.exitCode
      write(result.stdout)
      stderr ? stderr.write(result.stderr) : write(result.stderr)
      if (result.endsShell) return 'ends'
    } else if (name !== '' && !name.startsWith('#')) {
      last = 127
      const why = `sh: ${name}: not found\n`
      stderr ? stderr.write(why) : write(why)
    }
    return 'goes on'
  }
  if (isTerminal) write(prompt)
  for await (const piece of stdin.setEncoding('utf8') as AsyncIterable<string>) {
    for (const character of piece) {
      if (isSequence) isSequence = character === '[' || !/[a-zA-Z~]/.test(character)
      else if (isTerminal && character === sequence) isSequence = true
      else if (character === '\n' || (isTerminal && character === '\r')) {
        if (isTerminal) write('\n')
        const then = await enter()
        if (then !== 'goes on') return then === 'ends' ? last : undefined
        if (isTerminal) write(prompt)
      } else if (!isTerminal) {
        if (line.length < mostCharacters) line += character
      } else if (character === interrupt) {
        line = ''
        write(`^C\n${prompt}`)
      } else if (character === endOfText) {
        if (line === '') return last
      } else if (character === backspace || character === deleted) {
        if (line !== '') write('\b \b')
        line = [...line].slice(0, -1).join('')
      } else if (character >= ' ' && line.length < mostCharacters) {
        line += character
        write(character)
      }
    }
    // what is typed is shown no faster than it is read
    if (stdout?.writableNeedDrain) await Promise.race([once(stdout, 'drain'), once(stdout, 'close')])
  }
  if (line !== '') {
    const then = await enter()
    if (then === 'killed') return undefined
  }
  return last
}
