import { useEffect, useMemo } from 'preact/hooks'
import { findResource } from '../../api/discovery.js'
import { objectRoute } from '../../api/paths.js'
import type { Resource } from '../../api/types.js'
import { LiveTable } from '../../live/live-table.js'
import { type Row, textOf } from '../../live/rows.js'
import { Problem } from '../../ui/problem.js'

const everything = { namespace: '', labelSelector: '', fieldSelector: '' }
/** Of each node. */
const mostPods = 200

/** The Nodes, with a square for each Pod: where things are, and which are in trouble. */
export function ClusterView() {
  const nodes = findResource('', 'nodes')
  const pods = findResource('', 'pods')
  if (!nodes || !pods) return <p class="page">The server has no Nodes and Pods, or you may not see them.</p>
  return <NodesAndPods nodes={nodes} pods={pods} />
}

/** The rows of a resource, live. */
function useRows(resource: Resource): LiveTable {
  const table = useMemo(() => new LiveTable(resource, everything), [resource])
  useEffect(() => {
    table.start()
    return () => table.stop()
  }, [table])
  return table
}

function NodesAndPods({ nodes, pods }: { nodes: Resource; pods: Resource }) {
  const nodeTable = useRows(nodes)
  const podTable = useRows(pods)
  for (const { state } of [nodeTable, podTable]) if (state.value.is === 'failed') return <Problem error={state.value.error} />
  const nodeRows = nodeTable.version.value >= 0 ? nodeTable.rows : []
  const podRows = podTable.version.value >= 0 ? podTable.rows : []
  const column = (table: LiveTable, name: string) => table.columns.value.findIndex(column => column.name === name)
  const [onNode, podStatus, nodeStatus] = [column(podTable, 'Node'), column(podTable, 'Status'), column(nodeTable, 'Status')]
  const byNode = new Map<string, Row[]>()
  for (const row of podRows) {
    const name = textOf(row.cells[onNode])
    const key = name === '<none>' ? '' : name
    const present = byNode.get(key)
    if (present) present.push(row)
    else byNode.set(key, [row])
  }
  const waiting = byNode.get('') ?? []
  return (
    <div class="page">
      <div class="page-head">
        <h1>Nodes and Pods</h1>
        <span class="count">
          {nodeRows.length} Nodes, {podRows.length} Pods
        </span>
      </div>
      {waiting.length > 0 && (
        <section class="node" aria-label="Pods without a Node">
          <h2>Waiting for a Node</h2>
          <Squares pods={pods} rows={waiting} status={podStatus} />
        </section>
      )}
      <div class="nodes">
        {nodeRows.map(node => {
          const own = byNode.get(node.name) ?? []
          const status = textOf(node.cells[nodeStatus])
          return (
            <section key={node.uid} class="node" aria-label={node.name}>
              <h2>
                <a href={objectRoute(nodes, '', node.name)}>{node.name}</a>{' '}
                <span class={status === 'Ready' ? 'good' : 'bad'}>{status}</span> <span class="quiet">{own.length} Pods</span>
              </h2>
              <Squares pods={pods} rows={own} status={podStatus} />
            </section>
          )
        })}
      </div>
      {nodeRows.length === 0 && nodeTable.state.value.is === 'live' && (
        <p class="quiet">
          There are no Nodes. <code>binnacle simulate</code> has some that act as kubelets do.
        </p>
      )}
    </div>
  )
}

const moods = (status: string): string =>
  status === 'Running'
    ? 'running'
    : status === 'Completed' || status === 'Succeeded'
      ? 'done'
      : /Pending|Creating|Init/.test(status)
        ? 'waiting'
        : 'trouble'

function Squares({ pods, rows, status }: { pods: Resource; rows: readonly Row[]; status: number }) {
  return (
    <ul class="squares">
      {rows.slice(0, mostPods).map(row => {
        const text = textOf(row.cells[status])
        const title = `${row.namespace}/${row.name}: ${row.deleting ? 'being deleted' : text}`
        return (
          <li key={row.uid}>
            <a
              class={`square ${row.deleting ? 'leaving' : moods(text)}`}
              href={objectRoute(pods, row.namespace, row.name)}
              title={title}
            >
              <span class="hidden">{title}</span>
            </a>
          </li>
        )
      })}
      {rows.length > mostPods && <li class="quiet">and {rows.length - mostPods} more</li>}
    </ul>
  )
}
