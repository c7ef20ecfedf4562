/** One object of a set while it is processed: a request of its own, whose write waits for those of the others. */

import { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { chained, type Stage } from '../../apimachinery/request/stage.js'
import { tooLarge } from '../../apimachinery/status/status.js'
import type { Services } from '../../registry/services.js'
import type { Committer, PreparedCommit } from '../../registry/write/committer.js'
import type { CommitResult, Store } from '../../storage/contract.js'
import type { Backend } from '../endpoints/backend.js'
import { createDispatch } from '../endpoints/dispatch.js'
import type { EntryRequest } from './entry.js'
import { AgainError, type Round } from './round.js'
import type { CountObject } from './set-metrics.js'

export interface MemberParts {
  readonly backends: readonly Backend[]
  readonly services: Services
  readonly store: Pick<Store, 'currentRevision'>
  /** The stages of the chain that each object passes: audit, errors, authorization. */
  readonly stages: readonly Stage[]
  readonly count: CountObject
}

export class Member implements Committer {
  /** The answer to the object's own request. */
  answer: Promise<Response> | undefined
  readonly context: RequestContext
  /** Whether this attempt would change what is stored. */
  changes = false
  /** The resource version of an object that the set does not change. */
  seen: string | undefined
  readonly #parts: MemberParts
  #round: Round | undefined
  #nextRound: { resolve(round: Round): void; reject(error: Error): void } | undefined
  #arrived: (() => void) | undefined

  constructor(parent: RequestContext, request: EntryRequest, parts: MemberParts) {
    this.#parts = parts
    this.context = contextOf(parent, request)
  }

  /** Continues in a round. Resolves when the object waits for the outcome of the round, or has been answered. */
  async begin(round: Round): Promise<'waits' | 'answered'> {
    this.changes = false
    this.seen = undefined
    const arrived = new Promise<'waits'>(resolve => {
      this.#arrived = () => resolve('waits')
    })
    if (this.#nextRound) this.#nextRound.resolve(round)
    else {
      this.#round = round
      const stages = [...this.#parts.stages, { name: 'set', why: '', handle: () => this.#attempts() }]
      this.answer = Promise.resolve(chained(stages)(this.context))
    }
    return Promise.race([arrived, this.answer!.then(() => 'answered' as const)])
  }

  /** Fails the object, which waits for a round that will not come. */
  end(error: Error): void {
    this.#nextRound?.reject(error)
  }

  /** Repeats the request until a round is finished. */
  async #attempts(): Promise<Response> {
    for (;;) {
      const round = this.#round!
      try {
        const response = await this.#dispatch(round)
        if (!this.changes) this.seen = versionOf(response)
        // an object that the set does not change has written nothing, and waits here
        this.#arrived!()
        await round.outcome
        return response
      } catch (error) {
        if (!(error instanceof AgainError)) throw error
        this.#round = await new Promise<Round>((resolve, reject) => {
          this.#nextRound = { resolve, reject }
        })
      }
    }
  }

  async #dispatch(round: Round): Promise<Response> {
    const { backends, store } = this.#parts
    const services: Services = { ...this.#parts.services, registry: round.registry, committer: this }
    const own = backends.map(backend => backend.withServices?.(services) ?? backend)
    return createDispatch({ backends: own, paths: [], store })(this.context)
  }

  async commit(prepared: PreparedCommit): Promise<CommitResult> {
    const round = this.#round!
    // what admission writes beside the object, such as the charge of a quota, does not wait: it is committed together with the
    // set
    if (prepared.origin !== this.context) {
      round.gather(prepared, true)
      return { ok: true, revision: prepared.expected }
    }
    if (!round.gather(prepared, false)) return { ok: false, key: '', current: undefined }
    this.changes = true
    this.#arrived!()
    return round.outcome
  }
}

/** Makes the context of an object's request, as the chain would have made it for the same user. */
export function contextOf(parent: RequestContext, { method, url, contentType, body }: EntryRequest): RequestContext {
  const { request, record } = parent
  const headers: Record<string, string | string[]> = { accept: 'application/json', 'content-type': contentType }
  for (const name of ['user-agent', 'x-forwarded-for', 'x-real-ip']) {
    const value = request.headers[name]
    if (value !== undefined) headers[name] = value
  }
  const context = new RequestContext(
    {
      method,
      url,
      headers,
      remoteAddress: request.remoteAddress,
      rawHeaders: () => Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap(one => [name, one])),
      peerCertificates: () => request.peerCertificates(),
      readBody: limit => (body.length > limit ? Promise.reject(tooLarge(limit)) : Promise.resolve(body)),
      openBody: () => undefined,
      onClose: listener => request.onClose(listener),
      reset: () => request.reset()
    },
    record.receivedAt,
    record.auditId
  )
  context.user = parent.user
  context.classification = parent.classification
  context.timeLimit = parent.timeLimit
  context.enteredAt = performance.now()
  const own = context.record
  own.requester = record.requester
  own.impersonated = record.impersonated
  own.impersonationConstraint = record.impersonationConstraint
  own.authentication = record.authentication
  own.steps = record.steps
  return context
}

const versionOf = ({ body }: Response): string | undefined => JSON.parse((body as Buffer).toString()).metadata?.resourceVersion
