import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { fixedFlags } from './fixed-flags.js'
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
    ['--watch-cache=false', /^--watch-cache "false" must be true: every resource has a watch cache$/],
    ['--delete-collection-workers=7', /must be 1: /]
  ] as const)
    it(`are refused: ${text}`, () =>
      assert.throws(
        () => parse(text),
        error => error instanceof UserError && message.test(error.message)
      ))

  it('are all in docs/flags.md (node scripts/generate-flags.mjs --docs)', () => {
    const file = readFileSync(new URL('../../../docs/flags.md', import.meta.url), 'utf8')
    assert.ok(file === flagsDocument(), 'docs/flags.md is old')
  })
})
