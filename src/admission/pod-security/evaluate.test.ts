import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import type { PodLike } from './check.js'
import { violations } from './evaluate.js'
import { lax, policyOf, type Standard } from './policy.js'

const pod = (spec: object, container: object = {}): PodLike => ({
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec } as any
})
const reasons = (standard: Standard, of: PodLike) => violations(standard, of).map(({ reason }) => reason)
const restricted = (minor: Standard['minor']): Standard => ({ level: 'restricted', minor })
const label = (name: string) => `pod-security.kubernetes.io/${name}`

test('each version of a standard runs the checks of that version', () => {
  const plain = pod({})
  assert.deepEqual(reasons(restricted(7), plain), ['runAsNonRoot != true'])
  assert.deepEqual(reasons(restricted(18), plain), ['allowPrivilegeEscalation != false', 'runAsNonRoot != true'])
  const all = ['allowPrivilegeEscalation != false', 'unrestricted capabilities', 'runAsNonRoot != true', 'seccompProfile']
  assert.deepEqual(reasons(restricted(22), plain), all)
  assert.deepEqual(reasons(restricted('latest'), plain), all)
  assert.deepEqual(reasons(restricted(99), plain), all)
  assert.deepEqual(reasons({ level: 'baseline', minor: 'latest' }, plain), [])
})

test('a check of the restricted level replaces the check of the baseline', () => {
  const hostPath = pod({ volumes: [{ name: 'v', hostPath: { path: '/' } }] })
  assert.deepEqual(reasons({ level: 'baseline', minor: 0 }, hostPath), ['hostPath volumes'])
  assert.deepEqual(reasons(restricted(0), hostPath), ['restricted volume types', 'runAsNonRoot != true'])
})

test('a Pod in its own user namespace may run as root, since 1.35', () => {
  const root = pod({ hostUsers: false }, { securityContext: { runAsUser: 0 } })
  assert.ok(reasons(restricted(34), root).includes('runAsUser=0'))
  assert.ok(!reasons(restricted(35), root).includes('runAsUser=0'))
})

test('invalid labels enforce the strictest level, and warn of nothing', () => {
  const errors = new FieldErrors()
  const policy = policyOf({ [label('enforce')]: 'strict', [label('warn')]: 'all', [label('audit-version')]: '1.30' }, errors)
  assert.deepEqual([policy.enforce.level, policy.warn.level, policy.audit.minor], ['restricted', 'privileged', 'latest'])
  assert.deepEqual(
    errors.list.map(({ field }) => field),
    ['enforce', 'audit-version', 'warn'].map(name => `metadata.labels[${label(name)}]`)
  )
})

test('a namespace without labels has the default policy', () => {
  const defaults = { ...lax, warn: { level: 'baseline', minor: 30 } } as const
  assert.equal(policyOf(undefined, undefined, defaults), defaults)
  assert.deepEqual(policyOf({}, undefined, defaults).warn, { ...defaults.warn, given: undefined })
})

test('the enforced standard is the default for warnings', () => {
  const { warn } = policyOf({ [label('enforce')]: 'baseline', [label('enforce-version')]: 'v1.30' })
  assert.deepEqual([warn.level, warn.minor], ['baseline', 30])
  assert.equal(policyOf({ [label('enforce')]: 'baseline', [label('warn')]: 'privileged' }).warn.level, 'privileged')
})
