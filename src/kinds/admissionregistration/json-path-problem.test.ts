import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonPathProblem } from './json-path-problem.js'

test('templates that client-go reads', () => {
  for (const path of [
    '.spec.x',
    '..a',
    "['a','b']",
    '[0,1]',
    '[::]',
    '[*]',
    '.a[?(@.x!="a,b]")].c',
    '"a\\x41"',
    '-1',
    'a\\.b',
    '$',
    '.a b',
    ''
  ])
    assert.equal(jsonPathProblem(`{${path}}`), undefined, path)
  for (const template of ['', 'text } only', '{.a} and {.b}']) assert.equal(jsonPathProblem(template), undefined, template)
})

test('what is wrong with others, in its words', () => {
  const problems = {
    'a,b': "unrecognized character in action: U+002C ','",
    '\u0001': 'unrecognized character in action: U+0001',
    'a\nb': 'unclosed action',
    '....': 'invalid multiple recursive descent',
    '.. $..a': 'invalid multiple recursive descent',
    '[0': 'unterminated array',
    '[a]': 'invalid array index a',
    '[0,x]': 'invalid array index x',
    '[-]': 'array index - is not a number',
    '[99999999999999999999]': 'array index 99999999999999999999 is not a number',
    "['a{b']": "unrecognized character in action: U+007B '{'",
    '[?(@.a': 'unterminated filter',
    '[?(")")': 'unclosed array expect ]',
    '[?(@.a==#)]': "unrecognized character in action: U+0023 '#'",
    '"a': 'unterminated quoted string',
    '"\\q"': 'unquote string "\\q" error invalid syntax',
    '"\\ud800"': 'unquote string "\\ud800" error invalid syntax',
    '1.2.3': 'cannot parse number 1.2.3',
    '+': 'cannot parse number +'
  }
  for (const [path, problem] of Object.entries(problems)) assert.equal(jsonPathProblem(`{${path}}`), problem, path)
})
