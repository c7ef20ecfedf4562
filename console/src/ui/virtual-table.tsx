import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Column<T> {
  readonly key: string
  readonly title: string
  readonly hint?: string
  /** A track of CSS grid. */
  readonly width: string
  render(item: T): ComponentChildren
  /** Called when the heading is activated; without it, the column gives no order. */
  onSort?(): void
  readonly sorted?: 'ascending' | 'descending' | undefined
}

export interface VirtualTableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly items: readonly T[]
  keyOf(item: T): string
  classOf?(item: T): string
  onOpen?(item: T): void
  /** Called with the row that is clicked. */
  onSelect?(item: T): void
  readonly empty: ComponentChildren
}

// Rows of one height need no measuring: which ones are in sight follows from the position of the scroll bar.
const rowHeight = 34
const overscan = 8

/**
 * A table that has elements only for the rows in sight. Arrow keys, `j` and `k` move between rows, Home and End go to the ends, Enter opens.
 */
export function VirtualTable<T>({ label, columns, items, keyOf, classOf, onOpen, onSelect, empty }: VirtualTableProps<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const [active, setActive] = useState(-1)

  useEffect(() => {
    const element = scroller.current!
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const first = Math.max(0, Math.floor(top / rowHeight) - overscan)
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + overscan)
  const template = columns.map(column => column.width).join(' ')

  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(items.length - 1, index))
    setActive(next)
    const element = scroller.current!
    const at = next * rowHeight
    const room = element.clientHeight - rowHeight
    if (at < element.scrollTop) element.scrollTop = at
    else if (at + rowHeight > element.scrollTop + room) element.scrollTop = at + rowHeight - room
  }
  const steps: Record<string, () => number> = {
    ArrowDown: () => active + 1,
    j: () => active + 1,
    ArrowUp: () => active - 1,
    k: () => active - 1,
    PageDown: () => active + Math.floor(height / rowHeight) - 1,
    PageUp: () => active - Math.floor(height / rowHeight) + 1,
    Home: () => 0,
    End: () => items.length - 1
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const step = steps[event.key]
    const item = items[active]
    if (step && items.length > 0) moveTo(step())
    else if (event.key === 'Enter' && item && onOpen) onOpen(item)
    else return
    event.preventDefault()
  }

  return (
    <div
      class="table"
      role="grid"
      aria-label={label}
      aria-rowcount={items.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={active >= first && active < last ? `row-${active}` : undefined}
      tabIndex={0}
      ref={scroller}
      onScroll={event => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div class="table-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {columns.map(column => (
          <div key={column.key} role="columnheader" title={column.hint} aria-sort={column.onSort && (column.sorted ?? 'none')}>
            {column.onSort ? (
              <button type="button" class="heading" onClick={() => column.onSort?.()}>
                {column.title}
                <span aria-hidden="true">
                  {column.sorted === 'ascending' ? ' ▴' : column.sorted === 'descending' ? ' ▾' : ''}
                </span>
              </button>
            ) : (
              column.title
            )}
          </div>
        ))}
      </div>
      {items.length === 0 ? (
        <div class="table-empty">{empty}</div>
      ) : (
        <div class="table-body" role="rowgroup" style={{ height: `${items.length * rowHeight}px` }}>
          {items.slice(first, last).map((item, i) => {
            const index = first + i
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
              <div
                key={keyOf(item)}
                id={`row-${index}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={index === active}
                class={`table-row ${index === active ? 'active' : ''} ${classOf?.(item) ?? ''}`}
                style={{ gridTemplateColumns: template, transform: `translateY(${index * rowHeight}px)` }}
                onClick={() => {
                  setActive(index)
                  onSelect?.(item)
                }}
                onDblClick={() => onOpen?.(item)}
              >
                {columns.map(column => (
                  <div key={column.key} role="gridcell">
                    {column.render(item)}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      )}
    </div>
  )
}
