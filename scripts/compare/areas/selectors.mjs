/** Label and field selectors, well-formed and not, on lists of every kind. */
const fields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'spec.nodeName',
  'status.phase',
  'spec.type',
  'type',
  'involvedObject.kind',
  'reason',
  'nothing',
  'spec.unschedulable',
  'status.successful',
  'Metadata.Name',
  ''
]
const labelKeys = ['a', 'app.kubernetes.io/name', 'a/b/c', '-a', 'A_b', 'é', '', 'x'.repeat(64), 'in', 'notin', '!a', ' a ']
const values = [
  '',
  'b',
  'b c',
  '-',
  'x'.repeat(64),
  '1',
  '-1',
  '9223372036854775808',
  '9007199254740993',
  '1.5',
  'é',
  '"b"',
  '\\,'
]
const operators = ['=', '==', '!=', '>', '<', '>=', ' = ', '=!', ' in ', ' notin ', ' exists ', ' gt ', '']
const lists = [
  '(b)',
  '(b,c)',
  '()',
  '(',
  ')',
  '((b))',
  '(b,(c))',
  '(,)',
  '(b',
  'b)',
  '( b , c )',
  '(b c)',
  '(-)',
  '(in,notin)',
  '((b,c),d)',
  '(=)',
  '(!b)'
]

export async function area({ random, cluster }) {
  const listed = cluster.resources.filter(r => r.namespaced && r.verbs.includes('list'))
  const everywhere = cluster.resources.filter(r => r.verbs.includes('list') && r.resource !== 'componentstatuses')

  function labelTerm() {
    const key = random.pick(labelKeys)
    if (random.chance(0.4)) return `${key}${random.pick([' in ', ' notin ', ' in', 'in ', ' not in '])}${random.pick(lists)}`
    return `${random.pick(['', '', '!', '! '])}${key}${random.pick(operators)}${random.pick(values)}`
  }
  const fieldTerm = () => `${random.pick(fields)}${random.pick(operators)}${random.pick(values)}`
  const several = term => [term(), ...Array.from({ length: random.below(2) }, term)].join(random.pick([',', ', ', ';', ',,']))

  return {
    eachResource: true,
    generate() {
      const byField = random.chance(0.5)
      const resource = random.pick(byField ? everywhere : listed)
      const selector = several(byField ? fieldTerm : labelTerm)
      // objects of others in the cluster must not match
      const query = new URLSearchParams({ [byField ? 'fieldSelector' : 'labelSelector']: selector })
      if (!resource.namespaced) query.set('labelSelector', 'nobody=$RUN')
      if (random.chance(0.15)) query.set('watch', 'true')
      if (query.has('watch')) query.set('timeoutSeconds', '1')
      const method = random.chance(0.1) ? 'DELETE' : 'GET'
      const path = `${cluster.pathOf(resource)}?${query}${method === 'DELETE' ? '&dryRun=All' : ''}&resourceVersion=0`.replace(
        '%24RUN',
        '$RUN'
      )
      return { requests: [{ method, path }] }
    }
  }
}
