import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TokenError } from '../../auth/authentication/authenticator.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { ConsoleSessions } from './sessions.js'

const alice = { name: 'alice', groups: ['devs'] }
const minute = 60_000
const hour = 60 * minute

describe('the sessions of the console', () => {
  it('begin with a code, once', () => {
    const sessions = new ConsoleSessions(new FakeClock())
    const code = sessions.code(alice)
    assert.match(code, /^[\w-]{22}$/)
    const { token } = sessions.redeem(code)!
    assert.match(token, /^binnacle-console-[\w-]{43}$/)
    assert.deepEqual(sessions.authenticateToken(token)?.user, alice)
    assert.equal(sessions.redeem(code), undefined)
    assert.notEqual(sessions.redeem(sessions.code(alice))!.token, token)
  })

  it('do not begin with what is no code, nor with one that is ten minutes old', async () => {
    const clock = new FakeClock()
    const sessions = new ConsoleSessions(clock)
    for (const wrong of ['', '__proto__', sessions.code(alice).slice(1)]) assert.equal(sessions.redeem(wrong), undefined)
    const [late, tooLate] = [sessions.code(alice), sessions.code(alice)]
    await clock.pass(10 * minute - 1)
    assert.ok(sessions.redeem(late))
    await clock.pass(1)
    assert.equal(sessions.redeem(tooLate), undefined)
  })

  it('end after twelve hours, and when they are ended', async () => {
    const clock = new FakeClock()
    const sessions = new ConsoleSessions(clock)
    const [one, other] = [sessions.redeem(sessions.code(alice))!, sessions.redeem(sessions.code(alice))!]
    assert.equal(one.until, clock.now() + 12 * hour)
    assert.equal(sessions.end(one.token), true)
    assert.equal(sessions.end(one.token), false)
    assert.throws(() => sessions.authenticateToken(one.token), TokenError)
    await clock.pass(12 * hour - 1)
    assert.ok(sessions.authenticateToken(other.token))
    await clock.pass(1)
    assert.throws(() => sessions.authenticateToken(other.token), TokenError)
    assert.equal(sessions.end(other.token), false)
  })

  it('are a hundred at most, as are codes: the oldest gives way', () => {
    const sessions = new ConsoleSessions(new FakeClock())
    const codes = Array.from({ length: 101 }, () => sessions.code(alice))
    assert.equal(sessions.redeem(codes[0]!), undefined)
    const [first, ...others] = codes.slice(1).map(code => sessions.redeem(code)!.token)
    assert.ok(sessions.authenticateToken(first!))
    sessions.redeem(sessions.code(alice))
    assert.throws(() => sessions.authenticateToken(first!), TokenError)
    assert.ok(sessions.authenticateToken(others[0]!))
  })

  it('are not asked about tokens of other kinds', () => {
    assert.equal(new ConsoleSessions(new FakeClock()).authenticateToken('eyJhbGciOi'), undefined)
  })

  it('keep nothing in memory that opens one', () => {
    const sessions = new ConsoleSessions(new FakeClock())
    const seen: string[] = []
    const set = Map.prototype.set
    Map.prototype.set = function (key, value) {
      seen.push(JSON.stringify([key, value]))
      return set.call(this, key, value)
    }
    try {
      const code = sessions.code(alice)
      const { token } = sessions.redeem(code)!
      assert.equal(seen.length, 2)
      for (const secret of [code, token]) assert.ok(!seen.join().includes(secret))
    } finally {
      Map.prototype.set = set
    }
  })
})
