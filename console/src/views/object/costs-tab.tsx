import { request } from '../../api/request.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'
import { TableHead } from '../../ui/table-head.js'
import type { TabProps } from './tab.js'

interface Rule {
  readonly at: string
  readonly kind: string
  readonly expression: string
  readonly cost: number
  readonly values: number
  readonly total: number
  readonly nodes: readonly { readonly expression: string; readonly each: number; readonly times: number; readonly own: number }[]
  readonly cures: readonly {
    readonly bounds: readonly { readonly at: string; readonly keyword: string; readonly value: number }[]
    readonly total: number
  }[]
  readonly error?: string
}
interface Costs {
  readonly versions: readonly {
    readonly version: string
    readonly total: number
    readonly limits: { readonly rule: number; readonly schema: number }
    readonly rules: readonly Rule[]
  }[]
}

const number = new Intl.NumberFormat('en')

/** What the rules of a definition cost, the costliest first, and which limits in its schema would make them cheaper. */
export function CostsTab({ object }: TabProps) {
  const { value, error, reload } = useLoad(
    signal => request<Costs>('/binnacle/v1/explain/expressions', { method: 'POST', body: { definition: object }, signal }),
    [object.metadata.resourceVersion]
  )
  if (error) return <Problem error={error} retry={reload} />
  if (!value) return <p class="quiet">Estimating …</p>
  return (
    <>
      {value.versions.map(({ version, total, limits, rules }) => (
        <section key={version} aria-label={version}>
          <h2>{version}</h2>
          <p>
            All rules of an object cost at most {number.format(total)} of {number.format(limits.schema)}; one rule may cost{' '}
            {number.format(limits.rule)}.
          </p>
          {rules.length === 0 && <p class="quiet">It has no rules.</p>}
          {rules.map(rule => (
            <RuleCost key={`${rule.at}/${rule.kind}/${rule.expression}`} rule={rule} limit={limits.rule} />
          ))}
        </section>
      ))}
    </>
  )
}

function RuleCost({ rule, limit }: { rule: Rule; limit: number }) {
  const { at, expression, cost, values, total, nodes, cures, error } = rule
  return (
    <details class="rule-cost" open={total > limit}>
      <summary>
        <code>{expression}</code> <span class={total > limit ? 'bad' : 'quiet'}>{number.format(total)}</span>
      </summary>
      <p class="quiet">
        At <code>{at || 'the root'}</code>: {number.format(cost)} for one value, of which an object may have{' '}
        {number.format(values)}.
      </p>
      {error && <p class="bad">{error}</p>}
      {nodes.length > 0 && (
        <table class="simple-table">
          <TableHead titles={['Part', 'Each time', 'Times', 'Costs by itself']} />
          <tbody>
            {nodes.map((node, i) => (
              <tr key={`${i}/${node.expression}`}>
                <td>
                  <code>{node.expression}</code>
                </td>
                <td>{number.format(node.each)}</td>
                <td>{number.format(node.times)}</td>
                <td>{number.format(node.own)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {cures.map(({ bounds, total }) => (
        <p key={bounds.map(({ at }) => at).join()}>
          It costs {number.format(total)} with{' '}
          {bounds.map(({ at, keyword, value }) => (
            <code key={at}>
              {at}: {keyword}: {number.format(value)}{' '}
            </code>
          ))}
        </p>
      ))}
    </details>
  )
}
