import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Found, Missing, Outcome, Start } from './steps/value.js'
import type { Steps, Verb } from './verb.js'
import { write } from './write.js'

/** Steps that tell that they were taken. `outcomes` are those of the commits, one after the other. */
function told<S extends Start>(taken: string[], outcomes: (Outcome | Error)[]): Steps<S, string> {
  const tell = (step: string) => void taken.push(step)
  return {
    draft(start, sent) {
      tell(`draft ${sent}`)
      return Object.assign(start, { object: { metadata: {} }, version: undefined, isSame: false })
    },
    convert: undefined,
    identify: drafted => Object.assign(drafted, { given: undefined, mayLackVersion: false }),
    track: undefined,
    async admit(identified) {
      tell('admit')
      return identified
    },
    async prepare(admitted) {
      tell('prepare')
      return Object.assign(admitted, { names: undefined })
    },
    async validate() {
      tell('validate')
    },
    async admitAgain() {},
    encode: prepared => Object.assign(prepared, { encoded: undefined, isFinished: false }),
    async commit() {
      tell('commit')
      const outcome = outcomes.shift()!
      if (outcome instanceof Error) throw outcome
      return outcome
    }
  }
}

const done = { object: {}, bytes: undefined, created: true }

/** Writes, and returns the steps that were taken. `present`: what the cache has. */
async function stepsOf(verb: (taken: string[]) => Verb<string>, present?: object, taken: string[] = []): Promise<string[]> {
  const operation: any = {
    dryRun: false,
    services: { features: { enabled: () => false } },
    request: { name: 'a', verb: 'update' },
    isLarge: false,
    namespace: '',
    groupResource: { group: '', resource: 'things' },
    origin: { throwIfAborted() {} },
    resource: {
      isConverted: false,
      mayChange: () => false,
      get: () => present,
      key: () => 'a',
      cache: { unreadable: () => undefined },
      parse: (object: object) => object,
      kind: { strategy: { release: () => void taken.push('release') } }
    }
  }
  await write(operation, verb(taken), { name: 'a' }, 'x')
  return taken
}

const creating = (...outcomes: (Outcome | Error)[]) => {
  return (taken: string[]): Verb<string> => ({ found: undefined, missing: told<Missing>(taken, outcomes), creates: () => true })
}
const changing = (...outcomes: (Outcome | Error)[]) => {
  return (taken: string[]): Verb<string> => ({ found: told<Found>(taken, outcomes), missing: undefined, creates: () => false })
}

describe('a write that another one has overtaken', () => {
  it('begins with the present object again, and releases what it had allocated', async () => {
    const once = ['draft x', 'admit', 'prepare', 'validate', 'commit']
    assert.deepEqual(await stepsOf(changing('present', done), {}), [...once, 'release', ...once])
  })

  it('is prepared again where a value was taken that it had chosen, without asking admission to change it again', async () => {
    const again = ['prepare', 'validate', 'commit']
    assert.deepEqual(await stepsOf(creating('prepare', done)), ['draft x', 'admit', ...again, 'release', ...again])
  })

  it('is validated again under another name, and keeps what it had allocated', async () => {
    const again = ['validate', 'commit']
    assert.deepEqual(await stepsOf(creating('validate', done)), ['draft x', 'admit', 'prepare', ...again, ...again])
  })
})

describe('a write', () => {
  it('releases what it had allocated when it fails', async () => {
    const taken: string[] = []
    await assert.rejects(stepsOf(creating(new Error('the disk is full')), undefined, taken), /the disk is full/)
    assert.deepEqual(taken.slice(-2), ['commit', 'release'])
  })

  it('of an object that is not there is a 404 unless the verb creates', async () => {
    await assert.rejects(stepsOf(changing(done)), (error: unknown) => error instanceof StatusError && error.code === 404)
  })
})
