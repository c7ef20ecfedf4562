/** `binnacle who-can`: lists who may make a request, and through which bindings. */
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'
import { answer, namespaceOf, requestIn, sharedFlags, wordsOf } from './why.js'

export const whoCanFlags = sharedFlags

const usage = 'binnacle who-can VERB RESOURCE[/NAME]'
const help =
  (): string => `Lists who may make a request, and through which bindings and roles. You need to be allowed to list these.

Usage:
  ${usage} [flags]
  binnacle who-can VERB /PATH [flags]

${flagsHelp(whoCanFlags, ['Why'], Math.min(process.stdout.columns ?? 100, 120))}`

export async function whoCanCommand(args: readonly string[]): Promise<void> {
  const { words, rest } = wordsOf(args, whoCanFlags)
  const { values } = parseFlags(rest, whoCanFlags)
  if (values.help) return void process.stdout.write(help())
  const request = requestIn(words, `${usage}; see binnacle who-can --help`)
  await answer(values, async client => {
    const { askSubjects } = await import('../explain/ask.js')
    const { subjectsText } = await import('../explain/show.js')
    const value = await askSubjects(client, request(namespaceOf(client, values)))
    return { value, text: () => subjectsText(value) }
  })
}
