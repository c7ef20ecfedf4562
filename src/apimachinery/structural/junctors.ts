/** Validates anyOf, oneOf, allOf and not. Validation ratcheting does not apply inside them. */

import { goQuote } from '../../util/go-format.js'
import type { JSONSchemaProps } from '../api/generated/apiextensions-v1.js'
import type { Failure, Run } from './validation-run.js'

type Check = (value: unknown, run: Run) => void

/** A branch costs as much as many comparisons. */
const triesOfBranch = 10

export function junctorCheck(source: JSONSchemaProps, compile: (branch: JSONSchemaProps) => Check): Check | undefined {
  const anyOf = (source.anyOf ?? []).map(compile)
  const oneOf = (source.oneOf ?? []).map(compile)
  const allOf = (source.allOf ?? []).map(compile)
  const not = source.not && compile(source.not)
  if (anyOf.length + oneOf.length + allOf.length === 0 && !not) return undefined
  const checks: Check[] = []
  if (anyOf.length > 0) checks.push(anyOfCheck(anyOf))
  if (oneOf.length > 0) checks.push(oneOfCheck(oneOf))
  if (allOf.length > 0) checks.push(allOfCheck(allOf))
  if (not) checks.push(notCheck(not))
  return (value, run) => {
    const { failures, matches } = run.apart(() => {
      for (const check of checks) check(value, run)
    })
    run.addAll(failures)
    run.matches += matches
  }
}

interface Outcome {
  readonly failures: readonly Failure[]
  readonly matches: number
}

function merge(run: Run, { failures, matches }: Outcome): void {
  run.addAll(failures)
  run.matches += matches
}

function anyOfCheck(branches: readonly Check[]): Check {
  return (value, run) => {
    let best: Outcome | undefined
    for (const branch of branches) {
      run.spend(triesOfBranch)
      const outcome = run.apart(() => branch(value, run))
      if (outcome.failures.length === 0) return merge(run, outcome)
      if (!best || outcome.matches > best.matches) best = outcome
    }
    run.invalidAtRoot(`${goQuote(run.path)} must validate at least one schema (anyOf)`)
    merge(run, best!)
  }
}

function oneOfCheck(branches: readonly Check[]): Check {
  return (value, run) => {
    let best: Outcome | undefined
    const valid: Outcome[] = []
    for (const branch of branches) {
      run.spend(triesOfBranch)
      const outcome = run.apart(() => branch(value, run))
      if (outcome.failures.length === 0) valid.push(outcome)
      else if (!best || outcome.matches > best.matches) best = outcome
    }
    if (valid.length === 1) return merge(run, valid[0]!)
    const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`
    run.invalidAtRoot(`${goQuote(run.path)} must validate one and only one schema (oneOf). ${found}`)
    if (valid.length === 0) merge(run, best!)
  }
}

function allOfCheck(branches: readonly Check[]): Check {
  return (value, run) => {
    let validated = 0
    for (const branch of branches) {
      run.spend(triesOfBranch)
      const outcome = run.apart(() => branch(value, run))
      if (outcome.failures.length === 0) validated++
      merge(run, outcome)
    }
    if (validated < branches.length)
      run.invalidAtRoot(`${goQuote(run.path)} must validate all the schemas (allOf)${validated === 0 ? '. None validated' : ''}`)
  }
}

function notCheck(branch: Check): Check {
  return (value, run) => {
    const { failures } = run.apart(() => branch(value, run))
    if (failures.length === 0) run.invalidAtRoot(`${goQuote(run.path)} must not validate the schema (not)`)
  }
}
