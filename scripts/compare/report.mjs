/** Prints a difference: the requests that lead to it, and what both servers said. */
export function printDifference(area, { request, index, found, reference, target }, requests) {
  const lines = [`── ${area} ${'─'.repeat(100 - area.length)}`]
  for (const earlier of requests.slice(0, index)) lines.push(`first: ${line(earlier)}`)
  lines.push(line(request))
  for (const { where, reference: wanted, target: got } of found.slice(0, 8))
    lines.push(`  ${where}`, `    reference: ${short(wanted)}`, `    target:    ${short(got)}`)
  if (found.length > 8) lines.push(`  … and ${found.length - 8} more`)
  if (reference.status !== target.status)
    lines.push(`  answers:`, `    reference: ${short(reference.text)}`, `    target:    ${short(target.text)}`)
  console.log(lines.join('\n'))
}

function line({ path, headers = {}, body, method = body === undefined ? 'GET' : 'POST' }) {
  const given = Object.entries(headers).map(([name, value]) => ` -H '${name}: ${value}'`)
  return `${method} '${path}'${given.join('')}${body === undefined ? '' : ` -d ${typeof body === 'string' ? JSON.stringify(body) : `'${JSON.stringify(body)}'`}`}`
}

function short(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 1200 ? `${text.slice(0, 1200)}…` : text
}
