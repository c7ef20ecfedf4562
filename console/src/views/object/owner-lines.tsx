import type { Extension } from '@codemirror/state'
import { RangeSetBuilder } from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'
import type { KubeObject } from '../../api/types.js'
import { keyOfPath, type Owner, ownersOf } from '../../edit/field-owners.js'
import { placesOf } from '../../edit/node-ranges.js'
import { Age } from '../../ui/age.js'

/** As many colours as people can tell apart; further owners share them. */
const colours = 8

const nameOf = ({ manager, operation, subresource }: Owner): string =>
  `${manager} (${operation}${subresource ? `, ${subresource}` : ''})`

/** Marks each line of a text with the owners of the field that it writes. */
export function ownerLines(text: string, object: KubeObject): { owners: readonly Owner[]; extensions: readonly Extension[] } {
  const { owners, fields } = ownersOf(object)
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const lineOf = (offset: number) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle
    }
    return low
  }
  // from the outside to the inside, so that the owner of an inner field wins
  const byLine: (readonly number[] | undefined)[] = []
  for (const { path, from, to } of placesOf(text)) {
    const own = fields.get(keyOfPath(path))
    if (own) for (let line = lineOf(from); line <= lineOf(Math.max(from, to - 1)); line++) byLine[line] = own
  }
  const builder = new RangeSetBuilder<Decoration>()
  for (const [line, own] of byLine.entries()) {
    if (!own) continue
    const title = own.map(i => nameOf(owners[i]!)).join('\n')
    builder.add(starts[line]!, starts[line]!, Decoration.line({ class: `owner-${own[0]! % colours}`, attributes: { title } }))
  }
  return { owners, extensions: [EditorView.decorations.of(builder.finish()), look] }
}

const look = EditorView.baseTheme(
  Object.fromEntries(Array.from({ length: colours }, (_, i) => [`.owner-${i}`, { boxShadow: `inset 4px 0 0 var(--owner-${i})` }]))
)

export const OwnerLegend = ({ owners }: { owners: readonly Owner[] }) => (
  <ul class="legend" aria-label="Owners of fields">
    {owners.map((owner, i) => (
      <li key={nameOf(owner)}>
        <span class={`swatch owner-${i % colours}`} /> {nameOf(owner)}{' '}
        <span class="quiet">
          <Age since={owner.time} /> ago
        </span>
      </li>
    ))}
  </ul>
)
