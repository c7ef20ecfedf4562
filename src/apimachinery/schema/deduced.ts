/** A type deduced from each value: the keys of a map have owners of their own, lists and scalars are atomic. */
import type { MapType } from './model.js'

export const deduced: MapType = {
  kind: 'map',
  go: 'interface {}',
  deduced: true,
  get values() {
    return deduced
  }
}
