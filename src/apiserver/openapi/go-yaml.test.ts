import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { yamlOf } from './go-yaml.js'

describe('values as YAML', () => {
  it('are quoted where they look like something else, without a warning', async context => {
    const warned = context.mock.method(process, 'emitWarning', () => {})
    const rule = "!(has(self.a) && self.b != 'c')"
    assert.equal(
      yamlOf({ rule, flag: 'true', text: 'plain' }),
      `rule: '!(has(self.a) && self.b != ''c'')'\nflag: "true"\ntext: plain\n`
    )
    assert.equal(warned.mock.callCount(), 0)
  })

  it('stand between single quotes where go-yaml puts them, also when they contain some', () => {
    const texts = { "self.a == 'x'": "self.a == 'x'", "'a'": "'''a'''", "a: 'b'": "'a: ''b'''", "true'": "true'" }
    for (const [text, written] of Object.entries(texts)) assert.equal(yamlOf({ rule: text }), `rule: ${written}\n`)
  })
})
