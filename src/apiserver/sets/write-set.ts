/** Writes several objects, all or none of them, with one resource version. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { parseRequestInfo } from '../../apimachinery/request/request-info.js'
import { conflict, internalError, type Status, StatusError } from '../../apimachinery/status/status.js'
import type { Registry } from '../../registry/registry.js'
import { nextTurn } from '../../util/turns.js'
import { dryRunOf } from '../metrics/request-series.js'
import { type Answered, refused, statusOf, succeeded } from './answer.js'
import { definedKinds, type EntryRequest, entryRequest, KindResources, maxSetBytes, readEntries, type SetEntry } from './entry.js'
import { Member, type MemberParts } from './member.js'
import { AgainError, Round } from './round.js'

/** How often a set is tried when other writes come first. */
const mostRounds = 10

interface Refusal {
  readonly field: string
  readonly status: Status
}

export async function writeSet(context: RequestContext, parts: MemberParts): Promise<Response> {
  if (parts.services.store.singleWrites) throw needsTransactions()
  const entries = await readEntries(context, await context.readBody(maxSetBytes))
  const requests = requestsOf(entries, parts.services.registry, context.query)
  const members = requests.map(request => new Member(context, request, parts))
  const isDryRun = context.query.has('dryRun')
  const end = endWith(context, members)
  try {
    for (let rounds = 1; ; rounds++) {
      const round = new Round(parts.services.registry)
      end.round = round
      const refusals = await prepareAll(context, entries, members, round)
      if (refusals.length > 0) {
        round.fail(dependency(refusals[0]!))
        await Promise.all(members.map(({ answer }) => answer))
        throw refused(refusals, entries.length)
      }
      const isStale = !isDryRun && members.some(member => isOutdated(member, parts.services.registry))
      const result = isStale ? undefined : isDryRun ? ({ ok: true, revision: 0 } as const) : await commit(round, context, parts)
      if (result?.ok) {
        round.succeed(result)
        return await answerOf(context, entries, members, isDryRun ? 0 : result.revision)
      }
      if (rounds === mostRounds) {
        const key = result?.key ?? 'an object that the set leaves as it is'
        const error = conflict(
          { group: '', resource: 'sets' },
          '',
          `other writes came first ${mostRounds} times, the last time to ${key}`
        )
        round.fail(error)
        throw error
      }
      round.fail(new AgainError())
      await nextTurn()
    }
  } catch (error) {
    end.round?.fail(error as Error)
    for (const member of members) member.end(error as Error)
    throw error
  } finally {
    for (const { answer, context: own } of members) {
      own.ended()
      answer?.then(
        ({ status }) => parts.count(own, dryRunOf(context.query), status),
        () => {}
      )
    }
  }
}

/** Processes the objects of the set up to their writes, one after the other, so that each sees those before it. */
async function prepareAll(
  context: RequestContext,
  entries: readonly SetEntry[],
  members: readonly Member[],
  round: Round
): Promise<Refusal[]> {
  const refusals: Refusal[] = []
  for (const [i, member] of members.entries()) {
    context.throwIfAborted()
    if ((await member.begin(round)) === 'answered')
      refusals.push({ field: entries[i]!.field, status: statusOf(await member.answer!) })
    await nextTurn()
  }
  context.throwIfAborted()
  return refusals
}

async function commit(round: Round, context: RequestContext, { services }: MemberParts) {
  try {
    return await round.commit(context, services.faults)
  } catch (error) {
    round.fail(error as Error)
    throw error
  }
}

/** Ends the waiting of all objects when nobody waits for the set any more. */
function endWith(context: RequestContext, members: readonly Member[]): { round?: Round } {
  const end: { round?: Round } = {}
  context.signal.addEventListener('abort', () => {
    const reason = context.signal.reason as Error
    for (const member of members) member.context.abort(reason)
    end.round?.fail(reason)
  })
  return end
}

/** Makes the requests of the entries. Throws a StatusError that names all entries that cannot be one. */
function requestsOf(entries: readonly SetEntry[], registry: Registry, query: URLSearchParams): EntryRequest[] {
  const kinds = new KindResources(registry)
  const defined = definedKinds(entries)
  const refusals: Refusal[] = []
  const places = new Map<string, string>()
  const requests: EntryRequest[] = []
  for (const entry of entries) {
    try {
      const request = entryRequest(entry, kinds, query, defined)
      const { target } = request
      const other = target === undefined ? undefined : places.get(target)
      if (other !== undefined) throw twice(other)
      if (target !== undefined) places.set(target, entry.field)
      requests.push(request)
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      refusals.push({ field: entry.field, status: error.status })
    }
  }
  if (refusals.length > 0) throw refused(refusals, entries.length)
  return requests
}

const needsTransactions = () =>
  new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      'a set is written in one transaction, and the store of this server takes one key in a transaction, as kine does: apply the objects one by one (kubectl apply), or run the server on etcd or on the embedded store (LMDB)',
    code: 501
  })

const twice = (other: string) =>
  new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the set has this object twice: it stands at ${other}, too`,
    reason: 'BadRequest',
    code: 400
  })

/** What audit events say of an object that was fine, in a set that was not. */
const dependency = ({ field, status }: Refusal) =>
  new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `nothing of the set was written, because ${field} was refused: ${status.message}`,
    code: 424
  })

/** Whether an object that the set would leave as it is has changed since. */
function isOutdated({ changes, context, seen }: Member, registry: Registry): boolean {
  if (changes || seen === undefined) return false
  const { group, version, resource, namespace, name } = parseRequestInfo(context.request.method, context.path, context.query)
  return String(registry.find(group, version, resource)?.get(namespace, name)?.revision) !== seen
}

async function answerOf(
  context: RequestContext,
  entries: readonly SetEntry[],
  members: readonly Member[],
  revision: number
): Promise<Response> {
  const answers = await Promise.all(
    members.map(async (member, i): Promise<Answered> => {
      const { changes } = member
      const { warnings } = member.context
      for (const warning of warnings) context.warn(warning)
      return { entry: entries[i]!, response: await member.answer!, changes, warnings }
    })
  )
  const failed = answers.find(({ response }) => response.status >= 300)
  if (failed) {
    const { message } = statusOf(failed.response)
    throw internalError(`the set was written at ${revision}, but not the answer to ${failed.entry.field}: ${message}`)
  }
  return succeeded(answers, revision === 0 ? undefined : revision)
}
