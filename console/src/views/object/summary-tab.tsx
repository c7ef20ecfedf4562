import { findKind } from '../../api/discovery.js'
import { groupOf, objectRoute } from '../../api/paths.js'
import type { Condition, KubeObject } from '../../api/types.js'
import { Age } from '../../ui/age.js'
import { TableHead } from '../../ui/table-head.js'
import { Tree } from '../../ui/tree.js'
import { DeletionPanel } from './deletion-panel.js'
import type { TabProps } from './tab.js'

/** What one wants to know first: labels, owners, conditions, and the rest as a tree. */
export function SummaryTab({ resource, object }: TabProps) {
  const { metadata } = object
  const { status, spec } = object as { status?: { conditions?: unknown }; spec?: unknown }
  const conditions = Array.isArray(status?.conditions) ? (status.conditions as Condition[]) : []
  const rest = Object.entries(object).filter(([key]) => !['apiVersion', 'kind', 'metadata', 'spec', 'status'].includes(key))
  return (
    <>
      {metadata.deletionTimestamp && <DeletionPanel resource={resource} object={object} />}
      <dl class="facts">
        {metadata.namespace && (
          <>
            <dt>Namespace</dt>
            <dd>
              <a href={objectRoute({ group: '', name: 'namespaces' }, undefined, metadata.namespace)}>{metadata.namespace}</a>
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          {metadata.creationTimestamp}{' '}
          <span class="quiet">
            (<Age since={metadata.creationTimestamp} />)
          </span>
        </dd>
        {metadata.deletionTimestamp && (
          <>
            <dt>Deletion asked for</dt>
            <dd class="bad">{metadata.deletionTimestamp}</dd>
          </>
        )}
        {metadata.finalizers && (
          <>
            <dt>Finalizers</dt>
            <dd>
              <Chips texts={metadata.finalizers} />
            </dd>
          </>
        )}
        {metadata.labels && (
          <>
            <dt>Labels</dt>
            <dd>
              <Chips texts={pairs(metadata.labels)} />
            </dd>
          </>
        )}
        {metadata.annotations && (
          <>
            <dt>Annotations</dt>
            <dd>
              <Chips texts={pairs(metadata.annotations)} />
            </dd>
          </>
        )}
        {metadata.ownerReferences && (
          <>
            <dt>Owners</dt>
            <dd>
              <Owners object={object} />
            </dd>
          </>
        )}
      </dl>
      {conditions.length > 0 && <Conditions conditions={conditions} />}
      {spec !== undefined && (
        <>
          <h2>Spec</h2>
          <Tree label="Spec" value={spec} />
        </>
      )}
      {status !== undefined && (
        <>
          <h2>Status</h2>
          <Tree label="Status" value={conditions.length > 0 ? { ...status, conditions: undefined } : status} />
        </>
      )}
      {rest.map(([key, value]) => (
        <section key={key}>
          <h2>{key}</h2>
          <Tree label={key} value={value} />
        </section>
      ))}
    </>
  )
}

const pairs = (map: Readonly<Record<string, string>>): string[] => Object.entries(map).map(([key, value]) => `${key}=${value}`)

const Chips = ({ texts }: { texts: readonly string[] }) => (
  <span class="chips">
    {texts.map(text => (
      <span key={text} class="chip" title={text}>
        {text.length > 120 ? `${text.slice(0, 120)}…` : text}
      </span>
    ))}
  </span>
)

function Owners({ object }: { object: KubeObject }) {
  return (
    <>
      {object.metadata.ownerReferences?.map(({ apiVersion, kind, name, uid }) => {
        const resource = findKind(groupOf({ apiVersion }), kind)
        const text = `${kind} ${name}`
        return (
          <div key={uid}>
            {resource ? (
              <a href={objectRoute(resource, resource.namespaced ? object.metadata.namespace : '', name)}>{text}</a>
            ) : (
              text
            )}
          </div>
        )
      })}
    </>
  )
}

// A condition of these types is good news when it is false.
const isTrouble = (type: string) => /Failure|Pressure|Unavailable|Degraded|Stalled|Failed|Terminating|Failing/.test(type)

const Conditions = ({ conditions }: { conditions: readonly Condition[] }) => (
  <>
    <h2>Conditions</h2>
    <table class="simple-table">
      <TableHead titles={['Type', 'Status', 'Since', 'Why']} />
      <tbody>
        {conditions.map(({ type, status, reason, message, lastTransitionTime }) => (
          <tr key={type}>
            <td>{type}</td>
            <td class={status === 'Unknown' ? 'warn' : (status === 'True') === isTrouble(type) ? 'bad' : 'good'}>{status}</td>
            <td>
              <Age since={lastTransitionTime} />
            </td>
            <td>
              {reason} <span class="quiet">{message}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
)
