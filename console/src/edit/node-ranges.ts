import { isMap, isPair, isScalar, isSeq, type Node } from 'yaml'
import type { Path } from './yaml-text.js'
import { parseYaml } from './yaml-text.js'

export interface Place {
  readonly path: Path
  /** Offsets in the text: of the key (of the item, in lists), and behind the value. */
  readonly from: number
  readonly to: number
}

/** Where the fields of a text are, from the outside to the inside. */
export function placesOf(text: string): Place[] {
  const places: Place[] = []
  visit(parseYaml(text).contents, [])
  return places

  function visit(node: unknown, path: Path): void {
    if (isMap(node)) {
      for (const pair of node.items) {
        if (!isPair(pair) || !isScalar(pair.key)) continue
        add(pair.key, pair.value, [...path, String(pair.key.value)])
      }
    } else if (isSeq(node)) {
      for (const [i, item] of node.items.entries()) add(item, item, [...path, i])
    }
  }
  function add(start: unknown, value: unknown, path: Path): void {
    const from = (start as Node | null)?.range?.[0]
    if (from === undefined) return
    places.push({ path, from, to: (value as Node | null)?.range?.[1] ?? from })
    visit(value, path)
  }
}

/** Where the field of an error is: that field, or the nearest one around it that the text has. */
export function placeOf(places: readonly Place[], field: string): Place | undefined {
  const wanted = stepsOf(field)
  let best: Place | undefined
  for (const place of places) {
    const fits = place.path.length <= wanted.length && place.path.every((step, i) => String(step) === wanted[i])
    if (fits && (!best || place.path.length > best.path.length)) best = place
  }
  return best
}

/** The steps of a field's path as errors write it: `spec.containers[0].env[A]`. */
export function stepsOf(field: string): string[] {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inBrackets, name]) => inBrackets ?? name ?? '')
}
