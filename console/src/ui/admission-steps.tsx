import type { AdmissionStep } from '../api/recorded.js'
import { Code } from './code.js'
import { TableHead } from './table-head.js'

/** What each plugin, policy and webhook did with a request, in their order. */
export const AdmissionSteps = ({ steps }: { steps: readonly AdmissionStep[] }) => (
  <table class="simple-table">
    <TableHead titles={['Step', 'Phase', 'Took', 'What it did']} />
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
