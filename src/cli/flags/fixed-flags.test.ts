import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { fixedFlags, notesOnTuning } from './fixed-flags.js'
import { flagsDocument } from './flags-document.js'
import { knownFlags } from './generated/known-flags.js'
import { parseFlags } from './parse.js'
import { acceptedFlags, serveFlags } from './serve-flags.js'

const parse = (...args: string[]) => parseFlags(args, acceptedFlags)
const known = Object.values(knownFlags).flatMap(flags => Object.entries(flags))

describe('flags that change nothing', () => {
  it('make, with the honoured ones, all flags of kube-apiserver', () => {
    const missing = known.map(([name]) => name).filter(name => !Object.hasOwn(acceptedFlags, name))
    assert.deepEqual(missing, [])
    assert.deepEqual(
      Object.keys(fixedFlags).filter(name => Object.hasOwn(serveFlags, name)),
      []
    )
  })

  it('are accepted at their defaults', () => {
    for (const [name, [type, standard]] of known)
      if (Object.hasOwn(fixedFlags, name)) parse(type === 'bool' ? `--${name}=${standard || 'false'}` : `--${name}=${standard}`)
  })

  it('are accepted with other words for the same', () => {
    for (const text of ['--livez-grace-period=0m', '--storage-initialization-timeout=60s', '--profiling=false', '--watch-cache'])
      parse(text)
  })

  for (const [text, message] of [
    ['--enable-logs-handler', /^--enable-logs-handler "true" must be false: the path \/logs is not served$/],
    ['--delete-collection-workers=x', /^--delete-collection-workers "x" must be a whole number$/],
    ['--log-flush-frequency=5', /must be a duration/],
    ['--log-text-info-buffer-size=much', /must be a quantity/],
    ['--contention-profiling=maybe', /must be true or false/],
    ['--storage-media-type=text/plain', /must be application\/json, /],
    ['--watch-cache-sizes=pods', /must be resource\[\.group\]#size/],
    ['--vmodule=a', /must be pattern=N/]
  ] as const)
    it(`are refused: ${text}`, () =>
      assert.throws(
        () => parse(text),
        error => error instanceof UserError && message.test(error.message)
      ))

  it('are said to have no effect, where they tune what is not here', () => {
    const notes = (...args: string[]) => notesOnTuning(parse(...args).values)
    assert.deepEqual(notes('--watch-cache-sizes=pods#100', '--watch-cache-sizes=secrets#5,deployments.apps#7', '--vmodule=x=2'), [
      '--watch-cache-sizes="pods#100,secrets#5,deployments.apps#7" has no effect: the sizes of watch caches follow the budgets in bytes',
      '--vmodule="x=2" has no effect: files have no verbosity of their own'
    ])
    assert.deepEqual(
      notes('--contention-profiling', '--watch-cache=0', '--delete-collection-workers=1', '--log-flush-frequency=5000ms'),
      [
        '--watch-cache="false" has no effect: every resource has a watch cache',
        '--contention-profiling="true" has no effect: there are no locks to profile'
      ]
    )
    assert.deepEqual(notes(), [])
  })

  it('are all in docs/flags.md (node scripts/generate/flags.mjs --docs)', () => {
    const file = readFileSync(new URL('../../../docs/flags.md', import.meta.url), 'utf8')
    assert.ok(file === flagsDocument(), 'docs/flags.md is old')
  })
})
