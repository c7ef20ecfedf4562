/** A newcomer finds things by the names of folders: each question is answered by the pages of the wings alone, which lead to the file. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** What is asked, the words that a page must have for it, and where the answer lies. */
const questions: readonly (readonly [question: string, words: RegExp, file: string])[] = [
  ['Who makes the message "the object has been modified"?', /every error that a client sees/, 'apimachinery/status/status.ts'],
  ['What does the flag --goaway-chance do, and what may it be?', /the table of options/, 'server/options/generic.ts'],
  ['Which ports may a Service have?', /names, versions, defaults, validation/, 'kinds/core/service/service.ts'],
  ['Where is apiserver_request_total counted?', /`\/metrics`/, 'apiserver/metrics/request-metrics.ts'],
  ['Which stage refuses wrong credentials?', /finds out who sends a request/, 'auth/authentication/stage.ts'],
  ['In which order do the stages run?', /the handler and its stages/, 'apiserver/chain/stages.ts'],
  ['How does a create become a write?', /the table of the steps that each verb has/, 'registry/write/verbs.ts'],
  ['Who owns a field after an apply?', /managedFields and server-side apply/, 'apimachinery/fieldmanager/managed-fields.ts'],
  ['How does a watch learn of a write?', /watch cache/, 'storage/watch-cache.ts'],
  ['Which plugin mounts tokens into Pods?', /a file for each built-in plugin/, 'admission/plugins/pods/service-account.ts'],
  [
    'How are deleted owners followed by their dependents?',
    /owners and their dependents/,
    'controllers/garbage-collector/garbage-collector.ts'
  ],
  ['How does a program wait for a state?', /waits for a state/, 'client/until.ts']
]

/** The row of a wing's page that is about the file's folder. */
function rowFor(file: string): string {
  const [wing, room] = file.split('/') as [string, string]
  const rows = readFileSync(join(src, wing, 'README.md'), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'))
  const own = rows.find(line => line.split('|')[1]!.includes(`\`${room}/\``))
  return own ?? rows.find(line => line.startsWith('| `.` |')) ?? ''
}

describe('a newcomer finds', () => {
  for (const [question, words, file] of questions)
    it(question, () => {
      assert.ok(existsSync(join(src, file)), `${file} is no longer there: name where the answer lies now`)
      assert.match(rowFor(file), words, `the page of the wing does not lead to ${file}`)
    })
})
