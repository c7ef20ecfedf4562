import { objectRoute } from '../../api/paths.js'
import { familyOf, type Relative } from '../../api/relations.js'
import { layered } from '../../ui/layout.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'
import type { TabProps } from './tab.js'

const width = 230
const height = 46
const gapX = 60
const gapY = 12

/** The owners of the object and all that belongs to them, as a graph. */
export function RelatedTab({ resource, object }: TabProps) {
  const { uid, resourceVersion } = object.metadata
  const { value, error, reload } = useLoad(signal => familyOf(resource, object, signal), [uid, resourceVersion])
  if (error) return <Problem error={error} retry={reload} />
  if (!value) return <p class="quiet">Loading …</p>
  const { relatives, edges, partly } = value
  const spots = layered(
    relatives.map(({ key }) => key),
    edges
  )
  const at = (key: string) => {
    const { column, row } = spots.get(key)!
    return { x: column * (width + gapX), y: row * (height + gapY) }
  }
  const all = [...spots.values()]
  const size = {
    width: (Math.max(...all.map(({ column }) => column)) + 1) * (width + gapX) - gapX,
    height: (Math.max(...all.map(({ row }) => row)) + 1) * (height + gapY) - gapY
  }
  return (
    <>
      {relatives.length === 1 && <p class="quiet">Nothing owns it, and it owns nothing.</p>}
      <div class="graph">
        <div class="graph-area" style={{ width: `${size.width}px`, height: `${size.height}px` }}>
          <svg width={size.width} height={size.height} aria-hidden="true">
            {edges.map(([from, to]) => {
              const [a, b] = [at(from), at(to)]
              const [x1, y1, x2, y2] = [a.x + width, a.y + height / 2, b.x, b.y + height / 2]
              const middle = (x1 + x2) / 2
              return <path key={`${from}>${to}`} d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`} />
            })}
          </svg>
          <ul aria-label="Owners and dependents">
            {relatives.map(relative => {
              const { x, y } = at(relative.key)
              const owners = edges.filter(([, to]) => to === relative.key).length
              return (
                <li
                  key={relative.key}
                  class={`graph-node ${relative.key === uid ? 'self' : ''} ${relative.isMissing ? 'missing' : ''}`}
                  style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
                >
                  <NodeText relative={relative} hasOwner={owners > 0} />
                </li>
              )
            })}
          </ul>
        </div>
      </div>
      {partly.length > 0 && <p class="quiet">Not read, or not as a whole: {partly.join(', ')}.</p>}
    </>
  )
}

function NodeText({ relative, hasOwner }: { relative: Relative; hasOwner: boolean }) {
  const { resource, kind, metadata, isMissing } = relative
  const note = isMissing ? ' (is gone)' : metadata.deletionTimestamp ? ' (is being deleted)' : ''
  return (
    <>
      <span class="quiet">
        {kind}
        {note}
        {hasOwner && <span class="hidden"> that is owned</span>}
      </span>
      {resource && !isMissing ? (
        <a href={objectRoute(resource, metadata.namespace, metadata.name)} title={metadata.name}>
          {metadata.name}
        </a>
      ) : (
        <span>{metadata.name}</span>
      )}
    </>
  )
}
