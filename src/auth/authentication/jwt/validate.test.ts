/** What kube-apiserver 1.36.2 says about configurations: the messages were recorded from its own packages. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError } from '../../../apimachinery/config/read-config.js'
import { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import { aggregateText } from '../../../util/go-format.js'
import { readAuthenticationConfiguration } from './configuration.js'
import { validateConfiguration } from './validate.js'

const issuer = { url: 'https://a.example.com', audiences: ['c'] }
const username = { claim: 'sub', prefix: '' }
const good = { issuer, claimMappings: { username } }
const serviceAccounts = ['https://sa', 'https://b-sa']

function problems(fields: object, version = 'v1', features?: FeatureGates): string {
  const head = { apiVersion: `apiserver.config.k8s.io/${version}`, kind: 'AuthenticationConfiguration' }
  const configuration = readAuthenticationConfiguration(JSON.stringify({ ...head, ...fields }))
  const { list } = validateConfiguration(configuration, serviceAccounts, features).errors
  return list.length === 0 ? '' : aggregateText(list.map(({ field, message }) => `${field}: ${message}`))
}

interface Changes {
  readonly issuer?: object
  readonly claimMappings?: object
  readonly claimValidationRules?: readonly object[]
  readonly userValidationRules?: readonly object[]
}

/** Changes of a good issuer, with the message; an empty one means that it is still good. */
const rows: readonly (readonly [Changes, string])[] = [
  [{ issuer: { url: '' } }, 'jwt[0].issuer.url: Required value'],
  [{ issuer: { url: 'http://x' } }, 'jwt[0].issuer.url: Invalid value: "http://x": URL scheme must be https'],
  [
    { issuer: { url: 'https://u:p@x/?q=1#f' } },
    '[jwt[0].issuer.url: Invalid value: "https://u:p@x/?q=1#f": URL must not contain a username or password, jwt[0].issuer.url: Invalid value: "https://u:p@x/?q=1#f": URL must not contain a query, jwt[0].issuer.url: Invalid value: "https://u:p@x/?q=1#f": URL must not contain a fragment]'
  ],
  [
    { issuer: { url: 'https://sa' } },
    'jwt[0].issuer.url: Invalid value: "https://sa": URL must not overlap with disallowed issuers: [https://b-sa https://sa]'
  ],
  [{ issuer: { url: ':x' } }, 'jwt[0].issuer.url: Invalid value: ":x": parse ":x": missing protocol scheme'],
  [{ issuer: { url: 'https://x?' } }, ''],
  [
    { issuer: { url: 'https://u@x' } },
    'jwt[0].issuer.url: Invalid value: "https://u@x": URL must not contain a username or password'
  ],
  [{ issuer: { url: 'x' } }, 'jwt[0].issuer.url: Invalid value: "x": URL scheme must be https'],
  [
    { issuer: { discoveryURL: 'https://a.example.com' } },
    'jwt[0].issuer.discoveryURL: Invalid value: "https://a.example.com": discoveryURL must be different from URL'
  ],
  [
    { issuer: { discoveryURL: 'https://a.example.com//' } },
    'jwt[0].issuer.discoveryURL: Invalid value: "https://a.example.com//": discoveryURL must be different from URL'
  ],
  [
    { issuer: { discoveryURL: 'http://b?x' } },
    '[jwt[0].issuer.discoveryURL: Invalid value: "http://b?x": URL scheme must be https, jwt[0].issuer.discoveryURL: Invalid value: "http://b?x": URL must not contain a query]'
  ],
  [{ issuer: { discoveryURL: 'https://sa' } }, ''],
  [{ issuer: { discoveryURL: '' } }, ''],
  [{ issuer: { audiences: [] } }, 'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required'],
  [{ issuer: { audiences: [''] } }, 'jwt[0].issuer.audiences[0]: Required value'],
  [
    { issuer: { audiences: ['a', 'a'] } },
    '[jwt[0].issuer.audiences[1]: Duplicate value: "a", jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences]'
  ],
  [
    { issuer: { audiences: ['a', 'b'] } },
    'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences'
  ],
  [{ issuer: { audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny' } }, ''],
  [{ issuer: { audienceMatchPolicy: 'MatchAny' } }, ''],
  [
    { issuer: { audienceMatchPolicy: 'X' } },
    'jwt[0].issuer.audienceMatchPolicy: Invalid value: "X": audienceMatchPolicy must be empty or MatchAny for single audience'
  ],
  [
    { issuer: { audiences: ['a', 'b'], audienceMatchPolicy: 'X' } },
    'jwt[0].issuer.audienceMatchPolicy: Invalid value: "X": audienceMatchPolicy must be MatchAny for multiple audiences'
  ],
  [
    { issuer: { certificateAuthority: 'x' } },
    'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates'
  ],
  [
    { issuer: { certificateAuthority: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' } },
    'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": x509: malformed certificate'
  ],
  [
    { issuer: { certificateAuthority: '-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n' } },
    'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates'
  ],
  [
    { issuer: { egressSelectorType: 'x' } },
    'jwt[0].issuer.egressSelectorType: Invalid value: "x": egress selector must be either controlplane or cluster'
  ],
  [
    { issuer: { egressSelectorType: 'etcd' } },
    'jwt[0].issuer.egressSelectorType: Invalid value: "etcd": egress selector must be either controlplane or cluster'
  ],
  [{ claimValidationRules: [{}] }, 'jwt[0].claimValidationRules[0]: Required value: claim or expression is required'],
  [
    { claimValidationRules: [{ claim: 'a', expression: 'b' }] },
    'jwt[0].claimValidationRules[0]: Invalid value: "a": claim and expression can\'t both be set'
  ],
  [
    { claimValidationRules: [{ claim: 'a', message: 'm' }] },
    'jwt[0].claimValidationRules[0].message: Invalid value: "m": may not be specified when claim is set'
  ],
  [
    { claimValidationRules: [{ claim: 'a' }, { claim: 'a', requiredValue: 'x' }] },
    'jwt[0].claimValidationRules[1].claim: Duplicate value: "a"'
  ],
  [
    { claimValidationRules: [{ expression: 'true', requiredValue: 'x' }] },
    'jwt[0].claimValidationRules[0].requiredValue: Invalid value: "x": may not be specified when expression is set'
  ],
  [
    { claimValidationRules: [{ expression: 'true' }, { expression: 'true' }] },
    'jwt[0].claimValidationRules[1].expression: Duplicate value: "true"'
  ],
  [
    { claimValidationRules: [{ expression: '1' }] },
    'jwt[0].claimValidationRules[0].expression: Invalid value: "1": must evaluate to bool'
  ],
  [
    { claimValidationRules: [{ expression: 'foo.bar' }] },
    "jwt[0].claimValidationRules[0].expression: Invalid value: \"foo.bar\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo.bar\n | ^"
  ],
  [
    { claimValidationRules: [{ expression: 'claims.x' }] },
    'jwt[0].claimValidationRules[0].expression: Invalid value: "claims.x": must evaluate to bool'
  ],
  [
    { claimValidationRules: [{ requiredValue: 'x' }] },
    'jwt[0].claimValidationRules[0]: Required value: claim or expression is required'
  ],
  [
    { claimValidationRules: [{ expression: "int('x') == 1" }] },
    "jwt[0].claimValidationRules[0].expression: Internal error: program instantiation failed: type conversion error from 'string' to 'int'"
  ],
  [
    { claimValidationRules: [{ expression: "'x'.matches('[')" }] },
    "jwt[0].claimValidationRules[0].expression: Invalid value: \"'x'.matches('[')\": compilation failed: ERROR: <input>:1:13: invalid matches argument\n | 'x'.matches('[')\n | ............^"
  ],
  [{ userValidationRules: [{}] }, 'jwt[0].userValidationRules[0].expression: Required value'],
  [
    { userValidationRules: [{ expression: 'true' }, { expression: 'true' }] },
    'jwt[0].userValidationRules[1].expression: Duplicate value: "true"'
  ],
  [
    { userValidationRules: [{ expression: 'user.x' }] },
    'jwt[0].userValidationRules[0].expression: Invalid value: "user.x": compilation failed: ERROR: <input>:1:5: undefined field \'x\'\n | user.x\n | ....^'
  ],
  [
    { userValidationRules: [{ expression: 'user.username' }] },
    'jwt[0].userValidationRules[0].expression: Invalid value: "user.username": must evaluate to bool'
  ],
  [
    { userValidationRules: [{ expression: 'claims.x == 1' }] },
    "jwt[0].userValidationRules[0].expression: Invalid value: \"claims.x == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'claims' (in container '')\n | claims.x == 1\n | ^"
  ],
  [{ userValidationRules: [{ message: 'x' }] }, 'jwt[0].userValidationRules[0].expression: Required value'],
  [{ userValidationRules: [{ expression: "user.extra['a'].exists(x, x == 'b') && user.groups.exists(g, g == 'x')" }] }, ''],
  [{ userValidationRules: [{ expression: "kubernetes.UserInfo{username: 'x'} == user" }] }, ''],
  [{ claimMappings: { username: {} } }, 'jwt[0].claimMappings.username: Required value: claim or expression is required'],
  [
    { claimMappings: { username: { claim: 'a' } } },
    'jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing'
  ],
  [
    { claimMappings: { username: { claim: 'a', prefix: '', expression: 'x' } } },
    'jwt[0].claimMappings.username: Invalid value: "": claim and expression can\'t both be set'
  ],
  [
    { claimMappings: { username: { expression: 'claims.sub', prefix: 'x' } } },
    'jwt[0].claimMappings.username.prefix: Invalid value: "x": may not be specified when expression is set'
  ],
  [
    { claimMappings: { username: { expression: 'claims.sub', prefix: '' } } },
    'jwt[0].claimMappings.username.prefix: Invalid value: "": may not be specified when expression is set'
  ],
  [
    { claimMappings: { username: { expression: 'nope' } } },
    "jwt[0].claimMappings.username.expression: Invalid value: \"nope\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^"
  ],
  [
    { claimMappings: { username: { prefix: 'x' } } },
    'jwt[0].claimMappings.username: Required value: claim or expression is required'
  ],
  [
    { claimMappings: { groups: { claim: 'a' } } },
    'jwt[0].claimMappings.groups.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing'
  ],
  [{ claimMappings: { groups: { prefix: 'a' } } }, ''],
  [
    { claimMappings: { groups: { claim: 'a', expression: 'b' } } },
    'jwt[0].claimMappings.groups: Invalid value: "": claim and expression can\'t both be set'
  ],
  [{ claimMappings: { groups: { expression: '5' } } }, ''],
  [
    { claimMappings: { uid: { claim: 'a', expression: 'b' } } },
    'jwt[0].claimMappings.uid: Invalid value: "": claim and expression can\'t both be set'
  ],
  [
    { claimMappings: { uid: { expression: 'b' } } },
    "jwt[0].claimMappings.uid.expression: Invalid value: \"b\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'b' (in container '')\n | b\n | ^"
  ],
  [{ claimMappings: { uid: { claim: 'a' } } }, ''],
  [
    { claimMappings: { extra: [{}] } },
    '[jwt[0].claimMappings.extra[0].key: Required value, jwt[0].claimMappings.extra[0].valueExpression: Required value]'
  ],
  [
    { claimMappings: { extra: [{ key: 'foo', valueExpression: "'x'" }] } },
    'jwt[0].claimMappings.extra[0].key: Invalid value: "foo": must be a domain-prefixed path (such as "acme.io/foo")'
  ],
  [
    { claimMappings: { extra: [{ key: 'a.com/B', valueExpression: "'x'" }] } },
    'jwt[0].claimMappings.extra[0].key: Invalid value: "a.com/B": must be lowercase'
  ],
  [
    { claimMappings: { extra: [{ key: 'k8s.io/b', valueExpression: "'x'" }] } },
    'jwt[0].claimMappings.extra[0].key: Invalid value: "k8s.io/b": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'
  ],
  [
    {
      claimMappings: {
        extra: [
          { key: 'x.kubernetes.io/b', valueExpression: "'x'" },
          { key: 'x.kubernetes.io/b', valueExpression: "'x'" }
        ]
      }
    },
    '[jwt[0].claimMappings.extra[0].key: Invalid value: "x.kubernetes.io/b": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use, jwt[0].claimMappings.extra[1].key: Invalid value: "x.kubernetes.io/b": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use, jwt[0].claimMappings.extra[1].key: Duplicate value: "x.kubernetes.io/b"]'
  ],
  [{ claimMappings: { extra: [{ key: 'a.com/b' }] } }, 'jwt[0].claimMappings.extra[0].valueExpression: Required value'],
  [
    { claimMappings: { extra: [{ key: 'a.com/b', valueExpression: 'nope' }] } },
    "jwt[0].claimMappings.extra[0].valueExpression: Invalid value: \"nope\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^"
  ],
  [{ claimMappings: { extra: [{ key: 'xk8s.io/b', valueExpression: '"x"' }] } }, ''],
  [
    { claimMappings: { extra: [{ key: 'a.com/b c', valueExpression: '"x"' }] } },
    "jwt[0].claimMappings.extra[0].key: Invalid value: \"b c\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"
  ],
  [
    { claimMappings: { extra: [{ key: 'A_.com/b', valueExpression: '"x"' }] } },
    "[jwt[0].claimMappings.extra[0].key: Invalid value: \"A_.com\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), jwt[0].claimMappings.extra[0].key: Invalid value: \"A_.com/b\": must be lowercase]"
  ],
  [
    { claimMappings: { extra: [{ key: '/b', valueExpression: '"x"' }] } },
    'jwt[0].claimMappings.extra[0].key: Invalid value: "/b": must be a domain-prefixed path (such as "acme.io/foo")'
  ],
  [
    { claimMappings: { extra: [{ key: 'K8S.io/b', valueExpression: '"x"' }] } },
    "[jwt[0].claimMappings.extra[0].key: Invalid value: \"K8S.io\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), jwt[0].claimMappings.extra[0].key: Invalid value: \"K8S.io/b\": must be lowercase]"
  ],
  [
    { claimMappings: { username: { expression: 'claims.email' } } },
    'jwt[0].claimMappings.username.expression: Invalid value: "claims.email": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'
  ],
  [{ claimMappings: { username: { expression: 'claims.email_verified ? claims.email : ""' } } }, ''],
  [
    {
      claimMappings: { username: { expression: 'claims.email' } },
      claimValidationRules: [{ expression: 'claims.?email_verified.orValue(true) == true' }]
    },
    ''
  ],
  [
    {
      claimMappings: {
        username: { expression: 'claims.email' },
        extra: [{ key: 'a.com/b', valueExpression: 'string(claims.email_verified)' }]
      }
    },
    ''
  ],
  [
    { claimMappings: { username: { expression: 'claims.?email.orValue("x")' } } },
    'jwt[0].claimMappings.username.expression: Invalid value: "claims.?email.orValue(\\"x\\")": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'
  ],
  [{ claimMappings: { username: { expression: 'claims["email"]' } } }, ''],
  [
    { claimMappings: { username: { expression: 'has(claims.email) ? "a" : "b"' } } },
    'jwt[0].claimMappings.username.expression: Invalid value: "has(claims.email) ? \\"a\\" : \\"b\\"": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'
  ],
  [
    { claimMappings: { username: { expression: '[claims.email][0]' } } },
    'jwt[0].claimMappings.username.expression: Invalid value: "[claims.email][0]": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'
  ],
  [
    { claimMappings: { username: { expression: '{"a": claims.email}["a"]' } } },
    'jwt[0].claimMappings.username.expression: Invalid value: "{\\"a\\": claims.email}[\\"a\\"]": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'
  ],
  [
    { claimMappings: { username: { expression: '["a"].map(x, claims.email)[0]' } } },
    'jwt[0].claimMappings.username.expression: Invalid value: "[\\"a\\"].map(x, claims.email)[0]": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'
  ],
  [
    { claimMappings: { username: { expression: 'claims.email' }, groups: { expression: 'claims.email_verified' } } },
    'jwt[0].claimMappings.username.expression: Invalid value: "claims.email": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'
  ],
  [{ claimMappings: { username: { expression: 'claims.a.email' } } }, ''],
  [{ claimMappings: { username: { expression: '"claims.email"' } } }, ''],
  [{ claimMappings: { username: { expression: 'claims[?"email"].orValue("")' } } }, '']
]

describe('the configuration of an issuer', () => {
  for (const [change, message] of rows)
    it(`with ${JSON.stringify(change)} is ${message === '' ? 'good' : 'refused'}`, () => {
      const jwt = [
        {
          ...change,
          issuer: { ...issuer, ...change.issuer },
          claimMappings: { username, ...change.claimMappings }
        }
      ]
      assert.equal(problems({ jwt }), message)
    })
})

describe('an AuthenticationConfiguration', () => {
  it('may be empty, in every version', () => {
    for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
      assert.equal(problems({}, version), '')
      assert.equal(problems({ jwt: [], anonymous: {} }, version), '')
      assert.equal(problems({ jwt: [good] }, version), '')
    }
  })

  it('needs more than an empty issuer', () => {
    const message =
      '[jwt[0].issuer.url: Required value, jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required, jwt[0].claimMappings.username: Required value: claim or expression is required]'
    assert.equal(problems({ jwt: [{}] }), message)
  })

  it('has every issuer and discovery URL once, and at most 64', () => {
    assert.equal(problems({ jwt: [good, good] }), 'jwt[1].issuer.url: Duplicate value: "https://a.example.com"')
    const at = (url: string) => ({ ...good, issuer: { ...issuer, url, discoveryURL: 'https://d' } })
    const twice = problems({ jwt: [at('https://a'), at('https://b')] })
    assert.equal(twice, 'jwt[1].issuer.discoveryURL: Duplicate value: "https://d"')
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...good, issuer: { ...issuer, url: `https://i${i}` } }))
    assert.equal(problems({ jwt: many(65) }), 'jwt: Too many: 65: must have at most 64 items')
    assert.equal(problems({ jwt: many(64) }), '')
  })

  it('has conditions for anonymous requests only when there are any', () => {
    const conditions = [{ path: '/healthz' }, { path: '/<x>' }]
    assert.equal(problems({ anonymous: { enabled: true, conditions } }), '')
    const message =
      'anonymous.conditions: Invalid value: [{"Path":"/healthz"},{"Path":"/\\u003cx\\u003e"}]: enabled should be set to true when conditions are defined'
    assert.equal(problems({ anonymous: { conditions } }), message)
  })

  it('is read strictly', () => {
    const read = (fields: object) => () => problems(fields)
    const refused = (message: string) => ({ constructor: ConfigError, message })
    assert.throws(read({ jwt: [{ Issuer: {} }] }), refused('strict decoding error: unknown field "jwt[0].Issuer"'))
    assert.throws(
      read({ jwt: [{ issuer: { url: 5 } }] }),
      /cannot unmarshal number into Go struct field Issuer.jwt.issuer.url of type string/
    )
    assert.throws(
      read({ kind: 'EncryptionConfiguration' }),
      /expected AuthenticationConfiguration, got \*apiserver.EncryptionConfiguration/
    )
    assert.throws(
      () => problems({}, 'v2'),
      /no kind "AuthenticationConfiguration" is registered for version "apiserver.config.k8s.io\/v2"/
    )
  })
})

it('an egress selector needs its gate', () => {
  const jwt = [{ ...good, issuer: { ...issuer, egressSelectorType: 'cluster' } }]
  const off = new FeatureGates({ StructuredAuthenticationConfigurationEgressSelector: false })
  assert.equal(problems({ jwt }), '')
  assert.equal(
    problems({ jwt }, 'v1', off),
    'jwt[0].issuer.egressSelectorType: Invalid value: "cluster": egress selector is not supported when StructuredAuthenticationConfigurationEgressSelector feature gate is disabled'
  )
})
