import { useSignal } from '@preact/signals'
import { findKind } from '../../api/discovery.js'
import { collectionPath, groupOf, objectRoute } from '../../api/paths.js'
import { request } from '../../api/request.js'
import { Code } from '../../ui/code.js'
import { Problem } from '../../ui/problem.js'
import { TableHead } from '../../ui/table-head.js'
import { type Explained, type Named, type Rule, rbacResource } from './explained.js'

export interface AnswerProps {
  readonly title: string
  readonly explained: Explained
  /** Called when something was created that changes the answer. */
  onChange(): void
}

/** Why something is allowed or refused, and what would allow it. */
export function Answer({ title, explained, onChange }: AnswerProps) {
  const {
    allowed,
    reason,
    decidedBy,
    authorizers,
    grants = [],
    remedy,
    noRemedy,
    holders = [],
    hint,
    unreadable = []
  } = explained
  return (
    <section class={`answer ${allowed ? 'allowed' : 'refused'}`} aria-label="Answer">
      <h2>{title}</h2>
      {reason && <p>{reason}</p>}
      {hint && <p class="warn">{hint}</p>}
      {grants.length > 0 && (
        <>
          <h3>What allows it</h3>
          <table class="simple-table">
            <TableHead titles={['Binding', 'to', 'Role', 'Rule']} />
            <tbody>
              {grants.map(({ binding, subject, role, rule, aggregatedFrom }) => (
                <tr key={`${binding.kind}/${binding.namespace}/${binding.name}/${JSON.stringify(rule)}`}>
                  <td>
                    <NamedLink of={binding} />
                  </td>
                  <td>
                    {subject.kind} {subject.name}
                  </td>
                  <td>
                    <NamedLink of={role} />
                  </td>
                  <td>
                    <RuleText rule={rule} from={aggregatedFrom} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {authorizers && (
        <p class="quiet">
          {authorizers.map(({ type, name, opinion, reason }) => (
            <span key={name} title={reason}>
              {name || type}: {opinion}.{' '}
            </span>
          ))}
          {!decidedBy && 'What nobody allows is refused.'}
        </p>
      )}
      {!allowed && remedy && <Remedy objects={remedy.objects} yaml={remedy.yaml} onChange={onChange} />}
      {!allowed && noRemedy && <p>{noRemedy}</p>}
      {!allowed && holders.length > 0 && (
        <details>
          <summary>Roles that would allow it, if they were bound ({holders.length})</summary>
          <ul>
            {holders.map(({ role, rule, aggregatedFrom }) => (
              <li key={`${role.kind}/${role.namespace}/${role.name}`}>
                <NamedLink of={role} />: <RuleText rule={rule} from={aggregatedFrom} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {unreadable.length > 0 && <p class="quiet">There may be more among what you may not list: {unreadable.join(', ')}.</p>}
    </section>
  )
}

function NamedLink({ of: { kind, name, namespace } }: { of: Named }) {
  const resource = rbacResource(kind)
  const text = `${kind} ${namespace ? `${namespace}/` : ''}${name}`
  return resource ? <a href={objectRoute(resource, namespace, name)}>{text}</a> : text
}

function RuleText({ rule, from = [] }: { rule: Rule; from?: readonly string[] | undefined }) {
  const what = rule.nonResourceURLs?.join(', ') ?? rule.resources?.join(', ') ?? ''
  const groups = rule.apiGroups?.filter(Boolean).join(', ')
  return (
    <>
      {rule.verbs.join(', ')} <strong>{what}</strong>
      {groups && <span class="quiet"> of {groups}</span>}
      {rule.resourceNames && <span class="quiet"> named {rule.resourceNames.join(', ')}</span>}
      {from.length > 0 && <span class="quiet"> (from {from.join(', ')})</span>}
    </>
  )
}

/** The smallest role that allows it, which one may create at once. */
function Remedy({
  objects,
  yaml,
  onChange
}: {
  objects: NonNullable<Explained['remedy']>['objects']
  yaml: string
  onChange(): void
}) {
  const error = useSignal<unknown>(undefined)
  const create = async () => {
    try {
      for (const object of objects) {
        const resource = findKind(groupOf(object), object.kind)
        if (resource) await request(collectionPath(resource, object.metadata.namespace), { method: 'POST', body: object })
      }
      onChange()
    } catch (reason) {
      error.value = reason
    }
  }
  return (
    <>
      <h3>This would allow it, and nothing else</h3>
      <Code text={yaml} />
      {error.value !== undefined && <Problem error={error.value} />}
      <button type="button" onClick={() => void create()}>
        Create {objects.map(({ kind }) => kind).join(' and ')}
      </button>
    </>
  )
}
