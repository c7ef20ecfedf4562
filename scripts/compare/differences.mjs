/** Finds where two comparable answers differ. */
import { jsonOf } from './answer.mjs'

/** Returns each difference as { where, reference, target }. With `inOrder`, another order of keys counts as a difference. */
export function differences(reference, target, inOrder) {
  const found = []
  for (const name of new Set([...Object.keys(reference), ...Object.keys(target)]))
    if (name !== 'text' && reference[name] !== target[name])
      found.push({ where: name, reference: reference[name], target: target[name] })
  if (reference.text === target.text) return found
  const values = [jsonOf(reference), jsonOf(target)]
  if (values.some(value => value === undefined))
    return [...found, { where: 'body', ...whereTextsPart(reference.text, target.text) }]
  const before = found.length
  walk(values[0], values[1], 'body', found)
  // the same values: their order, or the white space between them
  if (inOrder && found.length === before) found.push({ where: 'body as text', ...whereTextsPart(reference.text, target.text) })
  return found
}

function whereTextsPart(reference, target) {
  let start = 0
  while (reference[start] === target[start]) start++
  const part = text => text.slice(Math.max(0, start - 120), start + 120)
  return { reference: part(reference), target: part(target) }
}

function walk(reference, target, where, found) {
  if (Object.is(reference, target)) return
  const containers = [reference, target].every(value => value !== null && typeof value === 'object')
  if (!containers || Array.isArray(reference) !== Array.isArray(target)) {
    found.push({ where, reference, target })
    return
  }
  for (const key of new Set([...Object.keys(reference), ...Object.keys(target)]))
    walk(reference[key], target[key], `${where}.${key}`, found)
}

/**
 * What makes two cases the same kind of difference: where it is, with indexes and what is quoted or counted in messages
 * left out, and the form of the path; its names only where the area is about each resource of its own.
 */
export function kindOfDifference(request, found, eachResource) {
  const full = request.path.split('?')[0].replace(/\$[A-Z]+/g, '_')
  const path = eachResource ? full : full.replace(/[^/]+/g, '_')
  const parts = found
    .slice(0, 4)
    .map(({ where, reference, target }) => [where.replace(/\.\d+(?=\.|$)/g, '.*'), outline(reference), outline(target)].join(' '))
  return [request.method ?? 'GET', path, ...parts].join('\n')
}

function outline(value) {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value === 'number' ? String(value) : typeof value
  return value
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\d+/g, '0')
    .slice(0, 200)
}
