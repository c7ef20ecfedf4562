import { useSignal } from '@preact/signals'
import { stringify } from 'yaml'
import type { KubeObject } from '../../api/types.js'
import { keyOfPath, ownersOf } from '../../edit/field-owners.js'
import type { Conflict } from '../../edit/three-way.js'
import { pathText } from '../../edit/yaml-text.js'
import { Age } from '../../ui/age.js'

export interface ConflictsProps {
  readonly conflicts: readonly Conflict[]
  readonly object: KubeObject
  onCancel(): void
  /** Called with those conflicts in which one's own value shall hold. */
  onChosen(mine: readonly Conflict[]): void
}

/** The fields that somebody else changed while they were edited: one chooses whose value holds. */
export function Conflicts({ conflicts, object, onCancel, onChosen }: ConflictsProps) {
  const chosen = useSignal<ReadonlyMap<Conflict, 'mine' | 'theirs'>>(new Map())
  const { owners, fields } = ownersOf(object)
  const ownerOf = ({ path }: Conflict) => {
    for (let length = path.length; length > 0; length--) {
      const own = fields.get(keyOfPath(path.slice(0, length)))
      if (own) return owners[own.at(-1)!]
    }
    return undefined
  }
  const choose = (conflict: Conflict, side: 'mine' | 'theirs') => {
    chosen.value = new Map(chosen.value).set(conflict, side)
  }
  return (
    <section aria-label="Conflicts">
      <p class="problem" role="alert">
        Somebody changed the same fields while you did. Choose what shall hold.
      </p>
      {conflicts.map(conflict => {
        const field = pathText(conflict.path)
        const owner = ownerOf(conflict)
        return (
          <fieldset key={field} class="conflict">
            <legend>
              <code>{field}</code> <span class="quiet">was {textOf(conflict.base)}</span>
            </legend>
            <label>
              <input type="radio" name={field} onChange={() => choose(conflict, 'mine')} /> Yours:{' '}
              <code>{textOf(conflict.mine)}</code>
            </label>
            <label>
              <input type="radio" name={field} onChange={() => choose(conflict, 'theirs')} />{' '}
              {owner ? (
                <>
                  {owner.manager} ({owner.operation}, <Age since={owner.time} /> ago)
                </>
              ) : (
                'Theirs'
              )}
              : <code>{textOf(conflict.theirs)}</code>
            </label>
          </fieldset>
        )
      })}
      <p class="dialog-actions">
        <button type="button" onClick={onCancel}>
          Back to the text
        </button>
        <button
          type="button"
          class="primary"
          disabled={chosen.value.size < conflicts.length}
          onClick={() => onChosen(conflicts.filter(conflict => chosen.value.get(conflict) === 'mine'))}
        >
          Go on
        </button>
      </p>
    </section>
  )
}

const textOf = (value: unknown): string =>
  value === undefined ? 'not set' : stringify(value, { collectionStyle: 'flow' }).trim()
