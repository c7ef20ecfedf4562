import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { times } from '../random.js'
import { HostileWebhooks, webhookKinds } from './hostile-webhooks.js'

// `npm run hostile -- outgoing` tries many more
const seeds = times(30)

describe('a webhook', () => {
  let hostile: HostileWebhooks

  before(async () => {
    hostile = await HostileWebhooks.start()
  })
  after(() => hostile.close())

  for (const kind of webhookKinds)
    it(`for ${kind} is sent exact JSON, and its answer holds nobody up`, async () => {
      for (let seed = 1; seed <= seeds; seed++) {
        const problem = await hostile.problem(kind, seed)
        if (problem) assert.fail(problem)
      }
    })
})
