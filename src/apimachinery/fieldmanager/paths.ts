/** Formats field paths as messages show them: `.spec.ports[port=80,protocol="TCP"].name`. */

import { exactJson, parseExact } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { type FieldTree, hasSelf } from './fields-v1.js'
import { byStep } from './step-order.js'

/** An item of a set that has no form in JSON. */
export const foreignItem = 'v:{{undefined}}'

/** A value that is a key where none fits is printed, too. */
function printedValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value)
  if (Array.isArray(value)) return `[${value.map(printedValue).join(',')}]`
  if (value === null || typeof value !== 'object') return exactJson(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name}=${printedValue(inner)}`)
    .join('')
}

const printedStep = (step: string): string => {
  const content = step.slice(2)
  switch (step[0]) {
    case 'f':
      return `.${content}`
    case 'v':
      return `[=${step === foreignItem ? content : printedValue(parseExact(content))}]`
    case 'i':
      return `[${content}]`
    default:
      return `[${Object.entries(parseExact(content) as object)
        .map(([name, value]) => `${name}=${printedValue(value)}`)
        .join(',')}]`
  }
}

export const pathOf = (steps: readonly string[]): string => steps.map(printedStep).join('')

/** Returns all members of a set. The members of a level precede those below them. */
export function pathsOf(tree: FieldTree, prefix = ''): string[] {
  const steps = Object.keys(tree)
    .filter(step => step !== '.')
    .sort(byStep)
  const members = steps.filter(step => hasSelf(tree[step]!)).map(step => prefix + printedStep(step))
  return [...members, ...steps.flatMap(step => pathsOf(tree[step]!, prefix + printedStep(step)))]
}
