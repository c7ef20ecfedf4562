/** `binnacle serve --validate-config`: names every mistake in flags, in the configuration file and in the files that they name. */

import type { ServerOptions } from '../../server/options.js'
import { processesOf } from '../../server/workers/settings.js'
import { UserError } from '../../util/user-error.js'
import { errorLine } from '../error-line.js'
import type { ServeValues } from '../flags/serve-flags.js'
import { serverOptions } from '../serve-options.js'

export interface Given {
  readonly values: ServeValues
  /** Where flags stand that a file gives. */
  readonly places: ReadonlyMap<string, string>
  /** What is wrong with flags and values as they are written. */
  readonly mistakes: readonly UserError[]
}

/** Writes a line for each mistake. Returns whether there is none. */
export async function validateConfig({ values, places, mistakes }: Given): Promise<boolean> {
  const lines = mistakes.map(({ message }) => message)
  const report = (message: string, flags: readonly string[]) => {
    const place = flags.map(flag => places.get(flag)).find(found => found !== undefined)
    lines.push(place === undefined ? message : `${message} (${place})`)
  }
  const options = optionsOf(values, report)
  if (options) {
    const { configurationProblems } = await import('../../server/diagnosis/configuration.js')
    for (const { message, flags } of await configurationProblems(options)) report(message, flags)
  }
  for (const line of lines) process.stderr.write(`binnacle: ${errorLine(new UserError(line))}\n`)
  if (lines.length === 0) process.stdout.write('The configuration is valid.\n')
  return lines.length === 0
}

/** Flags that are read before there are options, with the values with which they say nothing. */
const unsaid = { 'feature-gates': [], workers: 1, 'admission-control': undefined } as const

/** Returns undefined where no options can be made. */
function optionsOf(values: ServeValues, report: (message: string, flags: readonly string[]) => void): ServerOptions | undefined {
  try {
    const options = serverOptions(values)
    processesOf(values.workers, options)
    return options
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const wrong = (Object.keys(unsaid) as (keyof typeof unsaid)[]).find(name => error.message.includes(name))
    report(error.message, wrong === undefined ? [] : [wrong])
    return wrong === undefined ? undefined : optionsOf({ ...values, [wrong]: unsaid[wrong] }, report)
  }
}
