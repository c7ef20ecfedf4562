/** `binnacle types`: writes TypeScript types for the kinds of CustomResourceDefinitions. */
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { readManifests } from '../../client/manifests.js'
import { flag } from '../../server/options/flag.js'
import { bool, string, stringArray } from '../../server/options/value-types.js'
import { isMap } from '../../util/members.js'
import { UserError } from '../../util/user-error.js'
import { clusterFlags } from '../flags/cluster-flags.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'

const section = 'Types'
export const typesFlags = {
  out: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    shorthand: 'o',
    help: 'File to write. Default: standard output.'
  }),
  group: flag<readonly string[]>({
    section,
    type: stringArray(),
    default: [],
    help: 'Group whose kinds are written. Repeat it for several. Default: all groups.'
  }),
  ...clusterFlags(section),
  help: flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help =
  (): string => `Writes TypeScript types for the kinds of CustomResourceDefinitions, with a constant for each kind that gives clients
these types: client.of(certificate).

Usage:
  binnacle types FILE|FOLDER|URL... [flags]   files with definitions, or - for standard input
  binnacle types [flags]                      the definitions of the cluster that the kubeconfig names

${flagsHelp(typesFlags, [section], Math.min(process.stdout.columns ?? 100, 120))}`

/** More than the largest file of definitions that is in use. */
const maxBytes = 64 * 1024 * 1024

export async function typesCommand(args: readonly string[]): Promise<void> {
  const isSource = (arg: string) => arg === '-' || !arg.startsWith('-')
  const firstFlag = args.findIndex(arg => !isSource(arg))
  const sources = firstFlag < 0 ? args : args.slice(0, firstFlag)
  const { values } = parseFlags(args.slice(sources.length), typesFlags)
  if (values.help) return void process.stdout.write(help())
  const { kubeconfig, context, group } = values
  const module = sources.length === 0 ? await ofCluster(kubeconfig, context, group) : await ofSources(sources, group)
  if (values.out === undefined) process.stdout.write(module)
  else writeFileSync(values.out, module)
}

async function ofSources(sources: readonly string[], groups: readonly string[]): Promise<string> {
  const objects: unknown[] = []
  for (const source of sources) objects.push(...(await readSource(source)))
  const { definitionTypes } = await import('../../client/typed/definition-types.js')
  return definitionTypes(objects.filter(object => groups.length === 0 || groups.includes(groupOf(object))))
}

const groupOf = (object: unknown): string =>
  isMap(object) && isMap(object.spec) && typeof object.spec.group === 'string' ? object.spec.group : ''

async function readSource(source: string): Promise<readonly unknown[]> {
  const content =
    source === '-' ? `${await text(process.stdin)}\n` : /^https?:\/\//.test(source) ? `${await download(source)}\n` : source
  return (await readManifests(content)).map(({ object }) => object)
}

async function download(url: string): Promise<string> {
  let answer: Response
  try {
    answer = await fetch(url)
  } catch (error) {
    throw new UserError(`${url}: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`)
  }
  if (!answer.ok) throw new UserError(`${url}: the answer is ${answer.status}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new UserError(`${url}: the answer has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function ofCluster(
  kubeconfig: string | undefined,
  context: string | undefined,
  groups: readonly string[]
): Promise<string> {
  const { connect } = await import('../../client/connect/connect.js')
  const { typesFromClient } = await import('../../client/typed/definition-types.js')
  const client = await connect({ kubeconfig, context, fieldManager: 'binnacle-types' })
  try {
    return await typesFromClient(client, groups.length === 0 ? {} : { groups })
  } catch (error) {
    throw error instanceof UserError ? error : new UserError((error as Error).message, { cause: error })
  } finally {
    await client.close()
  }
}
