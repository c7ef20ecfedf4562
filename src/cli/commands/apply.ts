/** `binnacle apply --atomic`: applies the objects of manifests, all of them or none. */
import { text } from 'node:stream/consumers'
import type { Status } from '../../apimachinery/status/status.js'
import type { ClusterClient } from '../../client/cluster-client.js'
import { type Manifest, readManifests } from '../../client/manifests.js'
import { setRequest } from '../../client/set-request.js'
import type { SetResult } from '../../client/types.js'
import { flag } from '../../server/options/flag.js'
import { bool, oneOf, string, stringArray } from '../../server/options/value-types.js'
import { exactJson } from '../../util/exact-json.js'
import { UserError } from '../../util/user-error.js'
import { clusterFlags } from '../flags/cluster-flags.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'

const section = 'Apply'
const validations = { strict: 'Strict', warn: 'Warn', ignore: 'Ignore' } as const
export const applyFlags = {
  atomic: flag({
    section,
    type: bool,
    default: false,
    help: 'Writes all objects or none, at one resource version. Required.'
  }),
  filename: flag<readonly string[]>({
    section,
    type: stringArray(),
    default: [],
    shorthand: 'f',
    help: 'File or folder with manifests, or - for standard input. Repeat it for several.'
  }),
  'dry-run': flag({
    section,
    type: oneOf(['none', 'server']),
    default: 'none',
    help: 'With "server", everything is checked and nothing is written.'
  }),
  'field-manager': flag({
    section,
    type: string,
    default: 'binnacle',
    help: 'Name of the manager of the applied fields.'
  }),
  'force-conflicts': flag({
    section,
    type: bool,
    default: false,
    help: 'Takes over fields that other managers have.'
  }),
  namespace: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    shorthand: 'n',
    help: 'Namespace of objects that name none. Default: that of the context, or default.'
  }),
  validate: flag<keyof typeof validations>({
    section,
    type: oneOf(['strict', 'warn', 'ignore']),
    default: 'strict',
    help: 'What to do about fields that do not exist.'
  }),
  ...clusterFlags(section),
  help: flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help = (): string => `Applies manifests all or nothing (server-side apply): either all objects are written, at one resource
version, or none is. The objects go through admission in the order given, and each sees those before it.

Usage:
  binnacle apply --atomic -f FILE [flags]

${flagsHelp(applyFlags, [section], Math.min(process.stdout.columns ?? 100, 120))}`

export async function applyCommand(args: readonly string[]): Promise<void> {
  const { values } = parseFlags(args, applyFlags)
  if (values.help) return void process.stdout.write(help())
  if (!values.atomic)
    throw new UserError('--atomic is missing: binnacle apply writes all objects or none; kubectl apply writes one by one')
  if (values.filename.length === 0) throw new UserError('-f is missing: a file or folder with manifests, or -')
  const { connect } = await import('../../client/connect/connect.js')
  const client = await connect({ kubeconfig: values.kubeconfig, context: values.context, fieldManager: 'binnacle-apply' })
  const manifests = await readAll(values.filename)
  if (manifests.length === 0) throw new UserError('the files have no objects')
  const isDryRun = values['dry-run'] === 'server'
  const { url, body } = setRequest(
    manifests.map(({ object }) => ({ object })),
    {
      namespace: values.namespace ?? client.namespace,
      dryRun: isDryRun,
      fieldManager: values['field-manager'],
      force: values['force-conflicts'],
      fieldValidation: validations[values.validate]
    }
  )
  const { items } = await post(client, url, body, manifests).finally(() => client.close())
  for (const [i, { object }] of manifests.entries()) {
    for (const warning of items[i]?.warnings ?? []) process.stderr.write(`Warning: ${warning}\n`)
    process.stdout.write(`${nameOf(object)} serverside-applied${isDryRun ? ' (server dry run)' : ''}\n`)
  }
}

async function readAll(files: readonly string[]): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  for (const file of files) manifests.push(...(await readManifests(file === '-' ? `${await text(process.stdin)}\n` : file)))
  return manifests
}

/** Names an object as kubectl does: "deployment.apps/web". */
function nameOf({ apiVersion, kind, metadata }: Manifest['object']): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : ''
  return `${kind.toLowerCase()}${group}/${metadata.name}`
}

async function post(client: ClusterClient, url: string, body: unknown, manifests: readonly Manifest[]): Promise<SetResult> {
  const headers = { 'content-type': 'application/json' }
  const { status, body: content } = await client
    .request({ method: 'POST', url, headers, body: exactJson(body) })
    .catch((error: Error) => {
      throw error instanceof UserError ? error : new UserError(error.message, { cause: error })
    })
  if (status < 300) return JSON.parse(content.toString()) as SetResult
  throw refusal(status, content.toString(), manifests)
}

/** Words a refusal: it names every refused object and its place. */
function refusal(code: number, content: string, manifests: readonly Manifest[]): UserError {
  let status: Status
  try {
    status = JSON.parse(content)
  } catch {
    return new UserError(`the server answered ${code}: ${content.trim().slice(0, 500)}`)
  }
  const objects = (status.details?.causes ?? []).flatMap(({ field, message }) => {
    const index = /^entries\[(\d+)\]$/.exec(field ?? '')?.[1]
    return index === undefined ? [] : [`${manifests[Number(index)]?.place ?? field}: ${message}`]
  })
  if (code === 404 && objects.length === 0) return new UserError('the server has no sets: is it a Binnacle of this version?')
  if (objects.length === 0) return new UserError(status.message ?? `the server answered ${code}`)
  for (const line of objects) process.stderr.write(`${line}\n`)
  return new UserError(`nothing was written, because ${objects.length} of ${manifests.length} objects were refused`)
}
