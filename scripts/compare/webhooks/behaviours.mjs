/** How webhooks answer, well and badly: answers of hook-server.mjs. */

/** Returns generators of answers. `fieldsOf(kind)`: JSON Patches of what a kind has beside metadata. */
export function behaviours(random) {
  const one = (...values) => random.pick(values)
  const maybe = (chance, fields) => (random.chance(chance) ? fields : {})
  const text = value => one(...(typeof value === 'string' ? [value] : value))

  const ofMetadata = () => {
    const at = field => `/metadata/${field}`
    return one(
      [{ op: 'add', path: at('labels'), value: { case: '$ID', x: one('1', '2') } }],
      [{ op: 'add', path: at('labels/x'), value: one('1', '2') }],
      [{ op: 'add', path: at('labels/y'), value: one('', 'not valid', 1, null) }],
      [{ op: 'remove', path: at('labels') }],
      [{ op: 'remove', path: at('labels/x') }],
      [{ op: 'add', path: at('annotations'), value: { h: one('1', '2') } }],
      [{ op: 'add', path: at('annotations/h'), value: one('1', '2') }],
      [{ op: one('replace', 'add'), path: at('name'), value: one('$ID-a', '$ID-other', 'Not Valid', '', 5) }],
      [{ op: 'remove', path: at(one('name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'managedFields')) }],
      [{ op: 'add', path: at('namespace'), value: one('default', '', '$ID') }],
      [{ op: 'add', path: at('generateName'), value: one('gen-', '') }],
      [{ op: 'add', path: at('uid'), value: one('11111111-1111-4111-8111-111111111111', 'x', '') }],
      [{ op: 'add', path: at('resourceVersion'), value: one('1', 'x', '') }],
      [{ op: 'add', path: at('generation'), value: one(7, -1) }],
      [{ op: 'add', path: at('creationTimestamp'), value: one(null, '2020-01-01T00:00:00Z', 'x') }],
      [{ op: 'add', path: at('deletionTimestamp'), value: one(null, '2020-01-01T00:00:00Z') }],
      [{ op: 'add', path: at('finalizers'), value: one(['example.com/f'], [], ['bad']) }],
      [{ op: 'remove', path: at('finalizers') }],
      [
        { op: 'add', path: at('ownerReferences'), value: one([], [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }]) }
      ],
      [{ op: 'add', path: at('managedFields'), value: one([], null, [{ manager: 'h', operation: one('Update', 'Nope') }]) }],
      [{ op: 'add', path: '/metadata', value: one({}, null, { name: '$ID-a' }) }],
      [{ op: 'remove', path: one('/metadata', '/kind', '/apiVersion') }],
      [{ op: 'replace', path: '/kind', value: one('Secret', 'Nope', '') }],
      [{ op: 'replace', path: '/apiVersion', value: one('v1', 'v2', 'apps/v1') }],
      [{ op: 'add', path: '/unknown', value: 1 }],
      [{ op: 'replace', path: '', value: one({}, [], null, { metadata: { name: '$ID-a' } }) }]
    )
  }

  const fieldsOf = {
    ConfigMap: () =>
      one(
        { path: '/data', value: one({ a: 'h' }, { h: '1' }, 'str', null, {}, { a: 1 }) },
        { path: '/data/h', value: one('1', '2') },
        { path: '/data/a', value: one('1', 'h') },
        { path: '/immutable', value: one(true, false) }
      ),
    Deployment: () =>
      one(
        { path: '/spec/replicas', value: one(3, 0, -1, '1') },
        { path: '/spec/template/spec/containers/0/image', value: one('h:1', '') },
        {
          path: '/spec/template/spec/containers/-',
          value: one({ name: 'h', image: 'h' }, { name: 'c', image: 'h' }, { name: 'h' })
        },
        { path: '/spec/template/metadata/labels', value: one({ a: 'b', h: '1' }, {}) },
        { path: '/spec/selector/matchLabels/h', value: '1' },
        { path: '/spec/paused', value: true },
        { path: '/status', value: { replicas: 2 } },
        { path: '/spec', value: one({}, null) }
      ),
    Scale: () => one({ path: '/spec/replicas', value: one(3, 0, -1) }, { path: '/status/replicas', value: 9 }),
    Pod: () =>
      one(
        { path: '/spec/containers/0/image', value: one('h:1', '') },
        { path: '/spec/containers/-', value: one({ name: 'h', image: 'h' }, { name: 'c', image: 'h' }) },
        { path: '/spec/nodeName', value: 'h' },
        { path: '/spec/tolerations', value: [{ key: 'h', operator: 'Exists' }] },
        { path: '/spec/activeDeadlineSeconds', value: one(5, -1) },
        { path: '/spec/priority', value: 5 },
        { path: '/status/phase', value: one('Failed', 'Running') }
      ),
    Thing: () =>
      one(
        { path: '/spec', value: one({ h: '1' }, {}, null, 'str', { replicas: 'x' }) },
        { path: '/spec/replicas', value: one(3, '3', null, -1) },
        { path: '/spec/a', value: one('h', { b: 1 }, [1], null) },
        { path: '/spec/unknown', value: 1 },
        { path: '/status', value: one({ phase: 'h' }, null, 5) }
      ),
    Namespace: () =>
      one({ path: '/spec/finalizers', value: one(['kubernetes'], []) }, { path: '/status/phase', value: 'Terminating' }),
    HorizontalPodAutoscaler: () =>
      one({ path: '/spec/maxReplicas', value: one(5, 0) }, { path: '/spec/minReplicas', value: one(2, 0, null) })
  }
  const ofFields = kind => [{ op: one('add', 'add', 'add', 'replace'), ...(fieldsOf[kind] ?? fieldsOf.ConfigMap)() }]

  const oddOperations = () =>
    one(
      [],
      [{ op: 'test', path: '/metadata/name', value: one('$ID-a', 'x') }],
      [{ op: 'copy', from: '/metadata/name', path: '/metadata/labels/x' }],
      [{ op: 'move', from: '/metadata/labels', path: '/metadata/annotations' }],
      [{ op: 'nope', path: '/metadata/name' }],
      [{ op: 'add', path: 'metadata' }],
      [{ op: 'add', path: '/metadata/labels/x' }],
      [{ path: '/metadata' }],
      [{ op: 'remove', path: '/nothing/here' }],
      [{ op: 'add', path: '/nothing/here', value: 1 }]
    )

  const patched = kind => {
    const operations = one(
      () => ofFields(kind),
      () => ofFields(kind),
      ofMetadata,
      ofMetadata,
      () => [...ofFields(kind), ...ofMetadata()],
      oddOperations
    )()
    return { response: { operations, ...maybe(0.15, { warnings: [one('w', 'two words')] }) } }
  }

  const denied = () => ({
    response: {
      allowed: false,
      ...maybe(0.8, {
        status: {
          ...maybe(0.7, { message: text(['no', 'no <b>&', '']) }),
          ...maybe(0.5, { code: one(400, 403, 418, 200, 0, 503, 429) }),
          ...maybe(0.4, { reason: text(['Teapot', 'Forbidden', 'NotFound']) }),
          ...maybe(0.2, { status: text(['Success', 'Failure', 'X']) }),
          ...maybe(0.2, { details: { causes: [{ message: 'm', field: 'f' }], retryAfterSeconds: one(0, 9) } })
        }
      }),
      // nothing becomes of it
      ...maybe(0.15, { operations: [{ op: 'add', path: '/metadata/labels/x', value: '1' }] }),
      ...maybe(0.15, { warnings: ['denied'] })
    }
  })

  const failing = () =>
    one(
      { drops: true },
      { code: 500, type: 'text/plain', text: 'broken' },
      { code: 404, type: 'text/plain', text: 'nowhere' },
      { code: 503, text: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'busy', code: 503 }) },
      { type: 'text/plain', text: 'hello' },
      { text: '' },
      { text: '{}' },
      { text: '[]' },
      { text: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }) },
      { text: JSON.stringify({ apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview', response: { allowed: true } }) },
      { text: JSON.stringify({ apiVersion: 'v1', kind: 'Pod' }) },
      { response: { uid: 'other' } },
      { response: { uid: '' } },
      { response: { allowed: 'yes' } },
      { response: { allowed: null } },
      { response: { patch: '' } },
      { response: { patch: 'W10=' } },
      { response: { patch: '!', patchType: 'JSONPatch' } },
      { response: { patch: 'e30=', patchType: 'JSONPatch' } },
      { response: { patch: 'bnVsbA==', patchType: 'JSONPatch' } },
      { response: { patch: 'W10=', patchType: one('MergePatch', '') } },
      { response: { patchType: 'JSONPatch' } },
      { response: { warnings: 'w' } },
      { response: { auditAnnotations: { a: 1 } } },
      { response: { unknown: 1 } }
    )

  const speaking = () =>
    one(
      { response: { warnings: ['one', 'two'] } },
      { response: { warnings: ['one', 'one', ''] } },
      { response: { warnings: ['a "quoted" \\ one'] } },
      { response: { warnings: ['x'.repeat(300)] } },
      { response: { auditAnnotations: { a: 'b', 'Not Valid': 'c' } } },
      { response: { status: { message: 'ignored', code: 500 } } }
    )

  /** An answer of a webhook that may change the object. */
  const mutating = kind =>
    one(
      () => ({}),
      () => patched(kind),
      () => patched(kind),
      () => patched(kind),
      () => patched(kind),
      () => one(denied, failing, speaking)(),
      () => (random.chance(0.2) ? { hangs: true } : failing())
    )()
  const validating = () =>
    one(denied, denied, speaking, failing, () =>
      random.chance(0.3)
        ? { hangs: true }
        : { response: { operations: one([], [{ op: 'add', path: '/metadata/labels/x', value: '1' }]) } }
    )()
  return { mutating, validating }
}
