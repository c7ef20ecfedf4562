/** What is compared of an answer, with what differs from server to server and from run to run replaced. */

const comparedHeaders = ['content-type', 'warning', 'allow', 'retry-after', 'vary', 'cache-control', 'x-content-type-options']

/** Replaced in texts. What stands for a name (`variables`) goes back to the name first. */
const replacements = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4} UTC|Z|[+-]\d\d:\d\d)?(?: m=\+[\d.]+)?/g, '<time>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/"(resourceVersion|continue)":(\s*)"[^"]+"/g, '"$1":$2"<version>"'],
  [/\b(resourceVersion|continue): "?[\w=]+"?/g, '$1: <version>'],
  [/\b10\.0\.0\.\d+/g, '<address>'],
  [/"\d+[smhd](?:\d+[smh])?"/g, '"<age>"'],
  [/^( *- )\d+[smhd](?:\d+[smh])?$/gm, '$1<age>'],
  // what was built, and how
  [/("(?:git[A-Z]\w+|goVersion|compiler|buildDate)":\s*)"[^"]*"/g, '$1"<build>"'],
  [/in scheme \\?"[^"]*"/g, 'in scheme <name>'],
  // Go writes these escaped, which says the same
  [/\\u003c/g, '<'],
  [/\\u003e/g, '>'],
  [/\\u0026/g, '&']
]

export function comparable({ status, headers, body }, host, variables) {
  const compared = { status }
  for (const name of comparedHeaders) if (headers[name] !== undefined) compared[name] = plain(headers[name], host, variables)
  const type = headers['content-type'] ?? ''
  // times are encoded in Protobuf
  if (type.includes('protobuf')) compared.text = body.subarray(0, 4).toString('latin1')
  else compared.text = plain(body.toString(), host, variables)
  return compared
}

function plain(text, host, variables) {
  let result = text.replaceAll(host, '<server>')
  for (const [name, value] of Object.entries(variables)) result = result.replaceAll(value, `$${name}`)
  for (const [pattern, replacement] of replacements) result = result.replace(pattern, replacement)
  return result
}

/** The body as a value, if it is JSON. Integers that a double cannot hold stay texts. */
export function jsonOf({ text }) {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text.replace(/([:[,]\s*)(-?\d{16,})(?=\s*[,\]}])/g, '$1"$2"'))
  } catch {
    return undefined
  }
}
