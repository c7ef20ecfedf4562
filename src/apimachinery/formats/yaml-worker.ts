/** The worker side of yaml-thread.ts. */
import { parentPort } from 'node:worker_threads'
import { readYamlAsJson } from './yaml-json.js'
import { YamlError, YamlLimitError } from './yaml-parse.js'

export interface YamlTask {
  readonly text: string
}

export type YamlOutcome =
  | { readonly json: string; readonly duplicates: readonly string[] }
  /** An error in the text. */
  | { readonly problem: string }
  | { readonly limit: number; readonly what: string }
  /** A failure of the parser. */
  | { readonly failure: string }

// a text may have a hundred thousand mistakes, of which nobody sees the stack
Error.stackTraceLimit = 0

parentPort!.on('message', ({ text }: YamlTask) => parentPort!.postMessage(outcomeOf(text)))

function outcomeOf(text: string): YamlOutcome {
  try {
    return readYamlAsJson(text)
  } catch (error) {
    if (error instanceof YamlLimitError) return { limit: error.limit, what: error.what }
    return error instanceof YamlError ? { problem: error.message } : { failure: String(error) }
  }
}
