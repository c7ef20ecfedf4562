import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestProblem } from './testing/hostile-manifests.js'

// `npm run hostile -- outgoing` tries many more
const seeds = 150

test('whatever files of manifests have in them, they are read or refused in a sentence', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const problem = manifestProblem(seed)
    if (problem) assert.fail(problem)
  }
})
