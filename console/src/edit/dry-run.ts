import { type Diagnostic, linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import type { YAMLError } from 'yaml'
import { ApiError } from '../api/error.js'
import type { Status } from '../api/types.js'
import { placeOf, placesOf } from './node-ranges.js'
import { parseYaml } from './yaml-text.js'

/** Marks what the server would refuse. `dryRun` sends the text, and rejects with its answer. */
export const validation = (dryRun: (text: string, signal: AbortSignal) => Promise<unknown>): Extension => {
  let running = new AbortController()
  return linter(
    async view => {
      running.abort()
      running = new AbortController()
      const text = view.state.doc.toString()
      const broken = syntaxErrors(text)
      if (broken.length > 0) return broken
      try {
        await dryRun(text, running.signal)
        return []
      } catch (error) {
        // a conflict is no mistake in the text
        return error instanceof ApiError && error.code !== 409 && error.code !== 0 ? diagnosticsOf(text, error) : []
      }
    },
    { delay: 600 }
  )
}

const syntaxErrors = (text: string): Diagnostic[] =>
  parseYaml(text).errors.map((error: YAMLError) => ({
    from: Math.min(error.pos[0], text.length),
    to: Math.min(error.pos[1], text.length),
    severity: 'error',
    message: error.message
  }))

/** Where the errors of an answer belong in a text; what has no place belongs to the first line. */
export function diagnosticsOf(text: string, { message, status }: Pick<ApiError, 'message' | 'status'>): Diagnostic[] {
  const places = placesOf(text)
  return problemsOf(message, status).map(({ field, message }) => {
    const place = field ? placeOf(places, field) : undefined
    const from = place?.from ?? 0
    const end = text.indexOf('\n', from)
    return { from, to: end < 0 ? text.length : end, severity: 'error', message }
  })
}

function problemsOf(message: string, status: Status | undefined): { field?: string; message: string }[] {
  const causes = status?.details?.causes ?? []
  if (causes.length > 0)
    return causes.map(({ field, message = '' }) => (field ? { field, message: `${field}: ${message}` } : { message }))
  // errors of strict decoding have no causes, and name the fields in quotes
  const fields = [...message.matchAll(/(unknown|duplicate) field "([^"]+)"/g)]
  return fields.length > 0 ? fields.map(([text, , field]) => ({ field: field!, message: text })) : [{ message }]
}
