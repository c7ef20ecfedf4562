import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectProblem } from './testing/hostile-subject.js'

// `npm run hostile -- outgoing` tries many more
const seeds = 300

test('whatever bytes a certificate has for its subject, its user is who Go reads, or nobody', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const problem = subjectProblem(seed)
    if (problem) assert.fail(problem)
  }
})
