/**
 * Prints a difference so that it can be reproduced: `how` a run finds it again, the requests that lead to it as commands
 * (docs/compare.md explains the variables), and the answers of both servers.
 */
export function printDifference({ title, how }, { request, index, found, reference, target }, requests) {
  const lines = [
    `── ${title} ${'─'.repeat(100 - title.length)}`,
    `# found by: ${how}`,
    ...requests.slice(0, index).map(command),
    command(request)
  ]
  for (const { where, reference: wanted, target: got } of found.slice(0, 8))
    lines.push(`  ${where}`, `    reference: ${short(wanted)}`, `    target:    ${short(got)}`)
  if (found.length > 8) lines.push(`  … and ${found.length - 8} more`)
  if (reference.status !== target.status)
    lines.push(`  answers:`, `    reference: ${short(reference.text)}`, `    target:    ${short(target.text)}`)
  console.log(lines.join('\n'))
}

function command({ path, headers = {}, bodies, body = bodies?.[0], method = body === undefined ? 'GET' : 'POST', hooks }) {
  const given = { Authorization: 'Bearer $TOKEN', Accept: 'application/json' }
  if (body !== undefined) given['Content-Type'] = 'application/json'
  for (const [name, value] of Object.entries(headers)) {
    const same = Object.keys(given).find(known => known.toLowerCase() === name.toLowerCase()) ?? name
    given[same] = value
  }
  // curl leaves out a header without a value
  const options = Object.entries(given).map(([name, value]) => `-H ${quoted(value === null ? `${name}:` : `${name}: ${value}`)}`)
  if (body !== undefined) options.push(`--data-binary ${quoted(typeof body === 'string' ? body : JSON.stringify(body))}`)
  const how = method === 'HEAD' ? '--head' : `-X ${method}`
  const scripted = hooks && Object.keys(hooks).length > 0 ? `# the webhooks answer: ${JSON.stringify(hooks)}\n` : ''
  return `${scripted}curl -sk ${how} ${quoted(`$SERVER${path}`)} ${options.join(' ')}`
}

/** For a shell, which fills in the variables of requests. */
const quoted = text => `"${text.replace(/[\\"`]/g, '\\$&').replace(/\$(?!(NS|ID|RUN|SERVER|TOKEN)\b)/g, '\\$')}"`

function short(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 1200 ? `${text.slice(0, 1200)}…` : text
}
