/** `binnacle history` and `binnacle undelete`: what objects were, who changed them, and how to get them back. */
import { historyPath } from '../../apimachinery/request/history-path.js'
import type { KubeClient } from '../../client/types.js'
import { flag } from '../../server/options/flag.js'
import { bool, string } from '../../server/options/value-types.js'
import { isObject, type JsonObject } from '../../util/json.js'
import { UserError } from '../../util/user-error.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'
import { answer, sharedFlags, wordsOf } from './why.js'

const section = 'Why'
export const historyFlags = {
  ...sharedFlags,
  diff: flag({ section, type: bool, default: false, help: 'Shows what each version changed.' }),
  at: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'The time (2026-11-27T10:00:00Z) or resourceVersion to look back to.'
  }),
  selector: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    shorthand: 'l',
    help: 'Labels of the objects to list.'
  })
}
export const undeleteFlags = sharedFlags

const width = () => Math.min(process.stdout.columns ?? 100, 120)

const historyHelp = (): string => `Shows what objects were. The server keeps history with --history=24h.

Usage:
  binnacle history RESOURCE/NAME [--diff] [flags]                           the versions of an object: when, by whom
  binnacle history get RESOURCE[/NAME] --at TIME|RESOURCEVERSION [flags]    an object or a list as it was

${flagsHelp(historyFlags, [section], width())}`

const undeleteHelp =
  (): string => `Creates the last version of a deleted object anew. The server keeps history with --history=24h.

Usage:
  binnacle undelete RESOURCE/NAME [flags]

${flagsHelp(undeleteFlags, [section], width())}`

function placeIn([what = '', second, ...more]: readonly string[], needsName: boolean, usage: string) {
  const slash = what.indexOf('/')
  const [resource, name] = slash < 0 ? [what, second ?? ''] : [what.slice(0, slash), what.slice(slash + 1)]
  if (resource === '' || (needsName && name === '') || more.length > 0 || (slash >= 0 && second !== undefined))
    throw new UserError(`what is missing or too much: ${usage}`)
  return { resource, name }
}

async function asked(client: KubeClient, method: 'GET' | 'POST', path: string, body?: object): Promise<JsonObject> {
  const url = historyPath + path
  const { statusError } = await import('../explain/cluster-reader.js')
  const { status, body: bytes } = await client.request({
    method,
    url,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  const text = bytes.toString()
  if (status < 300) return JSON.parse(text)
  const error = statusError(status, text)
  if (status === 404 && error.status.reason !== 'NotFound')
    throw new UserError(`the server has no history: it is no Binnacle of this version`)
  throw error
}

export async function historyCommand(args: readonly string[]): Promise<void> {
  const { words, rest } = wordsOf(args, historyFlags)
  const { values } = parseFlags(rest, historyFlags)
  if (values.help) return void process.stdout.write(historyHelp())
  const isGet = words[0] === 'get'
  const usage = isGet ? 'binnacle history get RESOURCE[/NAME] --at TIME|RESOURCEVERSION' : 'binnacle history RESOURCE/NAME'
  const { resource, name } = placeIn(isGet ? words.slice(1) : words, !isGet, usage)
  if (isGet && values.at === undefined) throw new UserError(`--at is missing: ${usage}`)
  await answer(values, async client => {
    const namespace = values['all-namespaces'] ? '' : (values.namespace ?? client.namespace)
    const query = new URLSearchParams({ resource, namespace, ...(name !== '' && { name }) })
    if (!isGet) {
      if (values.diff) query.set('diff', 'true')
      const value = await pages(client, 'versions', query, 'versions')
      return { value, text: () => versionsText(value) }
    }
    query.set(/^\d+$/.test(values.at!) ? 'resourceVersion' : 'at', values.at!)
    if (values.selector !== undefined) query.set('labelSelector', values.selector)
    const value = name === '' ? await pages(client, 'objects', query, 'items') : await asked(client, 'GET', `objects?${query}`)
    const { emitYaml } = await import('../../apimachinery/formats/yaml-emit.js')
    return { value, text: () => emitYaml(value) }
  })
}

/** Reads all pages of a list as one. */
async function pages(client: KubeClient, path: string, query: URLSearchParams, list: string): Promise<JsonObject> {
  const all: unknown[] = []
  for (;;) {
    const page = await asked(client, 'GET', `${path}?${query}`)
    for (const item of page[list] as unknown[]) all.push(item)
    const metadata = isObject(page.metadata) ? page.metadata : undefined
    const next = (page.continue ?? metadata?.continue) as string | undefined
    const { continue: _, ...rest } = page
    if (!next) return { ...rest, [list]: all }
    query.set('continue', next)
  }
}

function versionsText(value: JsonObject): string {
  const { versions, history } = value as unknown as {
    versions: readonly Readonly<Record<string, string>>[]
    history: Readonly<Record<string, string>>
  }
  const rows = versions.map(({ time, resourceVersion, change, user, manager, operation, subresource, diff }) => {
    const by = manager === undefined ? '' : `  ${manager} (${operation}${subresource ? ` ${subresource}` : ''})`
    const line = `${time ?? 'time unknown'}  ${resourceVersion}  ${change}  ${user ?? '-'}${by}`
    return diff ? `${line}\n${diff}` : `${line}\n`
  })
  const end = history.since === undefined ? '' : `history since ${history.since}${history.note ? `. ${history.note}` : ''}\n`
  return rows.join('') + end
}

export async function undeleteCommand(args: readonly string[]): Promise<void> {
  const { words, rest } = wordsOf(args, undeleteFlags)
  const { values } = parseFlags(rest, undeleteFlags)
  if (values.help) return void process.stdout.write(undeleteHelp())
  const { resource, name } = placeIn(words, true, 'binnacle undelete RESOURCE/NAME')
  await answer(values, async client => {
    const value = await asked(client, 'POST', 'undelete', { resource, name, namespace: values.namespace ?? client.namespace })
    const { missingOwners = [], formerVersion } = value as {
      missingOwners?: { kind: string; name: string }[]
      formerVersion?: string
    }
    const owners = missingOwners.map(owner => `its owner ${owner.kind}/${owner.name} is gone: it has that owner no more\n`)
    return { value, text: () => `${resource}/${name} is back as of version ${formerVersion}\n${owners.join('')}` }
  })
}
