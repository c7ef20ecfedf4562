/** `binnacle why`: explains why a server answers as it does. */
import { readManifests } from '../../client/manifests.js'
import type { KubeClient } from '../../client/types.js'
import { type Flags, flag } from '../../server/options/flag.js'
import { bool, oneOf, string, stringArray } from '../../server/options/value-types.js'
import type { JsonObject } from '../../util/json.js'
import { UserError } from '../../util/user-error.js'
import { clusterFlags } from '../flags/cluster-flags.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'

const section = 'Why'
/** Flags that `why` and `who-can` have. */
export const sharedFlags = {
  namespace: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    shorthand: 'n',
    help: 'Namespace. Default: that of the context, or default.'
  }),
  'all-namespaces': flag({
    section,
    type: bool,
    default: false,
    shorthand: 'A',
    help: 'Asks about all namespaces at once.'
  }),
  output: flag({
    section,
    type: oneOf(['text', 'json']),
    default: 'text',
    shorthand: 'o',
    help: 'Form of the answer.'
  }),
  ...clusterFlags(section),
  help: flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

export const whyFlags = {
  as: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'User whose request it is. Default: you.'
  }),
  'as-group': flag<readonly string[]>({
    section,
    type: stringArray(),
    default: [],
    help: 'Group of that user. Repeat it for several. Default: those of every user who has logged in.'
  }),
  request: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'Number or Audit-Id of a recorded request.'
  }),
  'last-denied': flag({ section, type: bool, default: false, help: 'The last recorded request that was refused.' }),
  filename: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    shorthand: 'f',
    help: 'File with the object, or - for standard input.'
  }),
  ...sharedFlags
}

const help = (): string => `Explains why a server answers as it does.

Usage:
  binnacle why VERB RESOURCE[/NAME] [flags]    why a request is allowed or refused, and what would allow it
  binnacle why VERB /PATH [flags]              the same for a path outside the API
  binnacle why denied [--request ID]           why a request was refused: the last one, or any that is recorded
  binnacle why deleting RESOURCE/NAME          why an object does not go away
  binnacle why field RESOURCE/NAME [FIELD]     who owns a field, since when
  binnacle why admission -f FILE               what plugins, policies and webhooks do with an object, in a dry run
  binnacle why cost -f FILE|NAME               what the rules of a definition cost, and which limits would help

${flagsHelp(whyFlags, [section], Math.min(process.stdout.columns ?? 100, 120))}`

type Values = ReturnType<typeof parseFlags<typeof whyFlags>>['values']

/** Splits a command line into its words, and its flags with their values, wherever these stand. */
export function wordsOf(
  args: readonly string[],
  flags: Flags
): { readonly words: readonly string[]; readonly rest: readonly string[] } {
  const words: string[] = []
  const rest: string[] = []
  const queue = [...args]
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg)
      continue
    }
    rest.push(arg)
    const name = arg.startsWith('--') ? arg.slice(2) : Object.keys(flags).find(name => `-${flags[name]!.shorthand}` === arg)
    const known = name !== undefined && Object.hasOwn(flags, name) ? flags[name] : undefined
    const value = known && known.type.implicit === undefined ? queue.shift() : undefined
    if (value !== undefined) rest.push(value)
  }
  return { words, rest }
}

export async function whyCommand(args: readonly string[]): Promise<void> {
  const { words, rest } = wordsOf(args, whyFlags)
  const { values } = parseFlags(rest, whyFlags)
  if (values.help) return void process.stdout.write(help())
  if (words[0] === 'cost' && values.filename !== undefined) return print(values.output, await costOf(await objectOf(values)))
  const isOfRequest = values.request !== undefined || values['last-denied']
  const explain = isOfRequest ? denied : (topics.get(words[0] ?? '') ?? request)
  await answer(values, await explain(words, values))
}

/** An explanation, and its text. */
export interface Explained {
  readonly value: object
  text(): string
}

/** Connects, explains and prints. */
export async function answer(
  { kubeconfig, context, output }: Pick<Values, 'kubeconfig' | 'context' | 'output'>,
  explain: (client: KubeClient) => Promise<Explained>
): Promise<void> {
  const { connect } = await import('../../client/connect/connect.js')
  const client = await connect({ kubeconfig, context, fieldManager: 'binnacle-why' })
  try {
    await print(output, await explain(client))
  } catch (error) {
    throw error instanceof UserError ? error : new UserError((error as Error).message, { cause: error })
  } finally {
    await client.close()
  }
}

async function print(output: string, { value, text }: Explained): Promise<void> {
  const { visible } = await import('../explain/show.js')
  process.stdout.write(output === 'json' ? `${JSON.stringify(value, undefined, 2)}\n` : visible(text()))
}

/** Reads the words of the command line, before there is a cluster to ask, and returns what asks it. */
type Explain = (words: readonly string[], values: Values) => Ask | Promise<Ask>
type Ask = (client: KubeClient) => Promise<Explained>

/** The namespace that a command is about; none for all of them. */
export const namespaceOf = (client: KubeClient, values: Pick<Values, 'namespace' | 'all-namespaces'>): string =>
  values['all-namespaces'] ? '' : (values.namespace ?? client.namespace)

/** Reads `VERB RESOURCE[/NAME]`, `VERB RESOURCE NAME` or `VERB /PATH`. A slash stands before a name; subresources are pods/NAME/log. */
export function requestIn(words: readonly string[], usage: string): (namespace: string) => JsonObject {
  const [verb, what, more, ...others] = words
  if (verb === undefined || what === undefined || others.length > 0) throw new UserError(`what is missing or too much: ${usage}`)
  if (what.startsWith('/')) return () => ({ verb, path: what })
  const [resource = '', name = more ?? '', ...subresource] = what.split('/')
  return namespace => ({ verb, resource, name, subresource: subresource.join('/'), namespace })
}

const request: Explain = (words, values) => {
  const asked = requestIn(words, 'binnacle why VERB RESOURCE[/NAME]; see binnacle why --help')
  const groups = values['as-group']
  return async client => {
    const { askAccess } = await import('../explain/ask.js')
    const { accessText } = await import('../explain/show.js')
    const value = await askAccess(client, {
      ...asked(namespaceOf(client, values)),
      ...(values.as === undefined ? {} : { user: values.as }),
      ...(groups.length === 0 ? {} : { groups })
    })
    return { value, text: () => accessText(value) }
  }
}

const denied: Explain = (_, values) => async client => {
  const { askAccess } = await import('../explain/ask.js')
  const { accessText } = await import('../explain/show.js')
  const value = await askAccess(client, { request: values.request ?? 'last-denied' })
  return { value, text: () => accessText(value) }
}

/** Reads `RESOURCE/NAME` or `RESOURCE NAME`; what follows is returned as well. */
function objectIn(words: readonly string[], usage: string) {
  const [, what = '', ...rest] = words
  const slash = what.indexOf('/')
  const [resource, name, ...more] = slash < 0 ? [what, ...rest] : [what.slice(0, slash), what.slice(slash + 1), ...rest]
  if (!resource || !name) throw new UserError(`the object is missing: ${usage}`)
  return { resource, name, more }
}

const deleting: Explain = (words, values) => {
  const { resource, name } = objectIn(words, 'binnacle why deleting RESOURCE/NAME')
  return async client => {
    const { askDeletion } = await import('../explain/ask.js')
    const { deletionText } = await import('../explain/show.js')
    const value = await askDeletion(client, { resource, name, namespace: namespaceOf(client, values) })
    return { value, text: () => deletionText(`${resource}/${name}`, value) }
  }
}

const field: Explain = (words, values) => {
  const { resource, name, more } = objectIn(words, 'binnacle why field RESOURCE/NAME [FIELD]')
  return async client => {
    const { askFields } = await import('../explain/ask.js')
    const { fieldsText } = await import('../explain/show.js')
    const object = { resource, name, namespace: namespaceOf(client, values) }
    const value = await askFields(client, { ...object, ...(more[0] === undefined ? {} : { field: more[0] }) })
    return { value, text: () => fieldsText(value.fields) }
  }
}

const admission: Explain = async (_, values) => {
  const object = await objectOf(values)
  return async client => {
    const { askAdmission } = await import('../explain/ask.js')
    const { admissionText } = await import('../explain/show.js')
    const value = await askAdmission(client, { object, namespace: namespaceOf(client, values) })
    return { value, text: () => admissionText(value) }
  }
}

async function objectOf({ filename }: Values): Promise<JsonObject> {
  if (filename === undefined) throw new UserError('-f is missing: a file with the object, or -')
  const { text } = await import('node:stream/consumers')
  const manifests = await readManifests(filename === '-' ? `${await text(process.stdin)}\n` : filename)
  if (manifests.length !== 1) throw new UserError(`${filename} has ${manifests.length} objects: one is explained at a time`)
  return manifests[0]!.object as unknown as JsonObject
}

const cost: Explain = ([, name]) => {
  if (name === undefined) throw new UserError('the definition is missing: binnacle why cost NAME, or -f FILE')
  return async client => {
    const { readDefinition } = await import('../explain/ask.js')
    return costOf(await readDefinition(client, name.replace(/^.*\//, '')))
  }
}

/** What the rules of a definition cost needs no server. */
async function costOf(definition: JsonObject): Promise<Explained> {
  const { expressionsText } = await import('../explain/show.js')
  const { explainExpressions } = await import('../../apiserver/explain/expressions.js')
  const value = await explainExpressions({ definition })
  return { value, text: () => expressionsText(value) }
}

const topics: ReadonlyMap<string, Explain> = new Map([
  ['denied', denied],
  ['deleting', deleting],
  ['field', field],
  ['admission', admission],
  ['cost', cost]
])
