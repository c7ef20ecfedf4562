/**
 * Random expressions as rules of CustomResourceDefinitions and in policies: what does not compile or costs too much. Defaults in the definitions are validated by the
 * rules, so that the expressions are evaluated as well, all in dry runs.
 */
const schema = {
  type: 'object',
  properties: {
    i: { type: 'integer' },
    n: { type: 'number' },
    s: { type: 'string', maxLength: 20 },
    b: { type: 'boolean' },
    t: { type: 'string', format: 'date-time' },
    d: { type: 'string', format: 'duration' },
    y: { type: 'string', format: 'byte' },
    l: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } },
    c: { type: 'array', maxItems: 5, items: { type: 'integer' } },
    m: { type: 'object', maxProperties: 5, additionalProperties: { type: 'string', maxLength: 10 } },
    o: { type: 'object', properties: { x: { type: 'integer' }, 'a-b': { type: 'string' } } },
    p: { type: 'array', maxItems: 3, items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } } },
    q: { 'x-kubernetes-int-or-string': true }
  }
}
const values = {
  i: [0, 3, -7, 9007199254740991],
  n: [0.5, -2, 1e21],
  s: ['', 'abc', 'a-b', '10Mi', '192.168.0.1', '10.0.0.0/8', 'https://a.b:80/c?d=e', '1.2.3', 'ä€'],
  b: [true, false],
  t: ['2024-02-29T12:30:45Z', '1999-12-31T23:59:59.123+02:00'],
  d: ['1h', '1m30s', '-5ms'],
  y: ['', 'YWJj'],
  l: [[], ['a'], ['b', 'a', 'b']],
  c: [[], [1], [3, 1, 2, 1]],
  m: [{}, { a: 'x', b: '' }],
  o: [{}, { x: 5 }, { x: 1, 'a-b': 'z' }],
  p: [[], [{ k: 'a', v: 1 }, { k: 'b' }]],
  q: [5, '50%']
}
/** Expressions that make a value of each type; $type stands for an argument. */
const makers = {
  int: [
    'self.i',
    '0',
    '1',
    '-3',
    '9223372036854775807',
    'size($str)',
    'size($strs)',
    '$int + $int',
    '$int - $int',
    '$int * $int',
    '$int / $int',
    '$int % $int',
    '-($int)',
    'int($str)',
    'int($num)',
    'int($time)',
    '$strs.indexOf($str)',
    '$str.indexOf($str)',
    '$str.lastIndexOf($str)',
    '$ints.sum()',
    '$ints.max()',
    '$ints.min()',
    '$time.getFullYear()',
    "$time.getHours('Europe/Berlin')",
    '$time.getDayOfWeek()',
    '$dur.getMinutes()',
    '$dur.getMilliseconds()',
    'self.o.x',
    'self.p[0].v',
    '$ints[$int]',
    '$bool ? $int : $int',
    'math.greatest($int, $int)',
    'math.abs($int)',
    'math.bitAnd($int, $int)',
    '$ver.major()',
    '$cidr.prefixLength()',
    '$ip.family()',
    '$quant.asInteger()',
    '$quant.sign()',
    '$quant.compareTo($quant)',
    '$ver.compareTo($ver)',
    'self.?o.x.orValue($int)',
    'self.p.map(e, e.v).sum()',
    'uint($int)'
  ],
  num: [
    'self.n',
    '1.5',
    '-0.0',
    '1e300',
    'double($int)',
    'double($str)',
    '$num + $num',
    '$num / $num',
    '$quant.asApproximateFloat()',
    'math.ceil($num)',
    'math.sign($num)'
  ],
  str: [
    'self.s',
    "''",
    "'abc'",
    "'a,b'",
    'string($int)',
    'string($num)',
    'string($time)',
    'string($dur)',
    'string($bool)',
    '$str + $str',
    '$str.lowerAscii()',
    '$str.upperAscii()',
    '$str.trim()',
    '$str.replace($str, $str)',
    '$str.replace($str, $str, $int)',
    '$str.substring($int)',
    '$str.substring($int, $int)',
    '$str.charAt($int)',
    '$strs.join()',
    '$strs.join($str)',
    '$strs[0]',
    'self.m[$str]',
    "self.o['a-b']",
    'self.o.a__dash__b',
    '$str.find($str)',
    "$str.find('[a-z]+')",
    '$url.getHost()',
    '$url.getEscapedPath()',
    '$url.getScheme()',
    'string($ip)',
    'string($bytes)',
    "'%s-%d'.format([$str, $int])",
    "'%.2f %x'.format([$num, $int])",
    '$bool ? $str : $str',
    'self.?s.orValue($str)',
    '$str.reverse()',
    'string(self.q)',
    'type($int) == int ? $str : $str',
    'strings.quote($str)',
    'base64.encode($bytes)',
    'format.dns1123Label().value().validate($str).value()[0]'
  ],
  bool: [
    'self.b',
    'true',
    'false',
    '$int < $int',
    '$int >= $int',
    '$str == $str',
    '$num != $num',
    '$bool && $bool',
    '$bool || $bool',
    '!($bool)',
    '$str in $strs',
    '$str in self.m',
    '$str.startsWith($str)',
    '$str.contains($str)',
    "$str.matches('^[a-z]*$')",
    '$str.matches($str)',
    '$strs.exists(e, e == $str)',
    '$ints.all(e, e > $int)',
    '$strs.exists_one(e, $bool)',
    'has(self.o.x)',
    'has(self.s)',
    '$strs.isSorted()',
    'isQuantity($str)',
    'isIP($str)',
    'isCIDR($str)',
    'isURL($str)',
    'isSemver($str)',
    '$cidr.containsIP($str)',
    '$cidr.containsCIDR($cidr)',
    '$ip.isLoopback()',
    '$quant.isGreaterThan($quant)',
    '$ver.isLessThan($ver)',
    '$time < $time',
    '$dur > $dur',
    '$strs == $strs',
    'self.l.sets.contains($strs)',
    'sets.intersects($strs, $strs)',
    'sets.equivalent($ints, $ints)',
    'self.o == self.o',
    'self.p.all(e, has(e.v))',
    '$bool ? $bool : $bool',
    'self.q == $int',
    'ip.isCanonical($str)',
    'self.m.all(k, v, k != v)',
    'cel.bind(x, $int, x > x)',
    '$str.isEmpty()',
    'oldSelf == self',
    'format.named($str).hasValue()',
    '$strs.transformList(i, v, v).size() > 0',
    'bool($str)',
    '[1, 2.0, "a"].size() > $int'
  ],
  strs: [
    'self.l',
    '[]',
    "['a', 'b']",
    '[$str]',
    '$strs + $strs',
    '$str.split($str)',
    "$str.split(',', $int)",
    '$strs.filter(e, $bool)',
    '$strs.map(e, e + $str)',
    'self.m.map(k, k)',
    '$str.findAll($str)',
    "$str.findAll('[a-z]', $int)",
    '$strs.slice(0, 1)',
    '$strs.distinct()',
    '$strs.sort()',
    '$strs.reverse()',
    'self.p.map(e, e.k)',
    '$strs.sortBy(e, e)',
    '$strs.flatten()'
  ],
  ints: [
    'self.c',
    '[1, 2]',
    '[$int, $int]',
    '$ints + $ints',
    '$ints.map(e, e * $int)',
    '$strs.map(e, size(e))',
    '$ints.filter(e, e % 2 == 0)',
    'lists.range(3)'
  ],
  time: ['self.t', "timestamp('2024-01-01T00:00:00Z')", 'timestamp($str)', 'timestamp($int)', '$time + $dur', '$time - $dur'],
  dur: ['self.d', "duration('90s')", 'duration($str)', '$time - $time', '$dur + $dur'],
  bytes: ['self.y', "b'ab'", 'bytes($str)', '$bytes + $bytes', 'base64.decode($str)'],
  quant: ["quantity('1Gi')", 'quantity($str)', '$quant.add($quant)', '$quant.sub($int)', "quantity('1.5')"],
  url: ["url('https://a:1/b')", 'url($str)'],
  ip: ["ip('::1')", "ip('10.1.2.3')", 'ip($str)', '$cidr.ip()'],
  cidr: ["cidr('10.0.0.0/8')", 'cidr($str)', '$cidr.masked()'],
  ver: ["semver('1.2.3')", 'semver($str)', "semver('v1.2', true)"]
}
const types = Object.keys(makers)

/** Replaces numbers of types, which are counted or come from addresses in memory. */
const plain = body => JSON.parse(JSON.stringify(body).replace(/selfType\d+/g, 'selfType'))

export async function area({ random }) {
  const expression = (type, depth) => {
    const options = depth > 0 ? makers[type] : makers[type].filter(text => !text.includes('$'))
    const made = random.pick(options.length > 0 ? options : makers[type].slice(0, 2))
    return made.replace(/\$(\w+)/g, (_, wanted) => expression(random.chance(0.02) ? random.pick(types) : wanted, depth - 1))
  }
  const broken = text => {
    const at = random.below(text.length)
    return random.pick([
      text.slice(0, at),
      `${text.slice(0, at)}${random.pick(['(', ')', '.', ' ', "'", '?', '@', '\n'])}${text.slice(at)}`
    ])
  }
  const rule = () => {
    const text = expression(random.chance(0.95) ? 'bool' : random.pick(types), 1 + random.below(3))
    return random.chance(0.05) ? broken(text) : text
  }
  const definition = () => {
    const value = Object.fromEntries(
      Object.entries(values)
        .filter(() => random.chance(0.8))
        .map(([key, options]) => [key, random.pick(options)])
    )
    const group = 'compare.example.com'
    const rules = Array.from({ length: 1 + random.below(2) }, () => ({
      rule: rule(),
      ...(random.chance(0.2) ? { messageExpression: expression('str', 2) } : {}),
      ...(random.chance(0.1) ? { fieldPath: random.pick(['.i', '.o.x', '.nope', "['s']", '.m.a', '.p[0]']) } : {}),
      ...(random.chance(0.1) ? { reason: random.pick(['FieldValueForbidden', 'FieldValueRequired', 'Bogus']) } : {}),
      ...(random.chance(0.05) ? { optionalOldSelf: true } : {})
    }))
    const spec = { ...schema, 'x-kubernetes-validations': rules, default: value }
    return {
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', kind: 'Thing' },
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }
          ]
        }
      },
      pick: plain
    }
  }
  const policy = () => {
    const ofPolicy = text =>
      text.replace(/\bself\b/g, () =>
        random.pick(['object.spec', 'object', 'variables.v', 'params', 'oldObject', 'request.options'])
      )
    return {
      path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All',
      body: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'p' },
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }]
          },
          ...(random.chance(0.5) ? { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } : {}),
          ...(random.chance(0.7) ? { variables: [{ name: 'v', expression: ofPolicy(expression(random.pick(types), 1)) }] } : {}),
          ...(random.chance(0.3) ? { matchConditions: [{ name: 'c', expression: ofPolicy(rule()) }] } : {}),
          ...(random.chance(0.3) ? { auditAnnotations: [{ key: 'k', valueExpression: ofPolicy(expression('str', 2)) }] } : {}),
          validations: [
            {
              expression: ofPolicy(rule()),
              ...(random.chance(0.3) ? { messageExpression: ofPolicy(expression('str', 2)) } : {})
            }
          ]
        }
      }
    }
  }
  return { generate: () => ({ requests: [random.chance(0.75) ? definition() : policy()] }) }
}
