/** The form in which answers are recorded and compared: without what differs from run to run. */
import { at } from './variables.mjs'

/** What a step compares of an answer. */
export function comparable(step, answer, vars) {
  const { headers, body, events } = answer
  const shown = { status: answer.status }
  if (headers?.['content-type']) shown.type = headers['content-type']
  const warnings = [].concat(headers?.warning ?? []).flatMap(text => text.split(/, (?=\d{3} )/))
  if (warnings.length > 0) shown.warnings = warnings
  if (headers?.['content-encoding']) shown.encoding = headers['content-encoding']
  for (const name of step.alsoHeaders ?? []) shown[name.toLowerCase()] = headers?.[name.toLowerCase()]
  if (body !== undefined) shown.body = body
  if (events) shown.events = events
  if ('closed' in answer) shown.closed = answer.closed
  const same = withPlaceholders(shown, vars, step.mask ?? [])
  for (const path of step.ignore ?? []) remove(same, path.split('.'))
  const picked = step.only ? Object.fromEntries(step.only.map(path => [path, at(same, path)])) : same
  return JSON.parse(JSON.stringify(picked))
}

const time = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( [+-]\d{4} UTC|Z|[+-]\d\d:\d\d)?( m=\+[\d.]+)?/g

function withPlaceholders(value, vars, masks, key) {
  if (typeof value === 'string') return textWithPlaceholders(value, vars, masks, key)
  if (Array.isArray(value)) {
    const items = value.map(item => withPlaceholders(item, vars, masks))
    return key === 'managedFields' ? items.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)) : items
  }
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [withPlaceholders(name, vars, []), withPlaceholders(item, vars, masks, name)])
  )
}

function textWithPlaceholders(value, { ns, id, ...captured }, masks, key) {
  if (key === 'resourceVersion' && value !== '' && value !== '0') return '<rv>'
  if (key === 'continue' && value !== '') return '<continue>'
  let text = value
  if (ns) text = text.replaceAll(ns, '<ns>')
  text = text.replaceAll(id, '<id>')
  for (const [name, known] of Object.entries(captured))
    if (typeof known === 'string' && known.length >= 10) text = text.replaceAll(known, `<${name}>`)
  text = text
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uid>')
    .replace(time, '<time>')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
    .replace(/127\.0\.0\.1:\d+/g, '<server>')
  for (const mask of masks) text = text.replace(mask, '<mask>')
  return text
}

/** Entries of managedFields come in the order of their times, which are gone. */
const sortKey = entry =>
  [entry.manager, entry.operation, entry.subresource ?? '', entry.apiVersion, JSON.stringify(entry.fieldsV1)].join(' ')

/** Takes out what a path leads to; "*" stands for every key. */
function remove(value, [key, ...rest]) {
  if (value === null || typeof value !== 'object') return
  const keys = key === '*' ? Object.keys(value) : [key]
  for (const name of keys)
    if (rest.length === 0) delete value[name]
    else remove(value[name], rest)
}

/** Where two answers differ, a line for each place. */
export function differences(want, got, path = '') {
  if (want === got) return []
  const bothHold =
    want && got && typeof want === 'object' && typeof got === 'object' && Array.isArray(want) === Array.isArray(got)
  if (!bothHold) return [`${path || '.'}: want ${shortened(want)}, got ${shortened(got)}`]
  const keys = new Set([...Object.keys(want), ...Object.keys(got)])
  return [...keys].flatMap(key => differences(want[key], got[key], path ? `${path}.${key}` : key))
}

const shortened = value => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
