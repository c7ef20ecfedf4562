import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { findResource } from '../../api/discovery.js'
import { apiVersionOf, groupOfSegment, objectRoute, schemaRoute } from '../../api/paths.js'
import type { ColumnDefinition, Resource } from '../../api/types.js'
import { LiveTable } from '../../live/live-table.js'
import { matcherOf, type Order, type Row, textOf } from '../../live/rows.js'
import { namespace } from '../../preferences.js'
import { go, queryOf, segments, setQuery } from '../../router.js'
import { pluralOf } from '../../shell/navigation.js'
import { Age } from '../../ui/age.js'
import { Check } from '../../ui/check.js'
import { Problem } from '../../ui/problem.js'
import { type Column, VirtualTable } from '../../ui/virtual-table.js'
import { NamespaceField } from './namespace-field.js'

/** The objects of a kind, as the server's Tables show them. */
export function ListView() {
  const [, group = '', name = ''] = segments.value
  const resource = findResource(groupOfSegment(group), name)
  if (!resource) return <p class="page">The server has no such kind, or you may not see it.</p>
  return <ResourceList key={`${resource.group}/${resource.name}`} resource={resource} />
}

function ResourceList({ resource }: { resource: Resource }) {
  const text = queryOf('q')
  const labelSelector = queryOf('labels')
  const fieldSelector = queryOf('fields')
  const inNamespace = resource.namespaced ? namespace.value : ''
  const order = useSignal<Order>({ column: undefined, descending: false })
  const isWide = useSignal(false)
  const table = useMemo(
    () => new LiveTable(resource, { namespace: inNamespace, labelSelector, fieldSelector }),
    [resource, inNamespace, labelSelector, fieldSelector]
  )
  useEffect(() => {
    table.start()
    return () => table.stop()
  }, [table])
  useEffect(() => table.show(order.value, matcherOf(text)), [table, text, order.value])

  const withNamespace = resource.namespaced && inNamespace === ''
  const columns = useComputed(() =>
    columnsOf(resource, table, withNamespace, isWide.value, order.value, next => (order.value = next))
  )
  const state = table.state.value
  // read, so that a change of the rows draws this anew
  const shown = table.version.value >= 0 ? table.rows : []
  const open = (row: Row) => go(objectRoute(resource, row.namespace, row.name))
  return (
    <div class="page list-page">
      <div class="page-head">
        <h1>{pluralOf(resource)}</h1>
        <span class="quiet">{apiVersionOf(resource)}</span>
        <a href={schemaRoute(resource)}>Fields</a>
        <span class="count" role="status">
          {state.is === 'loading'
            ? `${table.count} of ${table.count + (state.remaining ?? 0)} …`
            : shown.length === table.count
              ? `${table.count}`
              : `${shown.length} of ${table.count}`}
          {state.is === 'live' && (
            <span class="live" title="Changes appear as they happen">
              live
            </span>
          )}
          {state.is === 'waiting' && <span class="warn">{state.why} Trying again …</span>}
        </span>
      </div>
      <div class="toolbar">
        {resource.namespaced && <NamespaceField />}
        <input
          type="search"
          data-search
          aria-label="Filter by text"
          placeholder="Filter  /"
          value={text}
          onInput={event => setQuery({ q: event.currentTarget.value })}
        />
        <SelectorField
          label="Labels"
          placeholder="app=web,tier!=db"
          value={labelSelector}
          onChange={labels => setQuery({ labels })}
        />
        <SelectorField
          label="Fields"
          placeholder="metadata.name=web"
          value={fieldSelector}
          onChange={fields => setQuery({ fields })}
        />
        <Check label="Wide" value={isWide} />
      </div>
      {state.is === 'failed' ? (
        <Problem error={state.error} />
      ) : (
        <VirtualTable
          label={pluralOf(resource)}
          columns={columns.value}
          items={shown}
          keyOf={row => row.uid}
          classOf={row => (row.deleting ? 'deleting' : '')}
          onOpen={open}
          empty={
            state.is === 'loading'
              ? 'Loading …'
              : table.count > 0
                ? 'No row matches the filter.'
                : `There are no ${pluralOf(resource)} here.`
          }
        />
      )}
    </div>
  )
}

/** A field whose value goes to the server when it is complete. */
function SelectorField(props: { label: string; placeholder: string; value: string; onChange(value: string): void }) {
  return (
    <input
      class="selector"
      aria-label={props.label}
      placeholder={`${props.label}: ${props.placeholder}`}
      spellcheck={false}
      autocapitalize="off"
      value={props.value}
      onChange={event => props.onChange(event.currentTarget.value.trim())}
    />
  )
}

const isAge = ({ name }: ColumnDefinition) => name === 'Age'
/** Wide enough for the title and for what the first rows have. Heading and rows are grids of their own, so nothing may depend on their content. */
const widthOf = (title: string, texts: readonly string[]): string => {
  const longest = Math.min(44, Math.max(title.length + 3, ...texts.map(text => text.length))) + 3
  return `minmax(${longest}ch, ${longest}fr)`
}

function columnsOf(
  resource: Resource,
  table: LiveTable,
  withNamespace: boolean,
  isWide: boolean,
  order: Order,
  onOrder: (order: Order) => void
): Column<Row>[] {
  const sorting = (column: Order['column']) => ({
    sorted: order.column === column ? (order.descending ? ('descending' as const) : ('ascending' as const)) : undefined,
    onSort: () => onOrder({ column, descending: order.column === column && !order.descending })
  })
  const sample = table.rows.slice(0, 60)
  const columns: Column<Row>[] = []
  if (withNamespace)
    columns.push({
      key: 'namespace',
      title: 'Namespace',
      width: widthOf(
        'Namespace',
        sample.map(row => row.namespace)
      ),
      render: row => row.namespace
    })
  for (const [i, definition] of table.columns.value.entries()) {
    if (definition.priority > 0 && !isWide) continue
    const { name: title, description } = definition
    const common = { key: `${i}`, title, hint: description }
    if (isAge(definition))
      columns.push({ ...common, ...sorting('age'), width: 'minmax(9ch, 9fr)', render: row => <Age since={row.created} /> })
    else if (definition.format === 'name')
      columns.push({
        ...common,
        ...sorting(undefined),
        width: widthOf(
          title,
          sample.map(row => row.name)
        ),
        render: row => (
          <a class="name" href={objectRoute(resource, row.namespace, row.name)} tabIndex={-1}>
            {row.name}
          </a>
        )
      })
    else
      columns.push({
        ...common,
        ...sorting(i),
        width: widthOf(
          title,
          sample.map(row => textOf(row.cells[i]))
        ),
        render: row => <Cell value={textOf(row.cells[i])} />
      })
  }
  return columns
}

const good = new Set(['Running', 'Active', 'Ready', 'Bound', 'Complete', 'Completed', 'Succeeded', 'True', 'Available'])
const bad = /Error|Failed|BackOff|Evicted|OOMKilled|NotReady|Lost|Unknown|Terminating|Pending/
/** States that `kubectl get` prints have a colour, and still their word. */
function Cell({ value }: { value: string }) {
  const mood = good.has(value) ? 'good' : bad.test(value) ? 'bad' : ''
  return (
    <span class={mood} title={value.length > 24 ? value : undefined}>
      {value}
    </span>
  )
}
