/** Explanations as texts for people in a terminal. */
import type { ExpressionCost } from '../../apimachinery/cel/cost/node-costs.js'
import type { AccessExplanation, ShownQuestion } from '../../apiserver/explain/access.js'
import type { AdmissionExplanation } from '../../apiserver/explain/admission.js'
import type { DeletionExplanation } from '../../apiserver/explain/deletion.js'
import type { ExpressionsExplanation } from '../../apiserver/explain/expressions.js'
import type { ExplainedField } from '../../apiserver/explain/fields.js'
import type { SubjectsExplanation } from '../../apiserver/explain/subjects.js'
import type { RecordedRequest, RecordedStep } from '../../apiserver/recorder/recorded-request.js'

interface Named {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}
interface Rule {
  readonly verbs?: readonly string[] | null
  readonly apiGroups?: readonly string[] | undefined
  readonly resources?: readonly string[] | undefined
  readonly resourceNames?: readonly string[] | undefined
  readonly nonResourceURLs?: readonly string[] | undefined
}

/** Makes control characters visible: what others named or answered must not act as commands of the terminal. */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, c => (c === '\n' ? c : `\\u${c.codePointAt(0)!.toString(16).padStart(4, '0')}`))

const named = ({ kind, namespace, name }: Named) => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
const list = (values: readonly string[]) => values.join(', ')
const indented = (text: string, by = '    ') => text.replace(/^(?=.)/gm, by)
const lines = (parts: readonly (string | undefined)[]) => `${parts.filter(part => part !== undefined).join('\n')}\n`

function ruleText({ verbs, apiGroups = [], resources = [], resourceNames, nonResourceURLs }: Rule): string {
  const what = nonResourceURLs?.length
    ? list(nonResourceURLs)
    : `${list(resources)}${apiGroups.every(group => group === '') ? '' : ` of ${list(apiGroups.map(group => group || '""'))}`}`
  return `${list(verbs ?? [])} ${what}${resourceNames?.length ? `, only ${list(resourceNames)}` : ''}`
}

const from = (aggregated: readonly string[] | undefined) => (aggregated ? ` (from ${list(aggregated)})` : '')

function requestText({
  verb,
  group = '',
  resource = '',
  subresource,
  namespace,
  name,
  path
}: Omit<ShownQuestion, 'user' | 'groups'>) {
  if (path !== undefined) return `${verb} ${path}`
  const type = `${resource}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`
  const where = namespace === undefined || resource === 'namespaces' ? '' : ` in namespace ${namespace}`
  return `${verb} ${type}${name === undefined ? '' : ` ${name}`}${where}`
}

/** The most roles that people are shown. */
const maxHolders = 6

export function accessText(explained: AccessExplanation & { readonly request?: RecordedRequest }): string {
  const { question, allowed, reason, decidedBy, authorizers, grants, remedy, noRemedy, holders, hint, unreadable, request } =
    explained
  const before = request ? [happened(request)] : []
  // a request that was refused before anybody was asked
  if (!question) return lines(before)
  const who = question.user === '' ? `groups ${list(question.groups)}` : question.user
  return lines([
    ...before,
    `${who} ${allowed ? 'may' : 'may not'} ${requestText(question)}${decidedBy === undefined ? '' : `: ${decidedBy} ${allowed ? 'allows' : 'denies'} it`}`,
    ...(reason === '' ? [] : [`  ${reason}`]),
    ...(decidedBy === undefined ? [`  none of the authorizers allows it: ${list(authorizers.map(({ name }) => name))}`] : []),
    ...authorizers.flatMap(({ name, error, details }) => [
      ...(error === undefined ? [] : [`  ${name} failed: ${error}`]),
      ...(details?.policy ? [`  ${name}: line ${details.policy.line ?? '?'} of the policy file`] : []),
      ...(details?.matchConditions ?? []).map(({ expression, value }) => `  ${name}: match condition ${expression} is ${value}`)
    ]),
    ...grants.map(
      ({ binding, subject, role, rule, aggregatedFrom }) =>
        `  ${named(binding)} gives ${named(role)} to ${named(subject)}: ${ruleText(rule)}${from(aggregatedFrom)}`
    ),
    ...(hint === undefined ? [] : [`  note: ${hint}`]),
    ...(noRemedy === undefined ? [] : [`  ${noRemedy}`]),
    ...(holders?.length ? ['  roles that allow it to those to whom they are bound:'] : []),
    ...(holders ?? [])
      .slice(0, maxHolders)
      .map(({ role, rule, aggregatedFrom }) => `    ${named(role)}: ${ruleText(rule)}${from(aggregatedFrom)}`),
    ...((holders?.length ?? 0) > maxHolders ? [`    and ${holders!.length - maxHolders} more: -o json shows them`] : []),
    ...(remedy ? ['  this allows it, and nothing else:', indented(remedy.yaml).replace(/\n$/, '')] : []),
    ...(unreadable.length === 0 ? [] : [`  you may not list ${list(unreadable)}: there may be more`])
  ])
}

const happened = ({
  number,
  time,
  user,
  impersonated,
  method,
  url,
  status,
  message,
  authorization,
  admission
}: RecordedRequest): string =>
  [
    `request ${number} at ${time}: ${user === '' ? 'nobody' : user}${impersonated === undefined ? '' : `, as ${impersonated},`} sent ${method} ${url}, answered with ${status}`,
    ...(message === undefined ? [] : [`  ${message}`]),
    ...stepLines(admission),
    ...(authorization ? [`  it was ${authorization.allowed ? 'allowed' : 'not allowed'} then; now:`] : [])
  ].join('\n')

export function subjectsText({ question, subjects, notes }: SubjectsExplanation): string {
  return lines([
    subjects.length === 0 ? `no binding allows anybody to ${requestText(question)}` : `${requestText(question)}:`,
    ...subjects.flatMap(({ subject, through }) => [
      `  ${named(subject)}`,
      ...through.map(
        ({ binding, role, rule, aggregatedFrom }) =>
          `    through ${named(binding)}, ${named(role)}: ${ruleText(rule)}${from(aggregatedFrom)}`
      )
    ]),
    ...notes.map(note => `  note: ${note}`)
  ])
}

export function deletionText(object: string, explained: DeletionExplanation): string {
  const { deleting, deletionTimestamp, reasons, owners, conditions = [], finalizers } = explained
  return lines([
    deleting ? `${object} is being deleted since ${deletionTimestamp}` : `${object} is not being deleted`,
    ...(deleting && reasons.length === 0 ? ['  nothing keeps it: it goes with the next write'] : []),
    ...reasons.map(reason => `  ${reason}`),
    ...conditions.map(({ type, message }) => `  ${type}: ${message}`),
    ...(deleting ? [] : finalizers.map(({ name }) => `  it will wait for finalizer ${name}`)),
    ...owners.map(({ kind, name, exists }) => {
      const fate =
        exists === true ? 'is there' : exists ? 'may be there' : 'is gone: the garbage collector deletes what has no other owner'
      return `  owner ${kind} ${name} ${fate}`
    })
  ])
}

export function fieldsText(fields: readonly ExplainedField[]): string {
  if (fields.length === 0) return 'no manager owns it\n'
  return lines(
    fields.flatMap(({ path, owners }) =>
      owners.map(({ manager, operation, subresource, time, request }) => {
        const how = `${operation}${subresource === '' ? '' : ` of ${subresource}`}`
        const by = request ? `, request ${request.number} of ${request.user}: ${request.method} ${request.url}` : ''
        return `${path}  ${manager} (${how}${time === undefined ? '' : `, ${time}`}${by})`
      })
    )
  )
}

export const admissionText = ({ status, message, warnings, steps }: AdmissionExplanation): string =>
  lines([
    `the answer would be ${status}${message === undefined ? '' : `: ${message}`}`,
    ...warnings.map(warning => `  warning: ${warning}`),
    ...stepLines(steps)
  ])

/** Plugins that did nothing are only counted. */
function stepLines(steps: readonly RecordedStep[]): string[] {
  const quiet = steps.filter(
    ({ diff, answer, error, kind }) => kind === 'plugin' && diff === undefined && answer === undefined && error === undefined
  )
  const shown = steps.filter(step => !quiet.includes(step))
  return [...shown.map(stepText), ...(quiet.length === 0 ? [] : [`  ${quiet.length} plugins changed nothing`])]
}

function stepText({ depth, phase, kind, name, milliseconds, cost, answer, error, diff, expressions = [] }: RecordedStep): string {
  const said = error === undefined ? (answer ?? (diff === undefined ? 'asked' : 'changed the object')) : `refused: ${error}`
  const spent = `${milliseconds.toFixed(1)} ms${cost === undefined ? '' : `, cost ${cost}`}`
  return [
    `${'  '.repeat(depth + 1)}${phase} ${kind} ${name} (${spent}): ${said}`,
    ...(diff === undefined ? [] : [indented(diff, '      ').trimEnd()]),
    ...expressions.flatMap(expressionLines)
  ].join('\n')
}

function expressionLines({ expression, cost, nodes }: ExpressionCost): string[] {
  const oneLine = expression.replaceAll('\n', ' ')
  return [
    `      cost ${number(cost)}: ${oneLine}`,
    ...nodes.slice(0, 3).map(({ own, expression }) => `        ${number(own)}  ${expression}`)
  ]
}

const number = (value: number): string =>
  value >= 2 ** 60 ? 'unlimited' : value.toLocaleString('en-US', { maximumFractionDigits: 0 })

export function expressionsText({ versions }: ExpressionsExplanation): string {
  return lines(
    versions.flatMap(({ version, rules, total, limits }) => [
      `${version}: all rules cost ${number(total)} of ${number(limits.schema)}${total > limits.schema ? ', too much' : ''}`,
      ...rules.flatMap(({ at, expression, error, cost, values, total, nodes, cures }) => [
        `  ${at}: ${number(cost)} × ${number(values)} values = ${number(total)} of ${number(limits.rule)}${total > limits.rule ? ', too much' : ''}`,
        `    ${expression.replaceAll('\n', ' ')}`,
        ...(error === undefined ? [] : [`    ${error}`]),
        ...nodes.map(
          ({ expression, line, column, each, times, own }) =>
            `    ${number(own)}  ${line}:${column}  ${expression}  (${number(each)} each, ${number(times)} times)`
        ),
        ...cures.map(
          ({ bounds, total }) =>
            `    with ${bounds.map(({ at, keyword, value }) => `${keyword}: ${value} at ${at}`).join(' and ')}: ${number(total)}`
        )
      ])
    ])
  )
}
