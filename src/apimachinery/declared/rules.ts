/**
 * The rules that Kubernetes' types declare for their fields (KEP-5073: declarative validation), as scripts/generate/declared-rules.mjs
 * derives them from the +k8s: markers of a release.
 */
import { readFileSync } from 'node:fs'

/** `enforced` rules stand alone, `beta` ones replace a rule that is written by hand, and errors of `alpha` ones are not shown. */
export type Stage = 'enforced' | 'beta' | 'alpha'

/** A marker: `+k8s:maxItems=4`, or `+k8s:ifEnabled(Gate)=+k8s:minimum=0`, where `inner` is what holds under the condition. */
export interface Rule {
  readonly stage: Stage
  /** "maxItems" */
  readonly name: string
  /** What stands in parentheses. */
  readonly argument: string
  /** What stands behind the equals sign. */
  readonly value: string
  readonly inner?: Rule
  /** Whether it belongs to the Go type of the field's values, as the rules of enums do, and not to the field. */
  readonly ofValue: boolean
}

export interface DeclaredType {
  /** By field, in the order of evaluation. */
  readonly fields: ReadonlyMap<string, readonly Rule[]>
  /** The subresources whose writes are validated, too: "/status". */
  readonly subresources: readonly string[]
}

const stages: Readonly<Record<string, Stage>> = { s: 'enforced', b: 'beta', a: 'alpha' }

let table: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> | undefined

/** The names of all types that declare rules. */
export const declaringTypes = (): string[] => Object.keys(read())

/** The rules of a type by its short name, "core.v1.PodSpec"; undefined when it has none. */
export function declaredType(name: string): DeclaredType | undefined {
  const record = read()
  if (!Object.hasOwn(record, name)) return undefined
  const { '/': subresources = [], ...fields } = record[name]!
  return { subresources, fields: new Map(Object.entries(fields).map(([field, rules]) => [field, rules.map(parse)])) }
}

function read(): NonNullable<typeof table> {
  return (table ??= JSON.parse(readFileSync(new URL('./generated/rules.json', import.meta.url), 'utf8')))
}

/** Reads "b ifEnabled(Gate) minimum=0". */
function parse(text: string): Rule {
  const ofValue = text.startsWith(' value', 1)
  const stage = stages[text[0]!]!
  const parts = text.slice(ofValue ? 8 : 2).match(/\w+(?:\([^)]*\))?(?:=\S*)?/g) ?? []
  let rule: Rule | undefined
  for (const part of parts.reverse()) {
    const [, name, argument = '', value = ''] = /^(\w+)(?:\((.*)\))?(?:=(.*))?$/.exec(part)!
    rule = { stage, name: name!, argument, value, ofValue, ...(rule ? { inner: rule } : {}) }
  }
  if (!rule) throw new Error(`no rule: ${text}`)
  return rule
}
