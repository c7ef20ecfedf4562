/**
 * Well-formed wrappers around nonsense, in place of a field's value: PEM around no DER, URLs with parts that do not belong there, expressions that parse and
 * mean nothing, schedules, quantities, times and durations at the edge of what Go reads. The field's format and name say which of them it gets.
 */
import { certificate, goodKeys, pem, stubRequest } from '../certificates.mjs'
import { typeOf } from './examples.mjs'

const base64 = text => Buffer.from(text).toString('base64')
const year = 365 * 86_400_000
const der = certificate({ notBefore: Date.UTC(2024, 0), notAfter: Date.UTC(2024, 0) + year, isCA: true })
const request = stubRequest(goodKeys[0])
const block = (type, lines) => `-----BEGIN ${type}-----\n${lines}-----END ${type}-----\n`

const pems = {
  'a certificate': pem(der),
  'two certificates': pem(der) + pem(der),
  'no DER': block('CERTIFICATE', 'YWJj\n'),
  'no content': block('CERTIFICATE', ''),
  'an empty line': block('CERTIFICATE', '\n'),
  'broken base64': block('CERTIFICATE', 'a*b=\n'),
  'a certificate and no DER': pem(der) + block('CERTIFICATE', 'YWJj\n'),
  'a certificate and another block': pem(der) + block('PUBLIC KEY', 'YWJj\n'),
  headers: pem(der).replace('-----\n', '-----\nKey: value\n\n'),
  'text behind': `${pem(der)}text`,
  'text before': `text\n${pem(der)}`,
  'CR LF': pem(der).replaceAll('\n', '\r\n'),
  'no last line': pem(der).trimEnd(),
  'no end': pem(der).split('-----END')[0],
  'longer DER': pem(Buffer.concat([der, Buffer.from('x')])),
  'shorter DER': pem(der.subarray(0, -1)),
  'a request': pem(request, 'CERTIFICATE REQUEST'),
  'a new request': pem(request, 'NEW CERTIFICATE REQUEST'),
  'two requests': pem(request, 'CERTIFICATE REQUEST').repeat(2),
  'a request with headers': pem(request, 'CERTIFICATE REQUEST').replace('-----\n', '-----\nKey: value\n\n'),
  'a request without DER': block('CERTIFICATE REQUEST', 'YWJj\n'),
  'a longer request': pem(Buffer.concat([request, Buffer.from('x')]), 'CERTIFICATE REQUEST'),
  'a certificate called request': pem(der, 'CERTIFICATE REQUEST'),
  'a request called certificate': pem(request),
  'a key': block('PRIVATE KEY', 'YWJj\n'),
  'another type': pem(der, 'TRUSTED CERTIFICATE'),
  'lower case': pem(der, 'certificate'),
  'bare DER': der.toString('latin1'),
  text: 'text',
  spaces: ' \n\t',
  nothing: ''
}

const bytes = {
  'a line break': 'YW\nJj',
  'no padding': 'YQ',
  'of URLs': '_-__',
  'bits behind': 'YR==',
  spaces: ' YQ== ',
  'not UTF-8': '/w==',
  padding: '====',
  zero: 'AA=='
}

const urls = [
  'https://a.example.com',
  'https://a.example.com/',
  'https://a.example.com:0/',
  'https://a.example.com:65536/x',
  'https://a.example.com:/x',
  'https://a.example.com:x/',
  'https://user@a.example.com/',
  'https://user:password@a.example.com/',
  'https://a.example.com/x?',
  'https://a.example.com/x?a=b',
  'https://a.example.com/x#',
  'https://a.example.com/x#f',
  'HTTPS://a.example.com/x',
  'http://a.example.com/x',
  'https:///x',
  'https:a.example.com',
  '//a.example.com/x',
  'https://[::1]/x',
  'https://[::1%25eth0]/x',
  'https://[::1/x',
  'https://a_b.example.com/x',
  'https://a b/x',
  'https://é.example.com/x',
  'https://a.example.com/%zz',
  'https://a.example.com/a b',
  'https://a.example.com/../x//',
  'https://a.example.com\\x',
  'https://a.example.com/\u0001',
  'unix:///x',
  'ftp://a',
  '/x?a=b',
  'x#y'
]

const expressions = [
  '1',
  '"true"',
  'null',
  '[true]',
  '{"a": true}',
  'true && 1',
  '1 + "a"',
  'true ? 1 : "a"',
  'unknown',
  'object',
  'object.x.y == 1',
  'object.metadata.nam == "x"',
  'object.metadata.name',
  'oldObject == null',
  'self',
  'self == oldSelf',
  'params.x == 1',
  'variables.x',
  'request.userInfo.x == 1',
  'authorizer.group("").check("get")',
  'namespaceObject.metadata.x == 1',
  'user.username == "x"',
  'claims.x',
  'device.driver == "x"',
  'device.attributes["x"].y',
  'device.attributes["a.example.com"].y == 1',
  'device.capacity["a.example.com"].y.compareTo(quantity("1x")) > 0',
  'request.resourceAttributes.verb',
  'has(object.x)',
  'has(object)',
  'object.all(x, true)',
  '[1, "a"].all(x, x == 1)',
  '[1, 2].all(x, [1, 2].all(x, x == 1))',
  '"a".matches("[")',
  '"a".matches(object.kind)',
  'duration("1x") == duration("1s")',
  'timestamp("x") == timestamp("y")',
  'quantity("1Ki5").isInteger()',
  'url("x:y").getHost() == ""',
  'ip("1").family() == 4',
  'semver("1").major() == 1',
  'cidr("x").prefixLength() == 1',
  'format.dns1123Label().value().validate("a").hasValue()',
  '9223372036854775808 == 1',
  '9223372036854775807 + 1 == 0',
  '1 / 0 == 1',
  '0x == 1',
  '1u == 1',
  '1.0 == 1',
  'true // text',
  '// text',
  '(((((((((((((((((((((true)))))))))))))))))))))',
  'true\n&& true',
  "'\\z' == ''",
  '"\u00e9\u{1f600}" == ""',
  '!"a"',
  '-true',
  'a.b.c()',
  'true()',
  'dyn(1) == "a"',
  'type(1) == int',
  'int == int',
  'optional.none().hasValue()',
  'object.?metadata.?x.orValue("") == ""',
  'object[?"x"].hasValue()',
  'Object{spec: Object.spec{x: 1}}',
  'Object{metadata: Object.metadata{labels: {"a": 1}}}',
  '[JSONPatch{op: "x", path: "y"}]',
  '[JSONPatch{op: "add", path: "/spec/x", value: 1}, 1]',
  'JSONPatch{op: "add", path: "/x", value: 1}',
  '[]',
  '{}',
  '',
  ' '
]

const schedules = [
  '@every 1s',
  '@every 1h30m',
  '@every 0s',
  '@every -1s',
  '@every x',
  '@reboot',
  '@Hourly',
  '@midnight',
  '@annually',
  'TZ=UTC * * * * *',
  'CRON_TZ=Europe/Berlin 0 0 * * *',
  'TZ=Nowhere/X * * * * *',
  'TZ=UTC',
  'TZ= * * * * *',
  '* * * *',
  '* * * * * *',
  ' * * * * * ',
  '*\t* * * *',
  '*/0 * * * *',
  '*/61 * * * *',
  '60 * * * *',
  '59-0 * * * *',
  '5-5 * * * *',
  '1,2,,3 * * * *',
  '1-2-3 * * * *',
  '*/2/3 * * * *',
  '? ? ? ? ?',
  '0 0 L * *',
  '0 0 1W * *',
  '0 0 31 2 *',
  '0 0 * jan sun',
  '0 0 * JANUARY *',
  '0 0 * * 7',
  '0 0 * * sun-sat',
  '0 0 * * fri-mon',
  '0 0 0 * *',
  '0 0 * 0 *',
  '-1 * * * *',
  '+1 * * * *',
  '01 * * * *',
  '1.5 * * * *',
  '99999999999999999999 * * * *',
  '٥ * * * *'
]

const zones = [
  'UTC',
  'utc',
  'Local',
  'local',
  'Etc/UTC',
  'europe/berlin',
  'Europe/Berlin',
  'Europe/',
  '../UTC',
  '/UTC',
  'Europe//Berlin',
  'GMT+1',
  'EST5EDT',
  'Factory',
  ' UTC',
  'UTC ',
  'é'
]

const quantities = [
  '1e99',
  '1e-99',
  '1E3',
  '1e',
  '1E',
  '.5',
  '5.',
  '.',
  '+1',
  '+.5',
  '-1',
  '-0',
  '--1',
  '1Ki5',
  '1KiKi',
  '1Mii',
  '1k',
  '1K',
  '1n',
  '1u',
  '0.5n',
  '1.5Ki',
  '1.7Ki',
  '1.00000000001Gi',
  '-1.0001Ki',
  '0.1Ki',
  '1m',
  '1500m',
  '1e3Ki',
  '1e+3',
  '1e3.5',
  ' 1',
  '1 ',
  '0x1',
  '1_000',
  '00001',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '99999999999999999999999999999',
  '9Ei',
  '8Ei',
  '7.9999999999Ei',
  '1Zi',
  'Ki',
  'NaN',
  'Infinity',
  '٥',
  '',
  1,
  -1,
  1.5,
  1e21,
  0.1,
  true
]

const times = [
  '2024-01-02T03:04:05+01:00',
  '2024-01-02T03:04:05-00:00',
  '2024-01-02T03:04:05+24:00',
  '2024-01-02T03:04:05+23:59',
  '2024-01-02T03:04:05+25:00',
  '2024-01-02T03:04:05+23:60',
  '2024-01-02T03:04:05+23:61',
  '2024-01-02T03:04:05+0100',
  '2024-01-02T03:04:60Z',
  '2024-01-02T23:59:60Z',
  '2024-01-02T24:00:00Z',
  '2024-02-30T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '2024-13-01T00:00:00Z',
  '2024-00-01T00:00:00Z',
  '2024-01-02T03:04:05.1Z',
  '2024-01-02T03:04:05.123456789Z',
  '2024-01-02T03:04:05.1234567891Z',
  '2024-01-02T03:04:05.999999999Z',
  '2024-01-02T03:04:05.000001+05:30',
  '2024-01-02T03:04:05,5Z',
  '2024-01-02T03:04:05.Z',
  '2024-01-02t03:04:05z',
  '2024-01-02 03:04:05Z',
  '2024-01-02T03:04:05',
  '2024-01-02T03:04Z',
  '2024-1-2T03:04:05Z',
  '2024-01-02',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '0000-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-01:00',
  '10000-01-01T00:00:00Z',
  '-001-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '٢٠٢٤-01-02T03:04:05Z',
  '',
  ' ',
  0
]

const durations = [
  '1s',
  '0',
  '0s',
  '-1s',
  '+1s',
  '1',
  '1.5h',
  '.5h',
  '1.h',
  '.h',
  '1h1h',
  '1s1h',
  '1d',
  '1us',
  '1µs',
  '1μs',
  '1ns',
  '0.1ns',
  '1e3s',
  '1 s',
  ' 1s',
  '2562047h47m16.854775807s',
  '2562047h47m16.854775808s',
  '-2562047h47m16.854775808s',
  '9999999h',
  '0.3333333333333333333h',
  '٥s',
  ''
]

const either = [
  '50%',
  '150%',
  '-1%',
  '1.5%',
  '0%',
  '%',
  ' 5%',
  '5 %',
  '5%%',
  '+5%',
  '05%',
  '1e1%',
  '٥%',
  '100000000000%',
  '5',
  '',
  'http',
  -1,
  0,
  65536
]

const raws = [
  {},
  [],
  [null],
  'text',
  '{"a":1}',
  '{',
  '',
  0,
  -0.0,
  1e21,
  1.5,
  2 ** 53,
  true,
  { a: null },
  { __proto__: null, 'a\u0000': '\u2028<&>' },
  { '\u{1f600}': 1, '\uffee': 2 },
  { kind: 'List', apiVersion: 'v1', items: [{}] }
]

const hosts = [
  'a.example.com.',
  'a.example.com:80',
  'user@a',
  '*.example.com',
  '*.*.com',
  'xn--a',
  'A.b',
  'a..b',
  '1.2.3.4',
  '[::1]',
  '::1',
  'é'
]

const addresses = [
  '1.2.3.4',
  '01.2.3.4',
  '1.2.3',
  '1.2.3.256',
  '::ffff:1.2.3.4',
  '::1%eth0',
  '::',
  '0.0.0.0',
  '127.0.0.1',
  '169.254.1.1',
  '224.0.0.1',
  'FE80::1',
  '2001:DB8::0:1',
  '1:2:3:4:5:6:7:8:9',
  '[::1]',
  '1.2.3.4/24',
  '1.2.3.4/32',
  '1.2.3.4/33',
  '1.2.3.4/024',
  '1.2.3.0/+24',
  '::/0',
  '::ffff:1.2.3.0/120',
  '2001:db8::1/64',
  '1.2.3.0/24 ',
  '٥.2.3.4'
]

const versions = [
  '1',
  '1.2',
  '1.2.3',
  'v1.2.3',
  '1.2.3.4',
  '01.2.3',
  '1.2.3-a.b+c',
  '1.2.3-',
  '1.2.3-01',
  '1.-2.3',
  '99999999999999999999.0.0',
  ' 1.2.3'
]

/** By the name of a field that is a text. */
const byName = [
  [/url$|uri$|^href$/i, urls],
  [/expression|^cel$/i, expressions],
  [/^schedule$/, schedules],
  [/^timeZone$/, zones],
  [/^(host|hostname|hosts|hostnames|externalName|server)$/, hosts],
  [/(^|[a-z])(ip|ips|addresses|IPs|IP|cidr|cidrs|CIDRs)$/i, addresses],
  [/^(binaryVersion|emulationVersion|version)$/, versions],
  [/time$|timestamp$/i, times],
  [/duration|timeout|delay|lifetime/i, durations]
]

const named = values => Object.entries(values)
const shown = values => values.map(value => [JSON.stringify(value).slice(0, 60), value])

/** Returns the values for a field: pairs of a name and a value. None for fields that hold no text in a text. */
function valuesFor(resolved, schema, name) {
  const type = typeOf(schema) ?? ''
  if (type.endsWith('.Quantity')) return shown(quantities)
  if (resolved.oneOf || type.endsWith('.IntOrString')) return shown(either)
  if (resolved.type === undefined || /\.(JSON|RawExtension|FieldsV1|JSONSchemaPropsOrBool)$/.test(type)) return shown(raws)
  if (resolved.type !== 'string') return []
  if (resolved.format === 'byte') return [...named(pems).map(([what, text]) => [what, base64(text)]), ...named(bytes)]
  if (resolved.format === 'date-time' || type.endsWith('Time')) return shown(times)
  if (type.endsWith('.Duration')) return shown(durations)
  if (/certificate|bundle|publicKey|chain/i.test(name)) return named(pems)
  return shown(byName.find(([pattern]) => pattern.test(name))?.[1] ?? [])
}

/** Returns the mutations of a field, as `mutationsOf` does: `sort` names one, `value` is the field's, `light` those tried where the type was seen before. */
export function nonsenseOf({ schemas, example, follow, path, random, options }) {
  const schema = schemas.at(-1)
  const resolved = follow(schema) ?? {}
  const name = String(path.findLast(key => typeof key === 'string'))
  const made = (type, wrap) =>
    valuesFor(follow(type) ?? {}, type, name).map(([sort, value], i) => ({
      sort,
      value: wrap(options.seed === '1' ? value : edited(value, random)),
      light: i % 4 === 1
    }))
  const { items, additionalProperties } = resolved
  if (items) return made(items, value => [value])
  if (additionalProperties) return made(additionalProperties, value => ({ [Object.keys(example ?? {})[0] ?? 'a']: value }))
  return resolved.properties ? [] : made(schema, value => value)
}

/** A text that has a character more, less, or twice. */
function edited(value, random) {
  if (typeof value !== 'string') return value
  const at = random.below(value.length + 1)
  const inserted = random.pick(['', '', value.slice(at, at + 1), ' ', '0', '-', '.', ':', '/', 'e', '\n'])
  const text = value.slice(0, at) + inserted + value.slice(at + (inserted === '' ? 1 : 0))
  // kube-apiserver computes such a quantity digit by digit, and answers nobody meanwhile
  return /\de[+-]?\d{5}/i.test(text) ? value : text
}
