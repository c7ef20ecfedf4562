/** Shows recorded requests in a terminal. */
import type { RecordedRequest, RecordedStep } from './recorded-request.js'

/** Makes all control characters but line ends visible, so that a client's text cannot act as commands of the terminal. */
const visible = (text: string) =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, c => (c === '\n' ? c : `\\u${c.codePointAt(0)!.toString(16).padStart(4, '0')}`))
const inLine = (text: string) => visible(text).replaceAll('\n', '\\n')
const indented = (text: string) => text.replace(/^(?=.)/gm, '      ')

export const timeOf = (milliseconds: number) => `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`

export function titleOf({ number, verb, resource, namespace, name, url, status }: RecordedRequest): string {
  const object = [namespace, name].filter(part => part !== '').join('/')
  const what = resource === '' ? url : `${resource}${object === '' ? '' : ` ${object}`}`
  return `#${number} ${verb} ${what} → ${status === 0 ? 'no answer yet' : status}`
}

export const userOf = ({ user, impersonated }: RecordedRequest) =>
  `${user === '' ? 'nobody' : user}${impersonated === undefined ? '' : `, as ${impersonated}`}`

export const decisionOf = ({ authorization }: RecordedRequest): string | undefined => {
  if (!authorization) return undefined
  const why = authorization.error ?? authorization.reason
  return `${authorization.allowed ? 'allowed' : 'not allowed'}${why === '' ? '' : `: ${why}`}`
}

export const timesOf = ({ milliseconds, isOpen, parts, spans }: RecordedRequest): string =>
  [
    `${timeOf(milliseconds)}${isOpen ? ' so far' : ''}`,
    ...Object.entries(parts).map(([part, time]) => `${part} ${timeOf(time)}`),
    ...spans.map(({ name, milliseconds: time }) => `${name} ${timeOf(time)}`)
  ].join(', ')

/** Whether nothing happened in the step: such steps are only counted. */
export const isQuiet = ({ kind, diff, answer, error }: RecordedStep) =>
  kind === 'plugin' && diff === undefined && answer === undefined && error === undefined

function stepText(step: RecordedStep, timings: boolean): string {
  const { kind, phase, name, depth, milliseconds, diff, answer, error } = step
  const said =
    error === undefined ? (answer ?? (diff === undefined ? 'nothing changed' : 'changed the object')) : `refused: ${error}`
  const time = timings ? ` (${timeOf(milliseconds)})` : ''
  const line = `${'  '.repeat(depth)}    ${phase} ${kind} ${inLine(name)}${time}: ${inLine(said)}\n`
  return line + (diff ? visible(indented(diff)) : '')
}

function requestText(request: RecordedRequest, timings: boolean): string {
  const { time, method, url, userAgent, admission, writes, warnings, faults, message } = request
  const decision = decisionOf(request)
  const quiet = admission.filter(isQuiet)
  const lines = [
    titleOf(request),
    `  ${time} ${method} ${url}`,
    `  user: ${userOf(request)}${userAgent === '' ? '' : ` (${userAgent})`}`,
    ...(decision === undefined ? [] : [`  authorization: ${decision}`]),
    ...(message === undefined ? [] : [`  message: ${message}`]),
    ...warnings.map(warning => `  warning: ${warning}`),
    ...faults.map(action => `  fault: ${action}`),
    ...(timings ? [`  times: ${timesOf(request)}`] : [])
  ]
  const quietLine = quiet.length === 0 ? '' : `    ${quiet.length} plugins changed nothing\n`
  const steps =
    admission.length === 0
      ? ''
      : `  admission:\n${admission
          .filter(step => !isQuiet(step))
          .map(step => stepText(step, timings))
          .join('')}${quietLine}`
  const written = writes.map(({ action, resource, namespace, name, dryRun, diff }) => {
    const object = [namespace, name].filter(part => part !== '').join('/')
    return `  ${action} ${inLine(resource)} ${inLine(object)}${dryRun ? ' (dry run)' : ''}\n${action === 'delete' ? '' : visible(indented(diff))}`
  })
  return `${lines.map(inLine).join('\n')}\n${steps}${written.join('')}`
}

export const textOf = (requests: readonly RecordedRequest[], timings = true): string =>
  requests.map(request => requestText(request, timings)).join('\n')
