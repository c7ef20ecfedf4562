/** Routes for the faults of the server that is asked: rules that make requests fail. */

import { success } from '../../apimachinery/status/status.js'
import { UserError } from '../../util/user-error.js'
import { missing, tooMany, wrongField } from '../own-paths/errors.js'
import type { Schema } from '../own-paths/own-document.js'
import type { FaultAtWork, Kit } from './kit.js'
import type { TestApiLimits } from './limits.js'
import { json, type Route } from './route.js'

const text = (description: string): Schema => ({ type: 'string', description })
const count = (description: string): Schema => ({ type: 'integer', description })
const oneOrMore = (description: string): Schema => ({
  description,
  oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }]
})

/** The server itself validates rules; the schema is for readers and generators. */
const rule: Schema = {
  title: 'FaultRule',
  type: 'object',
  description:
    'The first fields say which requests it concerns: a field that is left out does not matter. The rest says what goes wrong with them: one of status, reset, cutAfter, watch, storage and webhook, or a delay.',
  properties: {
    verb: oneOrMore('get, list, watch, create, update, patch, delete, deletecollection; * for all.'),
    resource: oneOrMore('pods, deployments.apps, pods/status; * for all.'),
    path: text('A path outside the resources: /readyz; with a * at its end all that begin like that.'),
    name: text('Of the object; of a create as its body says.'),
    namespace: text('The namespace of the object.'),
    user: text('The name of the user that the request acts as.'),
    userAgent: text('A part of the User-Agent header.'),
    after: count('How many of the first matches the rule lets pass; 0.'),
    times: count('How many requests the rule concerns before it is used up; any number when left out.'),
    probability: { type: 'number', description: 'From 0 to 1: how likely the rule concerns a request that matches; 1.' },
    seed: { type: 'number', description: 'Chooses the sequence of chances, which is the same in every run; 1.' },
    delay: { type: 'number', description: "Milliseconds by the server's clock to wait before anything else happens." },
    status: {
      description: 'The request fails with this code, or with this Status.',
      oneOf: [{ type: 'integer' }, { type: 'object' }]
    },
    reset: { type: 'boolean', description: 'true: the connection is reset before the answer.' },
    cutAfter: count('The connection is reset after so many bytes of the body.'),
    watch: {
      type: 'object',
      description: 'How a watch goes wrong.',
      required: ['do'],
      properties: {
        afterEvents: count('How many events it sends before; 0.'),
        do: { type: 'string', enum: ['expire', 'close', 'stall', 'halfFrame'] }
      }
    },
    storage: { type: 'string', enum: ['timeout', 'lostAnswer', 'noQuorum'], description: 'How the store fails.' },
    webhook: text('The name of a webhook that is not there; * for all.'),
    error: {
      description: 'For webhook: refused, timeout or a status code.',
      oneOf: [{ type: 'string', enum: ['refused', 'timeout'] }, { type: 'integer' }]
    }
  }
}
const fault: Schema = {
  title: 'Fault',
  type: 'object',
  required: ['id', 'rule', 'count', 'hits'],
  properties: {
    id: { type: 'string' },
    rule,
    count: { type: 'integer', description: 'How often the rule has done something.' },
    hits: { type: 'array', description: 'What it has done, the oldest first; the last ones.', items: { type: 'object' } }
  }
}
const list: Schema = {
  title: 'FaultList',
  type: 'object',
  required: ['items'],
  properties: { items: { type: 'array', items: fault } }
}

interface Kept {
  readonly id: string
  readonly rule: object
  readonly fault: FaultAtWork
}

const shown = ({ id, rule, fault: { count, hits } }: Kept) => ({ id, rule, count, hits })

export class FaultRules {
  readonly #kit: Kit
  readonly #limit: number
  readonly #kept = new Map<string, Kept>()
  #lastId = 0

  constructor(kit: Kit, limits: TestApiLimits) {
    this.#kit = kit
    this.#limit = limits.faults
  }

  /** Removes all rules that came through the test API. */
  clear(): void {
    for (const { fault } of this.#kept.values()) fault.remove()
    this.#kept.clear()
  }

  readonly routes: readonly Route[] = [
    {
      method: 'GET',
      path: '/faults',
      id: 'listFaults',
      summary: 'List the fault rules with what they have done, also those that are used up',
      answers: { 200: { description: 'The rules, the oldest first.', schema: list } },
      handle: () => json({ items: [...this.#kept.values()].map(shown) })
    },
    {
      method: 'POST',
      path: '/faults',
      id: 'addFault',
      summary: 'Add a fault rule, which holds from now on',
      body: rule,
      answers: { 201: { description: 'The rule holds.', schema: fault } },
      handle: ({ body }) => {
        if (this.#kept.size >= this.#limit) throw tooMany('faults', this.#limit)
        const id = String(this.#lastId + 1)
        const kept = { id, rule: body, fault: this.#add(body) }
        this.#lastId++
        this.#kept.set(id, kept)
        return json(shown(kept), 201)
      }
    },
    {
      method: 'DELETE',
      path: '/faults',
      id: 'deleteFaults',
      summary: 'Remove all fault rules',
      answers: { 200: { description: 'No rule holds any more.' } },
      handle: () => {
        this.clear()
        return json(success())
      }
    },
    {
      method: 'GET',
      path: '/faults/{id}',
      id: 'readFault',
      summary: 'Read a fault rule with what it has done',
      answers: { 200: { description: 'The rule.', schema: fault } },
      handle: ({ name }) => json(shown(this.#get(name)))
    },
    {
      method: 'DELETE',
      path: '/faults/{id}',
      id: 'deleteFault',
      summary: 'Remove a fault rule',
      answers: { 200: { description: 'The rule holds no more.' } },
      handle: ({ name }) => {
        this.#get(name).fault.remove()
        this.#kept.delete(name)
        return json(success())
      }
    }
  ]

  #get(id: string): Kept {
    const kept = this.#kept.get(id)
    if (!kept) throw missing('faults', id)
    return kept
  }

  #add(body: object): FaultAtWork {
    try {
      return this.#kit.faults!.add(body)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      // the error names the wrong field of the rule
      const field = /^(?:the|unknown) field "?([\w.]+)/.exec(error.message)?.[1]
      throw wrongField(field ?? 'rule', error.message)
    }
  }
}
