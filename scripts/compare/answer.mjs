/** Reduces an answer to the parts that are compared, and replaces values that differ between servers and between runs. */

const comparedHeaders = ['content-type', 'warning', 'allow', 'retry-after', 'vary', 'cache-control', 'x-content-type-options']

/** What is replaced in texts. A text that stands for a name (`variables`) is first turned back into the name. */
const replacements = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4} UTC|Z|[+-]\d\d:\d\d)?(?: m=\+[\d.]+)?/g, '<time>'],
  [/\bkube-api-access-[a-z\d]{5}\b/g, 'kube-api-access-<suffix>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/"(resourceVersion|continue)":(\s*)"(?:[^"\\]|\\.)+"/g, '"$1":$2"<version>"'],
  [/\\+"resourceVersion\\+":\\+"\d+\\+"/g, 'the resourceVersion'],
  [/\b(resourceVersion|continue): "?[\w=]+"?/g, '$1: <version>'],
  [/(Version in (?:object meta|precondition): )\d+/g, '$1<version>'],
  [/\bin record \(\d+\)/g, 'in record (<version>)'],
  [/\b10\.0\.0\.\d+/g, '<address>'],
  [/"\d+[smhd](?:\d+[smh])?"/g, '"<age>"'],
  [/^( *- )\d+[smhd](?:\d+[smh])?$/gm, '$1<age>'],
  // named by a hash that differs from run to run
  [/\bselfType\d+/g, 'selfType<hash>'],
  // what was built, and with which tools
  [/("(?:git[A-Z]\w+|goVersion|compiler|buildDate)":\s*)"[^"]*"/g, '$1"<build>"'],
  [/in scheme \\?"[^"]*"/g, 'in scheme <name>'],
  // Go writes these characters escaped, which means the same
  [/(?<!\\)\\u003c/g, '<'],
  [/(?<!\\)\\u003e/g, '>'],
  [/(?<!\\)\\u0026/g, '&']
]

export function comparable({ status, headers, body }, host, variables) {
  const compared = { status }
  for (const name of comparedHeaders) if (headers[name] !== undefined) compared[name] = plain(headers[name], host, variables)
  const type = headers['content-type'] ?? ''
  // times are encoded in Protobuf
  if (type.includes('protobuf')) compared.text = body.subarray(0, 4).toString('latin1')
  else compared.text = plain(body.toString(), host, variables)
  if (status === 422) compared.text = withSortedFindings(compared.text)
  return compared
}

/** Leaves of the name that a server has made what the generateName of a request's body says: the last five characters are drawn. */
export function withoutGeneratedName(text, body) {
  const sent = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : String(body)
  const generated = /"generateName":\s*"([^"]+)"/.exec(sent)?.[1].slice(0, 58)
  if (!generated) return text
  return text.replace(new RegExp(`${generated.replace(/\W/g, '\\$&')}[a-z0-9]{5}\\b`, 'g'), () => generated)
}

/** Sorts findings about the keys of one map where they follow each other, because Go visits the keys in any order. */
function withSortedFindings(text) {
  const answer = jsonOf({ text })
  const causes = answer?.details?.causes
  if (!causes) return text
  const listed = found => `[${[...new Set(found.map(({ field, message }) => `${field}: ${message}`))].join(', ')}]`
  // an index is no key, unless the finding is about it
  const mapOf = ({ field, message }) =>
    field?.replace(/\[([^\]]*)\].*/, (found, key) => (/^\d+$/.test(key) && !message.includes(`: "${key}":`) ? found : ''))
  const sorted = []
  for (let from = 0, to = 0; from < causes.length; from = to) {
    while (to < causes.length && mapOf(causes[to]) === mapOf(causes[from])) to++
    sorted.push(...causes.slice(from, to).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)))
  }
  const message = answer.message.replace(listed(causes), () => listed(sorted))
  return JSON.stringify({ ...answer, message, details: { ...answer.details, causes: sorted } })
}

function plain(text, host, variables) {
  let result = text
    .replaceAll(host, '<server>')
    .replaceAll(new RegExp(`(?:\\d+\\.){3}\\d+:${host.split(':').at(-1)}`, 'g'), '<server>')
  for (const [name, value] of Object.entries(variables)) result = result.replaceAll(value, `$${name}`)
  for (const [pattern, replacement] of replacements) result = result.replace(pattern, replacement)
  return result
}

/** Returns the body as a value, if it is JSON. Integers that a double cannot hold stay texts. */
export function jsonOf({ text }) {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(
      text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?=\s*[,\]}])/g, found => (found[0] === '"' ? found : `"${found}"`))
    )
  } catch {
    return undefined
  }
}
