/** Runs an area that walks through fields: several visits at a time, and a report by kind, field and sort of mutation. */
import fs from 'node:fs'

const atOnce = 6

/**
 * `compare` resolves with what differs in the answers to one request, of which each server has a body of its own. Returns the number of kinds of
 * difference. `out`: a file for all of them, a JSON object a line. No visit begins when
 * `timeLeft` says no.
 */
export async function walk({ visits, compare, print, fieldPattern, timeLeft, out }) {
  const iterator = visits()
  const groups = new Map()
  const shapes = new Map()
  let compared = 0
  let differing = 0
  const file = out && fs.createWriteStream(out)
  /** Resolves when the last visit that could collide has ended. */
  let turn = Promise.resolve()
  const worker = async () => {
    while (timeLeft()) {
      const { done, value: visit } = await iterator.next()
      if (done) return
      if (fieldPattern && !fieldPattern.test(visit.field)) continue
      const ask = async (request, way, sort) => {
        compared++
        const result = await compare(request)
        if (result.found.length === 0) return
        differing++
        const { kind, field } = visit
        const shape = shapeOf(result.found)
        shapes.set(shape, (shapes.get(shape) ?? 0) + 1)
        const name = `${kind} ${field}: ${sort}`
        if (!groups.has(name)) groups.set(name, { ways: new Set(), shapes: new Map() })
        const group = groups.get(name)
        group.ways.add(way)
        if (!group.shapes.has(shape)) group.shapes.set(shape, { request, ...result })
        file?.write(
          `${JSON.stringify({ kind, field, sort, way, shape, found: result.found, reference: result.reference.text, target: result.target.text, request })}\n`
        )
      }
      await (visit.alone ? (turn = turn.then(() => visit.run(ask))) : visit.run(ask))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (file) await new Promise(resolve => file.end(resolve))
  for (const [name, { ways, shapes: found }] of groups)
    for (const difference of found.values()) print(`${name} (${[...ways].join(', ')})`, difference)
  console.log(
    `${compared} answers compared, ${differing} differ: ${groups.size} fields and sorts of mutation, ${shapes.size} kinds of difference`
  )
  return shapes.size
}

/** Returns what differences have in common, whatever the field is called and contains. */
const shapeOf = found =>
  found
    .slice(0, 3)
    .map(
      ({ where, reference, target }) => `${where.replace(/\.\d+(?=\.|$)/g, '.*')} | ${outline(reference)} | ${outline(target)}`
    )
    .join('\n')

const outline = value =>
  (value === undefined ? 'nothing' : JSON.stringify(value))
    .replace(/\\"(?:[^"\\])*\\"/g, '…')
    .replace(/\d+/g, '0')
    .slice(0, 160)
