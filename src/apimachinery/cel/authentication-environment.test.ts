import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimsEnvironment, userEnvironment } from './authentication-environment.js'
import { compile } from './program.js'

const issues = (expression: string) => compile(expression, claimsEnvironment).issues ?? 'none'

test('a claim may be anything, but not the range of a macro, unless it is dynamic', () => {
  assert.equal(
    issues("claims.groups.exists(g, g == 'a')"),
    "ERROR: <input>:1:7: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)\n | claims.groups.exists(g, g == 'a')\n | ......^"
  )
  assert.equal(issues("dyn(claims.groups).exists(g, g == 'a')"), 'none')
  assert.equal(issues("claims.groups == ['a'] && claims.age > 17 && 'a' in claims.groups"), 'none')
})

test('a claim cannot be formatted as it stands', () => {
  for (const clause of ['%s', '%d', '%f']) assert.match(issues(`'${clause}'.format([claims.x])`), /was given google.protobuf.Any/)
  assert.equal(issues("'%s'.format([string(claims.x)])"), 'none')
})

test('users have four fields, and claims are not among their variables', () => {
  const of = (expression: string) => compile(expression, userEnvironment).issues ?? 'none'
  assert.equal(of("user.username != '' && user.uid == '' && user.groups == [] && user.extra == {}"), 'none')
  assert.match(of('user.name'), /undefined field 'name'/)
  assert.match(of('claims.sub'), /undeclared reference to 'claims'/)
})

test('a program tells which fields of a variable it selects', () => {
  const selects = (expression: string) => compile(expression, claimsEnvironment).program!.selects('claims', 'email')
  for (const expression of [
    'claims.email',
    'has(claims.email)',
    "claims.?email.orValue('')",
    "[1].map(x, claims.email)[0] == ''"
  ])
    assert.equal(selects(expression), true, expression)
  for (const expression of ["claims['email']", 'claims.a.email', "claims.?mail.orValue('email')", "{'claims': claims.a.?email}"])
    assert.equal(selects(expression), false, expression)
})
