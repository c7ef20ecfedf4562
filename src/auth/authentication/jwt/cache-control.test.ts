import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryOf } from './cache-control.js'

const now = Date.UTC(2026, 0, 1)
const date = (seconds: number) => new Date(now + seconds * 1000).toUTCString()

test('an answer says how long it may be kept', () => {
  for (const [headers, seconds] of [
    [{}, 0],
    [{ 'cache-control': 'max-age=60' }, 60],
    [{ 'cache-control': 'public, MAX-AGE="60"' }, 60],
    [{ 'cache-control': 'max-age=60, s-maxage=90' }, 90],
    [{ 'cache-control': 'max-age=99999999999' }, 2 ** 31 - 1],
    [{ 'cache-control': 'max-age=x' }, 0],
    [{ 'cache-control': 'max-age=-5' }, 0],
    [{ 'cache-control': 'max-age=1e3' }, 0],
    [{ 'cache-control': 'max-age' }, 0],
    [{ 'last-modified': 'x' }, 0],
    [{ 'cache-control': 'max-age=0', expires: date(60) }, 0],
    [{ expires: date(60) }, 60],
    [{ expires: date(60), date: date(-30) }, 90],
    [{ expires: date(-60) }, 0],
    [{ expires: '0' }, 0],
    [{ 'last-modified': date(-1000) }, 100],
    [{ 'last-modified': date(-100 * 24 * 3600) }, 24 * 3600]
  ] as const)
    assert.equal((expiryOf(headers, now) - now) / 1000, seconds, JSON.stringify(headers))
})
