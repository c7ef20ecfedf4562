import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { NewExpressions } from './new-expressions.js'
import { compile } from './program.js'

const source = '[1, 2].includes(2)'
const issues = (news: NewExpressions, expression = source) =>
  compile(expression, news.environment(expression, kubernetesEnvironment)).issues

test('a new expression has the functions of the oldest release that has to read it', () => {
  assert.match(issues(new NewExpressions(36))!, /undeclared reference to 'includes'/)
  assert.equal(issues(new NewExpressions(37)), undefined)
  assert.equal(issues(new NewExpressions(34), '[1, 2].sort() == lists.range(2)'), undefined)
})

test('a stored expression keeps all functions', () => {
  assert.equal(issues(new NewExpressions(36, [undefined, source])), undefined)
  assert.match(issues(new NewExpressions(36, ['[1].includes(2)']))!, /undeclared/)
})
