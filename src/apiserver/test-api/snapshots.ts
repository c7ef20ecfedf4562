/** Routes for the snapshots of the server that is asked. */

import { success } from '../../apimachinery/status/status.js'
import type { Clock } from '../../util/clock.js'
import { timestamp } from '../../util/time.js'
import { missing, tooMany, wrongField, wrongState } from '../own-paths/errors.js'
import type { Schema } from '../own-paths/own-document.js'
import type { Kit, KitSnapshot } from './kit.js'
import type { TestApiLimits } from './limits.js'
import { json, nameSchema, type Route } from './route.js'

const snapshot: Schema = {
  title: 'Snapshot',
  type: 'object',
  required: ['name', 'created'],
  properties: {
    name: nameSchema,
    created: { type: 'string', format: 'date-time', description: 'When it was taken, by the clock of the server.' }
  }
}
const list: Schema = {
  title: 'SnapshotList',
  type: 'object',
  required: ['items'],
  properties: { items: { type: 'array', items: snapshot } }
}

interface Kept {
  readonly name: string
  readonly created: string
  readonly snapshot: KitSnapshot
}

const shown = ({ name, created }: Kept) => ({ name, created })

export class Snapshots {
  readonly #kit: Kit
  readonly #clock: Clock
  readonly #limit: number
  readonly #restored: () => void
  readonly #kept = new Map<string, Kept>()
  /** Makes one change after the other. */
  #last: Promise<unknown> = Promise.resolve()

  /** `restored` is called when the server has gone back to a snapshot. */
  constructor(kit: Kit, clock: Clock, limits: TestApiLimits, restored: () => void) {
    this.#kit = kit
    this.#clock = clock
    this.#limit = limits.snapshots
    this.#restored = restored
  }

  /** Throws a StatusError 422 that names the field when there is no such snapshot. */
  forField(field: string, name: string): KitSnapshot {
    const kept = this.#kept.get(name)
    if (!kept) throw wrongField(field, `there is no snapshot ${JSON.stringify(name)}`)
    return kept.snapshot
  }

  /** Frees all snapshots. */
  async clear(): Promise<void> {
    await this.#next(async () => {
      for (const { name } of [...this.#kept.values()]) await this.#forget(name)
    })
  }

  readonly routes: readonly Route[] = [
    {
      method: 'GET',
      path: '/snapshots',
      id: 'listSnapshots',
      summary: 'List the snapshots of this server',
      answers: { 200: { description: 'The snapshots, the oldest first.', schema: list } },
      handle: () => json({ items: [...this.#kept.values()].map(shown) })
    },
    {
      method: 'PUT',
      path: '/snapshots/{name}',
      id: 'takeSnapshot',
      summary: 'Take a snapshot of this server: objects, history, resource versions, keys',
      answers: {
        200: { description: 'It takes the place of the former snapshot of that name.', schema: snapshot },
        201: { description: 'The snapshot is taken.', schema: snapshot }
      },
      handle: ({ name }) =>
        this.#next(async () => {
          const isNew = !this.#kept.has(name)
          if (isNew && this.#kept.size >= this.#limit) throw tooMany('snapshots', this.#limit)
          const taken = { name, created: timestamp(this.#clock.now()), snapshot: await this.#kit.snapshot() }
          await this.#forget(name)
          this.#kept.set(name, taken)
          return json(shown(taken), isNew ? 201 : 200)
        })
    },
    {
      method: 'DELETE',
      path: '/snapshots/{name}',
      id: 'deleteSnapshot',
      summary: 'Forget a snapshot; servers that began from it stay',
      answers: { 200: { description: 'The snapshot is gone.' } },
      handle: ({ name }) =>
        this.#next(async () => {
          this.#get(name)
          await this.#forget(name)
          return json(success())
        })
    },
    {
      method: 'POST',
      path: '/snapshots/{name}/restore',
      id: 'restoreSnapshot',
      summary:
        'Go back to a snapshot: watches end with 410, resource versions go back, fault rules and recorded requests are gone',
      answers: { 200: { description: 'The server has the state of the snapshot.', schema: snapshot } },
      handle: ({ name, afterwards }) => {
        const kept = this.#get(name)
        afterwards(() =>
          this.#next(async () => {
            if (this.#kept.get(name) !== kept) throw wrongState(`the snapshot ${name} has changed meanwhile`)
            await this.#kit.restore(kept.snapshot)
            this.#restored()
          })
        )
        return json(shown(kept))
      }
    }
  ]

  #get(name: string): Kept {
    const kept = this.#kept.get(name)
    if (!kept) throw missing('snapshots', name)
    return kept
  }

  async #forget(name: string): Promise<void> {
    const kept = this.#kept.get(name)
    this.#kept.delete(name)
    await kept?.snapshot.dispose()
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}
