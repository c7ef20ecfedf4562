import { plainError } from '../apimachinery/status/status.js'
import { isLabelValue, isQualifiedName } from '../apimachinery/validation/names.js'
import { goQuote } from '../util/go-format.js'

export type LabelMap = ReadonlyMap<string, string>

/** Reads labels as annotations have them, `a=b,c=d`. Throws a StatusError of 500, as kube-apiserver answers. */
export function labelsOfSelector(text: string): LabelMap {
  const labels = new Map<string, string>()
  if (text === '') return labels
  for (const part of text.split(',')) {
    const [key, value, ...more] = part.split('=').map(half => half.trim())
    if (value === undefined || more.length > 0) throw plainError(`invalid selector: [${part.split('=').join(' ')}]`)
    refuse('<nil>', key!, isQualifiedName(key!))
    refuse(`[${key}]`, value, isLabelValue(value))
    labels.set(key!, value)
  }
  return labels
}

function refuse(field: string, text: string, problems: readonly string[]): void {
  if (problems.length > 0) throw plainError(`${field}: Invalid value: ${goQuote(text)}: ${problems.join('; ')}`)
}
