/** Writes what clients may have sent into the log, and reads the lines strictly. */
import { goPairs, goUnquote } from '../../../testkit/go-unquote.js'
import { HostileValues } from '../../../testkit/hostile-values.js'
import { jsonLines } from '../json-lines.js'
import { klogLine } from '../klog-line.js'

const head = /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ binnacle\] /
const time = new Date(0)

function klogProblem(message: string, fields: Record<string, string> | undefined, object: unknown): string | undefined {
  const line = klogLine('I', time, message, fields && { ...fields, object })
  const lines = line.split('\n')
  if (lines.pop() !== '') return 'the line has no end'
  const [first = ''] = lines
  const begin = head.exec(first)?.[0].length
  if (begin === undefined) return 'the line has no head'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these steer terminals
  if (lines.some(one => /[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(one))) return 'the line has control characters'
  if (lines.slice(1).some(one => /^[IWEF]\d{4} /.test(one))) return 'one line looks like several'
  if (!fields) return undefined
  if (lines.length !== 1) return 'a message with fields has several lines'
  const { text, end } = goUnquote(first, begin)
  if (text !== message.toWellFormed()) return 'another message'
  const beforeObject = first.lastIndexOf(' object=')
  const pairs = goPairs(first.slice(0, beforeObject), end)
  for (const [name, value] of Object.entries(fields)) if (pairs[name] !== value.toWellFormed()) return `another ${name}`
  return undefined
}

async function jsonProblem(message: string, fields: Record<string, string>): Promise<string | undefined> {
  const lines: string[] = []
  const write = await jsonLines((_, line) => void lines.push(line), 'binnacle')
  write('I', 0, message, fields)
  const [line = '', ...others] = lines
  if (others.length > 0 || line.indexOf('\n') !== line.length - 1) return 'not one line'
  const { msg, ...read } = JSON.parse(line)
  if (msg.toWellFormed() !== message.toWellFormed()) return 'another message'
  for (const [name, value] of Object.entries(fields))
    if (read[name].toWellFormed() !== value.toWellFormed()) return `another ${name}`
  return undefined
}

/** Returns what is wrong with the lines of a seed; undefined when nothing is. */
export async function logProblem(seed: number): Promise<string | undefined> {
  const values = new HostileValues(seed)
  const message = values.text(20)
  const fields = { URI: values.text(), userAgent: values.text(), user: values.text() }
  // an object's own quotes are JSON's
  const object = { a: values.text().replaceAll(' object=', '') }
  try {
    const problem =
      klogProblem(message, fields, object) ?? klogProblem(message, undefined, undefined) ?? (await jsonProblem(message, fields))
    return problem && `log, seed ${seed}: ${problem}\n${JSON.stringify({ message, fields, object })}`
  } catch (error) {
    return `log, seed ${seed}: ${(error as Error).message}\n${JSON.stringify({ message, fields })}`
  }
}
