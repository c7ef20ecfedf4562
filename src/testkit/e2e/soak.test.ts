import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { soak } from './soak.js'

/** .ci/run has 300, `npm run soak` more. The first measurement is after 14. */
const churn = 42

test('a data folder does not grow while Leases, Events and Pods come and go', { timeout: 180_000 }, async t => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-soak-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const { early, late } = await soak({ directory, churn })
  t.diagnostic(JSON.stringify({ early, late }))
  assert.ok(late.objects < 1.5 * early.objects)
  assert.ok(late.disk < 2 * early.disk, 'the data folder grows')
  assert.ok(late.heap < 1.5 * early.heap, 'the heap grows')
})
