const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A value as a tree of which one can close parts. Large lists show their first items. */
export function Tree({ label, value }: { label: string; value: unknown }) {
  return (
    <div class="tree" role="group" aria-label={label}>
      <Members value={value} depth={0} />
    </div>
  )
}

const most = 100

function Members({ value, depth }: { value: unknown; depth: number }) {
  if (!isNested(value)) return <Leaf value={value} />
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  if (entries.length === 0) return <span class="quiet">{Array.isArray(value) ? '[]' : '{}'}</span>
  return (
    <ul>
      {entries.slice(0, most).map(([key, member]) => (
        <li key={key}>
          {isNested(member) && Object.keys(member).length > 0 ? (
            <details open={depth < 2 && entries.length < 20}>
              <summary>
                <Key name={titleOf(value, key, member)} />{' '}
                <span class="quiet">
                  {Array.isArray(member) ? (member.length === 1 ? '1 item' : `${member.length} items`) : ''}
                </span>
              </summary>
              <Members value={member} depth={depth + 1} />
            </details>
          ) : (
            <>
              <Key name={key} /> <Members value={member} depth={depth + 1} />
            </>
          )}
        </li>
      ))}
      {entries.length > most && <li class="quiet">… and {entries.length - most} more: see YAML</li>}
    </ul>
  )
}

/** Items of lists are told apart by their name, where they have one. */
function titleOf(parent: object, key: string, member: object): string {
  if (!Array.isArray(parent)) return key
  const { name, type } = member as { name?: unknown; type?: unknown }
  return typeof name === 'string' ? name : typeof type === 'string' ? type : key
}

const Key = ({ name }: { name: string }) => <span class="key">{name}</span>

const Leaf = ({ value }: { value: unknown }) => (
  <span class={`leaf ${typeof value}`}>{value === null ? 'null' : value === '' ? '""' : String(value)}</span>
)
