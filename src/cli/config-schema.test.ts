import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { UserError } from '../util/user-error.js'
import { parseFlagsAndFile } from './config-file.js'
import { configSchema, configSchemaText } from './config-schema.js'
import { acceptedFlags } from './flags/serve-flags.js'

const directory = mkdtempSync(join(tmpdir(), 'binnacle-schema-'))
after(() => rmSync(directory, { recursive: true }))
const path = join(directory, 'config.json')

const properties = configSchema(acceptedFlags).properties as Record<string, any>

/** Whether the file of --config may have the value. */
function isTaken(key: string, value: unknown): boolean {
  writeFileSync(path, JSON.stringify({ [key]: value }))
  try {
    parseFlagsAndFile([`--config=${path}`], acceptedFlags)
    return true
  } catch (error) {
    assert.ok(error instanceof UserError)
    return false
  }
}

describe('the schema of the file of --config', () => {
  it('is docs/config.schema.json (node scripts/generate/flags.mjs --docs)', () => {
    const file = readFileSync(new URL('../../docs/config.schema.json', import.meta.url), 'utf8')
    assert.ok(file === configSchemaText(acceptedFlags), 'docs/config.schema.json is old')
  })

  it('has every flag by its name and by that of its option, and nothing that the file refuses', () => {
    for (const name of Object.keys(acceptedFlags)) if (name !== 'config') assert.ok(properties[name], `--${name} is missing`)
    for (const name of ['securePort', 'bindAddress', 'serviceAccountKeyFiles', 'workers'])
      assert.ok(properties[name], `${name} is missing`)
    for (const key of Object.keys(properties)) assert.ok(isTaken(key, null), `the file refuses ${key}`)
    assert.equal(properties.config, undefined)
  })

  it('has the words and ranges that the flags take', () => {
    let words = 0
    let numbers = 0
    for (const [key, { enum: allowed, minimum, maximum }] of Object.entries(properties)) {
      for (const word of allowed ?? []) {
        assert.ok(isTaken(key, word), `${key} refuses ${word}`)
        words++
      }
      if (allowed) assert.ok(!isTaken(key, 'no such word'), `${key} takes other words`)
      if (minimum === undefined) continue
      numbers++
      assert.ok(isTaken(key, minimum), `${key} refuses ${minimum}`)
      assert.ok(!isTaken(key, minimum - 1), `${key} takes less than ${minimum}`)
      assert.ok(!isTaken(key, maximum + 1), `${key} takes more than ${maximum}`)
    }
    assert.ok(words > 10 && numbers > 20, `${words} words, ${numbers} numbers`)
  })

  it('says what a flag does, its default, and what is deprecated', () => {
    const { description, default: standard, type } = properties['secure-port']
    assert.deepEqual([standard, type], [6443, ['integer', 'null']])
    assert.equal(description, acceptedFlags['secure-port'].help)
    assert.equal(properties['admission-control'].default, undefined)
    const duration = new RegExp(properties['request-timeout'].anyOf[0].pattern)
    for (const text of ['30s', '1h30m', '1.5s']) assert.ok(duration.test(text) && isTaken('request-timeout', text), text)
    for (const text of ['30', 'soon', '']) assert.ok(!duration.test(text) && !isTaken('request-timeout', text), text)
  })
})
