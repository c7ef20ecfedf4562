/** Lines in klog's text format, which log collectors of Kubernetes clusters read. */
import { goQuote } from '../../util/go-format.js'
import type { LogFields } from '../../util/logger.js'

export type Severity = 'I' | 'W' | 'E'

const two = (number: number) => String(number).padStart(2, '0')

/** Stands where klog writes the file and line of Go's source. */
export const usualSource = 'binnacle'

/**
 * Returns one line with its end, or several for a message that has several lines. A message with fields is quoted, as klog does
 * it.
 */
export function klogLine(
  severity: Severity,
  time: Date,
  message: string,
  fields: LogFields | undefined,
  source = usualSource
): string {
  const day = `${two(time.getMonth() + 1)}${two(time.getDate())}`
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
  const micros = `${String(time.getMilliseconds()).padStart(3, '0')}000`
  const head = `${severity}${day} ${clock}.${micros} ${String(process.pid).padStart(7)} ${source}] `
  return `${head}${fields ? goQuote(message) + fieldsText(fields) : withoutControls(message)}\n`
}

function fieldsText(fields: LogFields): string {
  let text = ''
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) text += ` ${key}=${valueText(value)}`
  return text
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return goQuote(value)
  if (value instanceof Error) return goQuote(value.message)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  // JSON escapes some control characters only
  return withoutControls(JSON.stringify(value))
}

/** A message may quote what a client has sent: it must not look like several lines of this log, nor steer a terminal. */
const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
  text.replace(/[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]/g, char => goQuote(char).slice(1, -1)).replace(/\n(?=[IWEF]\d{4} )/g, '\\n')
