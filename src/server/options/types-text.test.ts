import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { optionTable } from './table.js'
import { optionTypesText } from './types-text.js'

it('the types of options are those of the table', () => {
  const file = new URL('../../../src/server/options/generated/flag-options.ts', import.meta.url)
  assert.equal(readFileSync(file, 'utf8'), optionTypesText(), 'run node scripts/generate/options.mjs')
})

it('each option has a flag of its own, and a sentence that ends', () => {
  const options = Object.values(optionTable)
  assert.equal(new Set(options.map(({ flag }) => flag)).size, options.length)
  for (const { flag, help } of options) assert.match(help, /^[A-Z-a-z].*[.)]$/s, flag)
})
