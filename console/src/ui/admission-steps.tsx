import { Code } from './code.js'

/** A step of admission, as explanations and recorded requests have it. */
export interface AdmissionStep {
  readonly kind: string
  readonly phase: string
  readonly name: string
  readonly depth: number
  readonly milliseconds: number
  readonly diff?: string
  readonly answer?: string
  readonly cost?: number
  readonly error?: string
}

/** What each plugin, policy and webhook did with a request, in their order. */
export const AdmissionSteps = ({ steps }: { steps: readonly AdmissionStep[] }) => (
  <table class="simple-table">
    <thead>
      <tr>
        <th scope="col">Step</th>
        <th scope="col">Phase</th>
        <th scope="col">Took</th>
        <th scope="col">What it did</th>
      </tr>
    </thead>
    <tbody>
      {steps.map(({ name, kind, phase, depth, milliseconds, diff, answer, cost, error }, i) => (
        <tr key={`${i}/${name}`}>
          <td>
            {depth > 0 && '↳ '}
            {name} <span class="quiet">{kind}</span>
          </td>
          <td>{phase}</td>
          <td>{milliseconds.toFixed(1)} ms</td>
          <td>
            {error && <span class="bad">{error}</span>} {answer} {cost !== undefined && <span class="quiet">cost {cost}</span>}
            {diff && <Code text={diff} />}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
