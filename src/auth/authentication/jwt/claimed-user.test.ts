/** Users of tokens, as kube-apiserver 1.36.2 makes them: recorded from its own packages. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TokenError } from '../authenticator.js'
import { claimedUser } from './claimed-user.js'
import { validateConfiguration } from './validate.js'

const always = { iss: 'https://a.example.com', aud: 'c', exp: 4_102_444_800, sub: 'jane' }

interface Changes {
  readonly claimMappings?: object
  readonly claimValidationRules?: readonly object[]
  readonly userValidationRules?: readonly object[]
}

/** What a configuration says besides the user name, which is the claim `sub`; the claims; and the user, or why there is none. */
const rows: readonly (readonly [Changes, object, object | string])[] = [
  [{ claimMappings: { username: { claim: 'name', prefix: 'x:' } } }, { name: 'jane' }, { name: 'x:jane', groups: [] }],
  [{ claimMappings: { username: { claim: 'name', prefix: 'x:' } } }, { name: '' }, { name: 'x:', groups: [] }],
  [
    { claimMappings: { username: { claim: 'name', prefix: 'x:' } } },
    { name: 5 },
    'oidc: parse username claims "name": json: cannot unmarshal number into Go value of type string'
  ],
  [{ claimMappings: { username: { claim: 'name', prefix: 'x:' } } }, { name: null }, { name: 'x:', groups: [] }],
  [
    { claimMappings: { username: { claim: 'name', prefix: 'x:' } } },
    { name: ['x'] },
    'oidc: parse username claims "name": json: cannot unmarshal array into Go value of type string'
  ],
  [{ claimMappings: { username: { claim: 'name', prefix: '' } } }, {}, 'oidc: parse username claims "name": claim not present'],
  [
    { claimMappings: { username: { claim: 'email', prefix: '' } } },
    { email: 'j@x', email_verified: true },
    { name: 'j@x', groups: [] }
  ],
  [
    { claimMappings: { username: { claim: 'email', prefix: '' } } },
    { email: 'j@x', email_verified: false },
    'oidc: email not verified'
  ],
  [
    { claimMappings: { username: { claim: 'email', prefix: '' } } },
    { email: 'j@x', email_verified: 'true' },
    "oidc: parse 'email_verified' claim: json: cannot unmarshal string into Go value of type bool"
  ],
  [
    { claimMappings: { username: { claim: 'email', prefix: '' } } },
    { email: 'j@x', email_verified: null },
    'oidc: email not verified'
  ],
  [
    { claimMappings: { username: { claim: 'email', prefix: '' } } },
    { email: 'j@x', email_verified: 5 },
    "oidc: parse 'email_verified' claim: json: cannot unmarshal number into Go value of type bool"
  ],
  [{ claimMappings: { username: { claim: 'email', prefix: '' } } }, { email: 'j@x' }, { name: 'j@x', groups: [] }],
  [{ claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } }, { roles: 'dev' }, { name: 'jane', groups: ['r:dev'] }],
  [
    { claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } },
    { roles: ['dev', 'ops'] },
    { name: 'jane', groups: ['r:dev', 'r:ops'] }
  ],
  [{ claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } }, { roles: [] }, { name: 'jane', groups: [] }],
  [{ claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } }, { roles: '' }, { name: 'jane', groups: ['r:'] }],
  [{ claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } }, { roles: null }, { name: 'jane', groups: [] }],
  [
    { claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } },
    { roles: 5 },
    'oidc: parse groups claim "roles": json: cannot unmarshal number into Go value of type string'
  ],
  [
    { claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } },
    { roles: ['a', 5] },
    'oidc: parse groups claim "roles": json: cannot unmarshal array into Go value of type string'
  ],
  [{ claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } }, { roles: [null] }, { name: 'jane', groups: ['r:'] }],
  [
    { claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } },
    { roles: {} },
    'oidc: parse groups claim "roles": json: cannot unmarshal object into Go value of type string'
  ],
  [{ claimMappings: { groups: { claim: 'roles', prefix: 'r:' } } }, {}, { name: 'jane', groups: [] }],
  [{ claimMappings: { uid: { claim: 'id' } } }, { id: 'u' }, { name: 'jane', uid: 'u', groups: [] }],
  [{ claimMappings: { uid: { claim: 'id' } } }, { id: '' }, { name: 'jane', groups: [] }],
  [
    { claimMappings: { uid: { claim: 'id' } } },
    { id: 5 },
    'oidc: parse uid claim "id": json: cannot unmarshal number into Go value of type string'
  ],
  [{ claimMappings: { uid: { claim: 'id' } } }, { id: null }, { name: 'jane', groups: [] }],
  [{ claimMappings: { uid: { claim: 'id' } } }, {}, 'oidc: parse uid claim "id": claim not present'],
  [
    { claimMappings: { username: { claim: 'name', prefix: '' } } },
    { name: 'j', email_verified: false },
    { name: 'j', groups: [] }
  ],
  [{}, { '': 'dev', roles: 'ops' }, { name: 'jane', groups: [] }],
  [
    { claimMappings: { uid: { expression: 'string(claims.n)' } } },
    { n: 2n ** 60n },
    { name: 'jane', uid: '1.152921504606847e+18', groups: [] }
  ],
  [
    { claimMappings: { uid: { expression: "claims.m['1'] == 'x' ? 'a' : 'b'" } } },
    { m: { '1': 'x' } },
    { name: 'jane', uid: 'a', groups: [] }
  ],
  [
    { claimMappings: { uid: { expression: 'string(claims.m[1])' } } },
    { m: { '1': 'x' } },
    "oidc: error evaluating uid claim expression: expression 'string(claims.m[1])' resulted in error: no such key: 1"
  ],
  [
    { claimMappings: { uid: { expression: 'claims.a__x__b' } } },
    { undefined: 'x', a__x__b: 'y' },
    "oidc: error evaluating uid claim expression: expression 'claims.a__x__b' resulted in error: no such key: a__x__b"
  ],
  [{}, { jti: 'x' }, { name: 'jane', groups: [], extra: { 'authentication.kubernetes.io/credential-id': ['JTI=x'] } }],
  [{}, { jti: '' }, { name: 'jane', groups: [] }],
  [{}, { jti: 5 }, { name: 'jane', groups: [] }],
  [{}, { jti: ['x'] }, { name: 'jane', groups: [] }],
  [{}, { jti: null }, { name: 'jane', groups: [] }],
  [{ claimMappings: { username: { expression: 'claims.name' } } }, { name: 'jane' }, { name: 'jane', groups: [] }],
  [
    { claimMappings: { username: { expression: 'claims.name' } } },
    { name: '' },
    'oidc: empty username via CEL expression is not allowed'
  ],
  [
    { claimMappings: { username: { expression: 'claims.name' } } },
    { name: 5 },
    'oidc: error evaluating username claim expression: username claim expression must return a string'
  ],
  [
    { claimMappings: { username: { expression: 'claims.name' } } },
    { name: null },
    'oidc: error evaluating username claim expression: username claim expression must return a string'
  ],
  [
    { claimMappings: { username: { expression: 'claims.name' } } },
    { name: ['x'] },
    'oidc: error evaluating username claim expression: username claim expression must return a string'
  ],
  [
    { claimMappings: { username: { expression: 'claims.name' } } },
    { name: true },
    'oidc: error evaluating username claim expression: username claim expression must return a string'
  ],
  [
    { claimMappings: { username: { expression: 'claims.name' } } },
    {},
    "oidc: error evaluating username claim expression: expression 'claims.name' resulted in error: no such key: name"
  ],
  [{ claimMappings: { groups: { expression: 'claims.roles' } } }, { roles: 'dev' }, { name: 'jane', groups: ['dev'] }],
  [
    { claimMappings: { groups: { expression: 'claims.roles' } } },
    { roles: ['dev', '', 'ops'] },
    { name: 'jane', groups: ['dev', 'ops'] }
  ],
  [{ claimMappings: { groups: { expression: 'claims.roles' } } }, { roles: [] }, { name: 'jane', groups: [] }],
  [{ claimMappings: { groups: { expression: 'claims.roles' } } }, { roles: '' }, { name: 'jane', groups: [] }],
  [{ claimMappings: { groups: { expression: 'claims.roles' } } }, { roles: null }, { name: 'jane', groups: [] }],
  [
    { claimMappings: { groups: { expression: 'claims.roles' } } },
    { roles: 5 },
    'oidc: error evaluating group claim expression: expression must return a string or a list of strings'
  ],
  [
    { claimMappings: { groups: { expression: 'claims.roles' } } },
    { roles: ['a', 5] },
    'oidc: error evaluating group claim expression: expression must return a string or a list of strings'
  ],
  [
    { claimMappings: { groups: { expression: 'claims.roles' } } },
    { roles: {} },
    'oidc: error evaluating group claim expression: expression must return a string or a list of strings'
  ],
  [
    { claimMappings: { groups: { expression: 'claims.roles' } } },
    { roles: [null] },
    'oidc: error evaluating group claim expression: expression must return a string or a list of strings'
  ],
  [
    { claimMappings: { groups: { expression: 'claims.roles' } } },
    { roles: [['x']] },
    'oidc: error evaluating group claim expression: expression must return a string or a list of strings'
  ],
  [{ claimMappings: { uid: { expression: 'claims.id' } } }, { id: 'u' }, { name: 'jane', uid: 'u', groups: [] }],
  [{ claimMappings: { uid: { expression: 'claims.id' } } }, { id: '' }, { name: 'jane', groups: [] }],
  [
    { claimMappings: { uid: { expression: 'claims.id' } } },
    { id: 5 },
    'oidc: error evaluating uid claim expression: uid claim expression must return a string'
  ],
  [
    { claimMappings: { uid: { expression: 'claims.id' } } },
    { id: null },
    'oidc: error evaluating uid claim expression: uid claim expression must return a string'
  ],
  [
    {
      claimMappings: {
        extra: [
          { key: 'x.org/a', valueExpression: 'claims.a' },
          { key: 'x.org/b', valueExpression: "'b'" }
        ]
      }
    },
    { a: 'u' },
    { name: 'jane', groups: [], extra: { 'x.org/a': ['u'], 'x.org/b': ['b'] } }
  ],
  [
    {
      claimMappings: {
        extra: [
          { key: 'x.org/a', valueExpression: 'claims.a' },
          { key: 'x.org/b', valueExpression: "'b'" }
        ]
      }
    },
    { a: '' },
    { name: 'jane', groups: [], extra: { 'x.org/b': ['b'] } }
  ],
  [
    {
      claimMappings: {
        extra: [
          { key: 'x.org/a', valueExpression: 'claims.a' },
          { key: 'x.org/b', valueExpression: "'b'" }
        ]
      }
    },
    { a: ['a', 'b'] },
    { name: 'jane', groups: [], extra: { 'x.org/a': ['a', 'b'], 'x.org/b': ['b'] } }
  ],
  [
    {
      claimMappings: {
        extra: [
          { key: 'x.org/a', valueExpression: 'claims.a' },
          { key: 'x.org/b', valueExpression: "'b'" }
        ]
      }
    },
    { a: [] },
    { name: 'jane', groups: [], extra: { 'x.org/b': ['b'] } }
  ],
  [
    {
      claimMappings: {
        extra: [
          { key: 'x.org/a', valueExpression: 'claims.a' },
          { key: 'x.org/b', valueExpression: "'b'" }
        ]
      }
    },
    { a: 5 },
    'oidc: error evaluating extra claim expression: claims.a: expression must return a string or a list of strings'
  ],
  [
    {
      claimMappings: {
        extra: [
          { key: 'x.org/a', valueExpression: 'claims.a' },
          { key: 'x.org/b', valueExpression: "'b'" }
        ]
      }
    },
    { a: null },
    { name: 'jane', groups: [], extra: { 'x.org/b': ['b'] } }
  ],
  [
    {
      claimMappings: {
        extra: [
          { key: 'x.org/a', valueExpression: 'claims.a' },
          { key: 'x.org/b', valueExpression: "'b'" }
        ]
      }
    },
    {},
    "expression 'claims.a' resulted in error: no such key: a"
  ],
  [
    { claimMappings: { extra: [{ key: 'x.org/jti', valueExpression: 'claims.jti' }] } },
    { jti: 'j' },
    { name: 'jane', groups: [], extra: { 'authentication.kubernetes.io/credential-id': ['JTI=j'], 'x.org/jti': ['j'] } }
  ],
  [{ claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] }, { hd: 'acme' }, { name: 'jane', groups: [] }],
  [
    { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
    { hd: 'other' },
    'oidc: required claim hd value does not match. Got = other, want = acme'
  ],
  [
    { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
    { hd: 5 },
    'oidc: parse claim hd: json: cannot unmarshal number into Go value of type string'
  ],
  [
    { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
    { hd: null },
    'oidc: required claim hd value does not match. Got = , want = acme'
  ],
  [{ claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] }, {}, 'oidc: required claim hd not present in ID token'],
  [{ claimValidationRules: [{ claim: 'hd' }] }, { hd: '' }, { name: 'jane', groups: [] }],
  [{ claimValidationRules: [{ claim: 'hd' }] }, {}, 'oidc: required claim hd not present in ID token'],
  [
    { claimValidationRules: [{ expression: 'claims.ok == true', message: 'not ok' }] },
    { ok: true },
    { name: 'jane', groups: [] }
  ],
  [
    { claimValidationRules: [{ expression: 'claims.ok == true', message: 'not ok' }] },
    { ok: false },
    "oidc: error evaluating claim validation expression: validation expression 'claims.ok == true' failed: not ok"
  ],
  [
    { claimValidationRules: [{ expression: 'claims.ok == true', message: 'not ok' }] },
    { ok: 'x' },
    "oidc: error evaluating claim validation expression: validation expression 'claims.ok == true' failed: not ok"
  ],
  [
    { claimValidationRules: [{ expression: 'claims.ok == true', message: 'not ok' }] },
    { ok: null },
    "oidc: error evaluating claim validation expression: validation expression 'claims.ok == true' failed: not ok"
  ],
  [
    { claimValidationRules: [{ expression: 'claims.ok == true', message: 'not ok' }] },
    {},
    "oidc: error evaluating claim validation expression: expression 'claims.ok == true' resulted in error: no such key: ok"
  ],
  [
    { claimValidationRules: [{ expression: 'claims.level > 5' }] },
    { level: 3 },
    "oidc: error evaluating claim validation expression: validation expression 'claims.level > 5' failed: "
  ],
  [
    { claimValidationRules: [{ expression: "claims.sub == ('system:' + claims.kubernetes__dot__io.namespace)" }] },
    { sub: 'system:n', 'kubernetes.io': { namespace: 'n' } },
    { name: 'system:n', groups: [] }
  ],
  [
    {
      claimValidationRules: [
        { expression: "has(claims.a.b__dot__c) && claims.list[0].d__slash__e == 1 && claims['a']['b.c'] == 2" }
      ]
    },
    { a: { 'b.c': 2 }, list: [{ 'd/e': 1 }] },
    { name: 'jane', groups: [] }
  ],
  [
    { claimValidationRules: [{ expression: 'claims.exp > 4000000000 && type(claims.exp) == double' }] },
    {},
    { name: 'jane', groups: [] }
  ],
  [
    { claimValidationRules: [{ expression: 'size(claims) > 0' }] },
    {},
    "oidc: error evaluating claim validation expression: expression 'size(claims) > 0' resulted in error: no such overload: size"
  ],
  [
    { claimValidationRules: [{ expression: "'sub' in claims" }] },
    {},
    "oidc: error evaluating claim validation expression: expression ''sub' in claims' resulted in error: no such overload"
  ],
  [
    { claimValidationRules: [{ expression: 'has(claims.__proto__) || has(claims.constructor) || has(claims.toString)' }] },
    {},
    "oidc: error evaluating claim validation expression: validation expression 'has(claims.__proto__) || has(claims.constructor) || has(claims.toString)' failed: "
  ],
  [
    {
      claimValidationRules: [
        {
          expression:
            '[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a+b+c+d+e+f > 0))))))'
        }
      ]
    },
    {},
    "oidc: error evaluating claim validation expression: expression '[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a+b+c+d+e+f > 0))))))' resulted in error: operation cancelled: actual cost limit exceeded"
  ],
  [
    {
      userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' } }
    },
    {},
    { name: 'jane', groups: [] }
  ],
  [
    {
      userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' } }
    },
    { sub: 'system:admin' },
    "oidc: error evaluating user info validation rule: validation expression '!user.username.startsWith('system:')' failed: refused"
  ],
  [
    {
      userValidationRules: [{ expression: "user.groups.all(g, !g.startsWith('system:'))", message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' } }
    },
    { roles: ['dev'] },
    { name: 'jane', groups: ['dev'] }
  ],
  [
    {
      userValidationRules: [{ expression: "user.groups.all(g, !g.startsWith('system:'))", message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' } }
    },
    { roles: ['system:masters'] },
    "oidc: error evaluating user info validation rule: validation expression 'user.groups.all(g, !g.startsWith('system:'))' failed: refused"
  ],
  [
    {
      userValidationRules: [{ expression: 'user.groups.size() == 0', message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' } }
    },
    {},
    { name: 'jane', groups: [] }
  ],
  [
    {
      userValidationRules: [{ expression: "user.uid == ''", message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' } }
    },
    {},
    { name: 'jane', groups: [] }
  ],
  [
    {
      userValidationRules: [{ expression: 'has(user.uid)', message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' } }
    },
    {},
    { name: 'jane', groups: [] }
  ],
  [
    {
      userValidationRules: [{ expression: 'user.extra.size() == 0', message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' } }
    },
    {},
    { name: 'jane', groups: [] }
  ],
  [
    {
      userValidationRules: [{ expression: "user.extra['x.org/a'] == ['1']", message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' }, extra: [{ key: 'x.org/a', valueExpression: 'claims.a' }] }
    },
    { a: '1' },
    { name: 'jane', groups: [], extra: { 'x.org/a': ['1'] } }
  ],
  [
    {
      userValidationRules: [{ expression: 'user.extra.x__dot__org__slash__a[0] == "1"', message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' }, extra: [{ key: 'x.org/a', valueExpression: 'claims.a' }] }
    },
    { a: '1' },
    { name: 'jane', groups: [], extra: { 'x.org/a': ['1'] } }
  ],
  [
    {
      userValidationRules: [{ expression: "user.extra['nope'] == []", message: 'refused' }],
      claimMappings: { groups: { claim: 'roles', prefix: '' } }
    },
    {},
    "oidc: error evaluating user info validation rule: expression 'user.extra['nope'] == []' resulted in error: no such key: nope"
  ]
]

describe('a user', () => {
  for (const [change, claims, expected] of rows)
    it(`of ${JSON.stringify(claims, (_, value) => (typeof value === 'bigint' ? String(value) : value))} with ${JSON.stringify(change)}`, () => {
      const config = {
        ...change,
        issuer: { url: always.iss, audiences: ['c'] },
        claimMappings: { username: { claim: 'sub', prefix: '' }, groups: {}, uid: {}, ...change.claimMappings }
      }
      const { jwt, errors } = validateConfiguration({ jwt: [config] })
      assert.deepEqual(errors.list, [])
      const make = () => claimedUser({ ...always, ...claims }, jwt[0]!)
      if (typeof expected === 'string') assert.throws(make, { constructor: TokenError, message: expected })
      else assert.deepEqual(make(), expected)
    })
})
