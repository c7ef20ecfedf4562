/** Former versions of objects over HTTP (docs/history.md): what they were, who made them so, and how to get them back. */

import type { ManagedFieldsEntry, ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import { emitYaml } from '../../apimachinery/formats/yaml-emit.js'
import type { UnionAuthorizer } from '../../apimachinery/request/authorization.js'
import { aboutResource } from '../../apimachinery/request/authorization.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { historyPath } from '../../apimachinery/request/history-path.js'
import { chained } from '../../apimachinery/request/stage.js'
import { type LabelMatcher, parseLabelSelector } from '../../apimachinery/selectors/labels.js'
import { alreadyExists, badRequest, expired, methodNotAllowed, notFound, StatusError } from '../../apimachinery/status/status.js'
import { refusal } from '../../auth/authorization/refusal.js'
import type { Resource } from '../../registry/resource.js'
import { CompactedError, FutureRevisionError, type KeyValue } from '../../storage/contract.js'
import { isEncrypted } from '../../storage/encryption/transformer.js'
import type { HistoryStore } from '../../storage/history-store.js'
import { exactJson, parseExact } from '../../util/exact-json.js'
import type { JsonObject } from '../../util/json.js'
import { takingTurns } from '../../util/turns.js'
import { unifiedDiff } from '../../util/unified-diff.js'
import { createDispatch, type PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import { pageNotFound } from '../endpoints/route-rules.js'
import { findResource, nearResource } from '../explain/resource-names.js'
import { namesOf } from '../explain/server-reader.js'
import { parseBody } from '../own-paths/body.js'
import { wrongField, wrongState } from '../own-paths/errors.js'
import { ownDocument } from '../own-paths/own-document.js'
import { contextOf, type MemberParts } from '../sets/member.js'
import { getRoutes, undeleteBody, undeleteRoute } from './routes.js'
import { versionsOf } from './versions.js'

export interface HistoryParts {
  /** Undefined for a server that keeps no history. */
  readonly history: HistoryStore | undefined
  readonly authorizer: Pick<UnionAuthorizer, 'authorize'>
  readonly member: MemberParts
}

type Query = Readonly<Record<string, string>>

/** What a request is about, and what it may ask for. */
interface Place {
  readonly resource: Resource
  readonly namespace: string
  readonly name: string
}

const maxBody = 64 * 1024
const maxVersions = 100
const maxObjects = 500

/** `parts` is called for each request, because the chain is made of the paths, among others. */
export const historyHandlers = (parts: () => HistoryParts): PathHandler[] => [
  {
    path: historyPath,
    async handle(context) {
      const name = context.info.path.slice(historyPath.length)
      const { method } = context.request
      const allowed = name === 'undelete' ? 'POST' : 'GET'
      if (!['openapi.json', 'versions', 'objects', 'undelete'].includes(name)) return pageNotFound()
      if (method !== allowed) throw new StatusError(methodNotAllowed().status, { allow: allowed })
      if (name === 'openapi.json') return json(document())
      const given = parts()
      if (!given.history) throw wrongState('the server keeps no history: --history=24h (option history) lets it')
      try {
        if (name === 'versions') return json(await versions(context, queryOf(context, name), given, given.history))
        if (name === 'objects') return json(await objects(context, queryOf(context, name), given, given.history))
        return await undelete(context, given, given.history)
      } catch (error) {
        if (error instanceof CompactedError) throw expired(`the history begins ${beginning(given.history)}`)
        if (error instanceof FutureRevisionError) throw wrongField('resourceVersion', `the newest is ${error.currentRevision}`)
        throw error
      }
    }
  }
]

const json = (value: object, code = 200) => respondBytes(code, 'application/json', Buffer.from(`${exactJson(value)}\n`))

const document = (): object =>
  ownDocument(
    {
      title: 'Binnacle history',
      version: 'v1',
      description:
        'Former versions of objects. Clients need the verbs get and post for the paths (nonResourceURLs), and the permission now to get or list what they ask for.',
      root: historyPath
    },
    [...getRoutes, undeleteRoute]
  )

function queryOf({ query }: RequestContext, path: string): Query {
  const known = new Set(getRoutes.find(route => route.path === path)!.query!.map(({ name }) => name))
  const found: Record<string, string> = Object.create(null)
  for (const [name, value] of query) {
    if (!known.has(name)) throw wrongField(name, `is not known; there are ${[...known].join(', ')}`)
    found[name] = value
  }
  return found
}

const beginning = (history: HistoryStore): string => {
  const { since } = history
  return since ? `at resourceVersion ${since.revision}, ${new Date(since.time).toISOString()}` : 'with the next write'
}

const windowOf = (history: HistoryStore) => {
  const { since, forgetsItself, window } = history
  return {
    ...(since && { since: new Date(since.time).toISOString(), sinceVersion: String(since.revision) }),
    seconds: Math.round(window.age / 1000),
    bytes: window.bytes,
    ...(forgetsItself && {
      note: 'The compaction of etcd limits the history: --etcd-compaction-interval, and that of other programs.'
    })
  }
}

/** Finds the resource of a request, and asks whether its user may get or list there now. */
async function placeOf(
  context: RequestContext,
  { group, resource: written, namespace = '', name = '' }: Query,
  parts: HistoryParts,
  verb?: string
): Promise<Place> {
  const { authorizer, member } = parts
  const { registry } = member.services
  if (!written) throw wrongField('resource', 'is required')
  const all = [...registry.all()].filter(({ versions, kind }) => versions.size > 0 && !kind.virtual && !kind.computed)
  const names = all.map(resource => ({ ...namesOf(resource), of: resource }))
  const text = group === undefined ? written : group === '' ? written : `${written}.${group}`
  const found = findResource(group === '' ? names.filter(one => one.group === '') : names, text)
  // the same for what is not there and what may not be read: the names of resources are no secret of those who may ask discovery
  const about = aboutResource({
    user: context.user,
    verb: verb ?? (name === '' ? 'list' : 'get'),
    group: found?.group ?? group ?? '',
    version: found?.version ?? '*',
    resource: found?.resource ?? written,
    namespace: found?.resource === 'namespaces' && found.group === '' ? name : found?.namespaced === false ? '' : namespace,
    name
  })
  const { allowed, reason } = await authorizer.authorize(about)
  if (!allowed) throw refusal(about, reason)
  if (!found) {
    const near = nearResource(names, written)
    throw wrongField(
      'resource',
      `the server has no resource ${text}${near === undefined ? '' : `; did you mean ${near}?`} What definitions that are gone defined is not shown`
    )
  }
  const of = registry.resource(found.group, found.resource)
  if (of.namespaced && name !== '' && namespace === '')
    throw wrongField('namespace', `is required: ${found.resource} are in namespaces`)
  return { resource: of, namespace: of.namespaced ? namespace : '', name }
}

const onlyEncrypted = 'former versions of Secrets are shown only where they are encrypted at rest (--encryption-provider-config)'

/** Whether a version may be shown at all: one of a Secret only if the engine has it encrypted. */
async function isShown({ resource }: Pick<Place, 'resource'>, history: HistoryStore, state: KeyValue): Promise<boolean> {
  if (resource.group !== '' || resource.resource !== 'secrets') return true
  const raw = await history.get(state.key, { revision: state.modRevision })
  return raw !== undefined && isEncrypted(raw.value)
}

interface Shown {
  readonly metadata: ObjectMeta
}

async function versions(context: RequestContext, query: Query, parts: HistoryParts, history: HistoryStore): Promise<object> {
  if (!query.name) throw wrongField('name', 'is required')
  const place = await placeOf(context, query, parts)
  const { resource, namespace, name } = place
  const limit = numberOf(query, 'limit', maxVersions, maxVersions)
  const before = numberOf(query, 'continue', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  const from = history.since?.revision ?? history.seenRevision
  const found = await versionsOf(resource, resource.key(namespace, name), { from, before, limit, signal: context.signal })
  if (found.length === 0) throw notFound(resource.groupResource, name)
  const turn = takingTurns()
  const items: object[] = []
  let older: Shown | undefined
  let olderLines: readonly string[] = []
  // from the oldest on, because each is compared with the one before
  for (const { revision, state } of found.toReversed()) {
    const isHidden = state !== undefined && !(await isShown(place, history, state))
    if (isHidden && resource.resource === 'secrets') throw wrongState(onlyEncrypted)
    const object: Shown | undefined = state && resource.past(state.value, revision)
    const by = await history.writtenAt(revision)
    const manager = object && newestManager(object, older)
    const lines = query.diff === 'true' ? linesOf(object) : olderLines
    items.push({
      resourceVersion: String(revision),
      change: object ? (older ? 'updated' : state!.version === 1 ? 'created' : 'known') : 'deleted',
      ...(by && { time: new Date(by.time).toISOString(), ...(by.user !== '' && { user: by.user }) }),
      ...(object?.metadata.uid !== undefined && { uid: object.metadata.uid }),
      ...(manager && {
        manager: manager.manager,
        operation: manager.operation,
        ...(manager.subresource && { subresource: manager.subresource })
      }),
      ...(query.diff === 'true' && { diff: differenceOf(olderLines, lines) })
    })
    older = object
    olderLines = lines
    await turn()
  }
  const hasMore = found.length > limit
  const shown = items.slice(hasMore ? 1 : 0).reverse()
  return {
    resource: resource.resource,
    group: resource.group,
    namespace,
    name,
    history: windowOf(history),
    versions: shown,
    ...(hasMore && { continue: String(found[limit - 1]!.revision) })
  }
}

/** The entry of managedFields that a write made or changed: the newest that the version before did not have. */
function newestManager({ metadata }: Shown, older: Shown | undefined): ManagedFieldsEntry | undefined {
  const before = new Set(older?.metadata.managedFields?.map(entry => exactJson(entry)))
  const changed = (metadata.managedFields ?? []).filter(entry => !before.has(exactJson(entry)))
  return changed.reduce<ManagedFieldsEntry | undefined>((a, b) => (a && (a.time ?? '') > (b.time ?? '') ? a : b), undefined)
}

/** The most lines of a text that is compared: a comparison may take time in proportion to their square. */
const maxLines = 2000

const differenceOf = (a: readonly string[], b: readonly string[]): string =>
  Math.max(a.length, b.length) > maxLines ? `longer than ${maxLines} lines: not compared` : unifiedDiff(a, b)

/** The YAML of an object, without what changes with every write. */
function linesOf(object: Shown | undefined): string[] {
  if (!object) return []
  const { managedFields: _, resourceVersion: __, ...metadata } = object.metadata
  return emitYaml({ ...object, metadata })
    .trimEnd()
    .split('\n')
}

function numberOf(query: Query, name: string, fallback: number, most: number): number {
  const text = query[name]
  if (text === undefined || text === '') return fallback
  if (!/^[1-9]\d{0,15}$/.test(text)) throw wrongField(name, 'must be a positive number')
  return Math.min(Number(text), most)
}

/** Reads `at` or `resourceVersion`. */
async function revisionOf(query: Query, history: HistoryStore): Promise<number> {
  const { at, resourceVersion } = query
  if ((at === undefined) === (resourceVersion === undefined)) throw wrongField('at', 'either at or resourceVersion is required')
  if (resourceVersion !== undefined) return numberOf(query, 'resourceVersion', 0, Number.MAX_SAFE_INTEGER)
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(at!) ? Date.parse(at!) : Number.NaN
  if (Number.isNaN(time)) throw wrongField('at', 'must be a time such as 2026-11-27T10:00:00Z')
  return history.revisionAt(time)
}

async function objects(context: RequestContext, query: Query, parts: HistoryParts, history: HistoryStore): Promise<object> {
  const place = await placeOf(context, query, parts)
  const { resource, namespace, name } = place
  const [token, from] = tokenOf(query.continue)
  const revision = token ?? (await revisionOf(query, history))
  const { since } = history
  if (since && revision < since.revision) throw new CompactedError(since.revision)
  if (name !== '') {
    const state = await resource.store.get(resource.prefix + resource.key(namespace, name), { revision })
    if (!state) throw notFound(resource.groupResource, name)
    if (!(await isShown(place, history, state))) throw wrongState(onlyEncrypted)
    return resource.past(state.value, state.modRevision)
  }
  const matches = selectorOf(query.labelSelector)
  const limit = numberOf(query, 'limit', maxObjects, maxObjects)
  const prefix = resource.prefix + (namespace === '' ? '' : `${namespace}/`)
  const items: object[] = []
  const turn = takingTurns()
  let start = from === undefined ? undefined : resource.prefix + from
  let next: string | undefined
  for (let more = true; more && next === undefined; ) {
    const page = await resource.store.list(prefix, { revision, limit: maxObjects, start })
    more = page.more
    for (const state of page.items) {
      if (items.length >= limit) {
        next = state.key
        break
      }
      start = `${state.key}\0`
      if (!(await isShown(place, history, state))) throw wrongState(onlyEncrypted)
      const object: Shown = resource.past(state.value, state.modRevision)
      if (!matches || matches(object.metadata.labels ?? {})) items.push(object)
      await turn()
    }
    context.throwIfAborted()
  }
  return {
    kind: resource.kind.listKind ?? `${resource.kind.kind}List`,
    apiVersion: resource.apiVersion(resource.memoryVersion.name),
    metadata: {
      resourceVersion: String(revision),
      ...(next !== undefined && {
        continue: Buffer.from(`${revision} ${next.slice(resource.prefix.length)}`).toString('base64url')
      })
    },
    items
  }
}

function tokenOf(text: string | undefined): [number | undefined, string | undefined] {
  if (!text) return [undefined, undefined]
  const found = /^([1-9]\d{0,15}) (.+)$/.exec(Buffer.from(text, 'base64url').toString())
  if (!found) throw badRequest('continue key is not valid')
  return [Number(found[1]), found[2]]
}

function selectorOf(text: string | undefined): LabelMatcher | undefined {
  if (!text) return undefined
  return parseLabelSelector(text)?.matches
}

/** Creates the last version of a deleted object anew, as a request of the same user. */
async function undelete(context: RequestContext, parts: HistoryParts, history: HistoryStore) {
  const body = parseBody(await context.readBody(maxBody), undeleteBody, parseExact) as Record<string, string>
  const place = await placeOf(context, body, parts, 'get')
  const { resource, namespace, name } = place
  if (resource.get(namespace, name)) throw alreadyExists(resource.groupResource, name)
  const from = history.since?.revision ?? history.seenRevision
  const found = await versionsOf(resource, resource.key(namespace, name), {
    from,
    before: Number.MAX_SAFE_INTEGER,
    limit: 1,
    signal: context.signal
  })
  const last = found.find(({ state }) => state)?.state
  if (!last) throw notFound(resource.groupResource, name)
  if (!(await isShown(place, history, last))) throw wrongState(onlyEncrypted)
  const former = resource.past(last.value, last.modRevision) as JsonObject & Shown
  const { status: _, ...rest } = former
  const {
    uid: formerUid,
    resourceVersion,
    creationTimestamp: _c,
    deletionTimestamp: _d,
    deletionGracePeriodSeconds: _g,
    generation: _n,
    managedFields: _m,
    selfLink: _s,
    ownerReferences = [],
    ...metadata
  } = former.metadata
  const { registry } = parts.member.services
  const isThere = (owner: (typeof ownerReferences)[number]) => {
    const slash = owner.apiVersion.indexOf('/')
    const group = slash < 0 ? '' : owner.apiVersion.slice(0, slash)
    const of = [...registry.all()].find(one => one.group === group && one.kind.kind === owner.kind)
    const present = of && (of.get(of.namespaced ? namespace : '', owner.name) ?? undefined)
    return present?.uid === owner.uid
  }
  // the garbage collector would delete the object at once for an owner that is gone
  const owners = ownerReferences.filter(isThere)
  const missingOwners = ownerReferences.filter(owner => !isThere(owner))
  const object = { ...rest, metadata: { ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) } }
  const version = resource.apiVersion(resource.memoryVersion.name)
  const url = `${resource.group === '' ? '/api/' : '/apis/'}${version}${namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`}/${resource.resource}?fieldManager=binnacle-undelete`
  const create = contextOf(context, {
    method: 'POST',
    url,
    contentType: 'application/json',
    body: Buffer.from(exactJson(object)),
    target: name
  })
  const { stages, backends, store } = parts.member
  const answer = await chained([
    ...stages,
    { name: 'undelete', why: '', handle: () => createDispatch({ backends, paths: [], store })(create) }
  ])(create)
  if (answer.status !== 201) return answer
  const created = parseExact((answer.body as Buffer).toString()) as JsonObject
  return json({ object: created, formerVersion: resourceVersion, formerUid, missingOwners }, 201)
}
