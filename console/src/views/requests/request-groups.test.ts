import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestSummary } from '../../api/recorded.js'
import { groupsOf } from './request-groups.js'

const request = (user: string, verb: string, status: number, milliseconds: number) =>
  ({ user, verb, status, milliseconds }) as RequestSummary

test('sums requests up, those that took most time first, and does not time watches', () => {
  const all = [
    request('a', 'get', 200, 1),
    request('b', 'list', 500, 30),
    request('a', 'get', 404, 3),
    request('a', 'watch', 200, 60_000)
  ]
  assert.deepEqual(
    groupsOf(all, ({ user }) => user),
    [
      { name: 'b', count: 1, errors: 1, mean: 30, slowest: 30 },
      { name: 'a', count: 3, errors: 1, mean: 2, slowest: 3 }
    ]
  )
  assert.deepEqual(
    groupsOf([], ({ user }) => user),
    []
  )
})
