import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whoCanCommand } from './who-can.js'
import { whyCommand } from './why.js'

test('what is missing on the command line is said before a cluster is looked for', async () => {
  const nowhere = '--kubeconfig=/there/is/none'
  await assert.rejects(whoCanCommand(['get', nowhere]), /what is missing or too much: binnacle who-can VERB RESOURCE/)
  await assert.rejects(whyCommand(['get', nowhere]), /what is missing or too much: binnacle why VERB RESOURCE/)
  await assert.rejects(whyCommand(['deleting', 'pods', nowhere]), /the object is missing: binnacle why deleting/)
  await assert.rejects(whyCommand(['field', nowhere]), /the object is missing: binnacle why field/)
  await assert.rejects(whyCommand(['admission', nowhere]), /-f is missing/)
  await assert.rejects(whyCommand(['cost', nowhere]), /the definition is missing/)
  await assert.rejects(whoCanCommand(['get', 'pods', nowhere]), /\/there\/is\/none/)
})
