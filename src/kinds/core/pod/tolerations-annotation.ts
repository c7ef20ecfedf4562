/** Tolerations were an annotation before they were a field. kube-apiserver still validates the annotation, and reads nothing from it. */
import type { Toleration } from '../../../apimachinery/api/generated/core-v1.js'
import { jsonSyntaxError } from '../../../apimachinery/formats/json-syntax.js'
import { writtenNumbers } from '../../../apimachinery/formats/written-numbers.js'
import { describeJson } from '../../../apimachinery/schema/scalars.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateTolerations } from './toleration-validation.js'

const annotation = 'scheduler.alpha.kubernetes.io/tolerations'

/** The validation of metadata refuses annotations that are longer than this together. */
const longest = 256 * 1024

/** The fields of a toleration with their names and types in Go, by their names in lower case: Go's decoder ignores case. */
const fields: ReadonlyMap<string, { readonly name: keyof Toleration; readonly go: string; readonly type: string }> = new Map([
  ['key', { name: 'key', go: 'Key', type: 'string' }],
  ['operator', { name: 'operator', go: 'Operator', type: 'core.TolerationOperator' }],
  ['value', { name: 'value', go: 'Value', type: 'string' }],
  ['effect', { name: 'effect', go: 'Effect', type: 'core.TaintEffect' }],
  ['tolerationseconds', { name: 'tolerationSeconds', go: 'TolerationSeconds', type: 'int64' }]
])

export function validateTolerationsAnnotation(
  annotations: Readonly<Record<string, string>>,
  path: Path,
  errors: FieldErrors
): void {
  const text = annotations[annotation]
  if (!text || text.length > longest) return
  const wrong = (why: string) => errors.invalid(path, annotation, why)
  const malformed = jsonSyntaxError(text)
  if (malformed) return wrong(malformed)
  const written = writtenNumbers(text, true)
  const { tolerations, problem } = decoded(JSON.parse(written?.text ?? text))
  if (problem) return wrong(`json: cannot unmarshal ${written?.restore(problem) ?? problem}`)
  validateTolerations(tolerations, path.child(annotation), errors)
}

/** Returns the tolerations, and what is wrong with the first value of another type than Go's struct has. */
function decoded(value: unknown): { tolerations: Toleration[]; problem?: string | undefined } {
  if (value === null) return { tolerations: [] }
  if (!Array.isArray(value)) return { tolerations: [], problem: `${describeJson(value)} into Go value of type []core.Toleration` }
  let problem: string | undefined
  const tolerations = value.map((item: unknown) => {
    if (item === null) return {}
    if (typeof item === 'object' && !Array.isArray(item)) {
      const toleration: Record<string, unknown> = {}
      for (const [name, content] of Object.entries(item)) {
        const field = fields.get(name.toLowerCase())
        if (!field || content === null) continue
        const odd = field.type === 'int64' ? notInteger(content) : typeof content === 'string' ? undefined : describeJson(content)
        if (odd) problem ??= `${odd} into Go struct field Toleration.${field.go} of type ${field.type}`
        toleration[field.name] = content
      }
      return toleration as Toleration
    }
    problem ??= `${describeJson(item)} into Go value of type core.Toleration`
    return {}
  })
  return { tolerations, problem }
}

/** Describes a value that is no integer as Go does: numbers are quoted. */
function notInteger(value: unknown): string | undefined {
  if (typeof value !== 'number') return describeJson(value)
  return Number.isInteger(value) ? undefined : `number ${value}`
}
