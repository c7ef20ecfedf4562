import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { type Authenticated, TokenError } from './authenticator.js'
import { CachedTokens, type TokenCacheOptions } from './token-cache.js'

/** A cache around an authenticator that counts, and knows tokens that begin with "good". */
function setUp(more: Partial<TokenCacheOptions> = {}) {
  const clock = new FakeClock()
  const asked: unknown[] = []
  const cache = new CachedTokens(
    {
      async authenticateToken(token, audiences): Promise<Authenticated | undefined> {
        asked.push([token, audiences])
        if (token === 'error') throw new TokenError('refused')
        return token.startsWith('good') ? { user: { name: token, groups: [] } } : undefined
      }
    },
    { clock, successMs: 10_000, failureMs: 5000, cacheErrors: false, ...more }
  )
  return { clock, asked, cache }
}

describe('remembered tokens', () => {
  it('show their user for a while', async () => {
    const { cache, clock, asked } = setUp()
    const first = await cache.authenticateToken('good')
    clock.advance(9999)
    assert.equal(cache.authenticateToken('good'), first)
    clock.advance(1)
    await cache.authenticateToken('good')
    assert.equal(asked.length, 2)
  })

  it('show nobody for another while', async () => {
    const { cache, clock, asked } = setUp()
    assert.equal(await cache.authenticateToken('bad'), undefined)
    clock.advance(4999)
    assert.equal(await cache.authenticateToken('bad'), undefined)
    assert.equal(asked.length, 1)
    clock.advance(1)
    await cache.authenticateToken('bad')
    assert.equal(asked.length, 2)
  })

  it('are the same for those who name no audience and those who name the default ones', async () => {
    const { cache, asked } = setUp({ audiences: ['api'] })
    for (const audiences of [['api'], undefined, ['other']]) await cache.authenticateToken('good', audiences)
    assert.equal(asked.length, 2)
  })

  it('are not remembered where the time is 0', async () => {
    const { cache, asked } = setUp({ successMs: 0, failureMs: 0 })
    for (const token of ['good', 'good', 'bad', 'bad']) await cache.authenticateToken(token)
    assert.equal(asked.length, 4)
    const brief = setUp({ successMs: 1, failureMs: 1 })
    for (const token of ['good', 'good', 'bad', 'bad']) await brief.cache.authenticateToken(token)
    assert.equal(brief.asked.length, 2)
  })

  it('are refused anew after an error, unless errors are remembered', async () => {
    for (const [cacheErrors, times] of [
      [false, 2],
      [true, 1]
    ] as const) {
      const { cache, asked } = setUp({ cacheErrors })
      for (const _ of [1, 2]) await assert.rejects(async () => cache.authenticateToken('error'), /refused/)
      assert.equal(asked.length, times)
    }
  })

  it('are told apart by their audiences', async () => {
    const { cache, asked } = setUp()
    const ways = [undefined, [], ['a'], ['a', 'b'], ['ab'], ['b', 'a']]
    for (const audiences of [...ways, ...ways]) await cache.authenticateToken('good', audiences)
    await cache.authenticateToken('gooda', ['b'])
    assert.equal(asked.length, ways.length + 1)
  })

  it('are asked about once when many ask at a time', async () => {
    const { cache, asked } = setUp()
    const found = await Promise.all(Array.from({ length: 5 }, () => cache.authenticateToken('good')))
    assert.equal(new Set(found).size, 1)
    assert.equal(asked.length, 1)
  })

  it('are forgotten when there are too many, the least recently used first', async () => {
    const { cache, asked } = setUp()
    await cache.authenticateToken('good-first')
    for (let i = 0; i < 32 * 1024; i++) {
      await cache.authenticateToken(`good-${i}`)
      if (i === 20) await cache.authenticateToken('good-first')
    }
    const before = asked.length
    await cache.authenticateToken('good-first')
    await cache.authenticateToken('good-1')
    assert.equal(asked.length, before)
    await cache.authenticateToken('good-0')
    assert.equal(asked.length, before + 1)
  })
})
