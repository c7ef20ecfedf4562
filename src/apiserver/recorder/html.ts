/** Shows recorded requests as an HTML page that loads nothing. Everything in it is shown as text. */
import type { RecordedRequest, RecordedStep } from './recorded-request.js'
import { decisionOf, isQuiet, timeOf, timesOf, titleOf, userOf } from './text.js'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) =>
  text.replace(/[&<>"']/g, c => entities[c]!).replace(/[\p{Cc}\p{Cf}]/gu, c => (c === '\n' || c === '\t' ? c : '\ufffd'))

const style = `
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; color: #222; background: #fff }
details { border-bottom: 1px solid #ddd; padding: .3em 0 }
summary { cursor: pointer; font-family: ui-monospace, monospace }
.failed > summary { color: #b00020 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em 1em; margin: .5em 1.5em }
dt { color: #666 }
dd { margin: 0; overflow-wrap: anywhere }
pre { margin: .3em 1.5em; padding: .5em; background: #f6f6f6; overflow-x: auto }
ins { color: #116611; text-decoration: none }
del { color: #b00020; text-decoration: none }
ul { margin: .3em 0 }
.inner { margin-left: 1.5em }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818 }
  pre { background: #222 }
  details { border-color: #444 }
  ins { color: #7fd47f }
  del, .failed > summary { color: #ff8080 }
}`

const row = (name: string, value: string | undefined) =>
  value === undefined || value === '' ? '' : `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`

const diffHtml = (diff: string) => {
  const lines = diff.split('\n').map(line => {
    const text = escaped(line)
    return line.startsWith('+') ? `<ins>${text}</ins>` : line.startsWith('-') ? `<del>${text}</del>` : text
  })
  return `<pre>${lines.join('\n')}</pre>`
}

function stepHtml({ kind, phase, name, depth, milliseconds, diff, answer, error }: RecordedStep): string {
  const said =
    error === undefined ? (answer ?? (diff === undefined ? 'nothing changed' : 'changed the object')) : `refused: ${error}`
  const text = `${phase} ${kind} ${name} (${timeOf(milliseconds)}): ${said}`
  return `<li${depth > 0 ? ' class="inner"' : ''}>${escaped(text)}${diff ? diffHtml(diff) : ''}</li>`
}

function requestHtml(request: RecordedRequest): string {
  const { status, time, method, url, userAgent, admission, writes, warnings, faults, message, groups } = request
  const quiet = admission.filter(isQuiet).length
  const steps = admission.filter(step => !isQuiet(step)).map(stepHtml)
  if (quiet > 0) steps.push(`<li>${quiet} plugins changed nothing</li>`)
  const written = writes.map(
    ({ action, resource, namespace, name, dryRun, diff }) =>
      `<p>${escaped(`${action} ${resource} ${[namespace, name].filter(Boolean).join('/')}${dryRun ? ' (dry run)' : ''}`)}</p>${diffHtml(diff)}`
  )
  return `<details${status >= 400 ? ' class="failed"' : ''}><summary>${escaped(titleOf(request))}</summary><dl>${[
    row('time', time),
    row('request', `${method} ${url}`),
    row('user', userOf(request)),
    row('groups', groups.join(', ')),
    row('agent', userAgent),
    row('authorization', decisionOf(request)),
    row('message', message),
    ...warnings.map(warning => row('warning', warning)),
    ...faults.map(action => row('fault', action)),
    row('times', timesOf(request))
  ].join('')}</dl>${steps.length === 0 ? '' : `<ul>${steps.join('')}</ul>`}${written.join('')}</details>`
}

export const htmlOf = (requests: readonly RecordedRequest[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Requests</title>
<style>${style}</style>
</head>
<body>
<h1>Requests</h1>
${requests.map(requestHtml).join('\n')}
</body>
</html>
`
