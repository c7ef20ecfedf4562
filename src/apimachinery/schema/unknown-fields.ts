import { sortedKeys } from '../../util/go-format.js'

/** How many unknown fields are reported. kube-apiserver stops at 100 for types that it knows, and has no limit for others. */
const limits = { paths: 1000, characters: 1 << 20 }

/** Collects the paths of fields that a type lacks, up to the limits. */
export class UnknownFields {
  readonly paths: string[] = []
  #characters = 0

  get isFull(): boolean {
    return this.paths.length >= limits.paths || this.#characters > limits.characters
  }

  add(path: string): void {
    if (this.isFull) return
    this.paths.push(path)
    this.#characters += path.length
  }

  addAll(paths: Iterable<string>): void {
    for (const path of paths) this.add(path)
  }
}

/** Returns the unknown fields of an object. */
export function allFields(object: object): readonly string[] {
  const fields = new UnknownFields()
  fields.addAll(sortedKeys(object))
  return fields.paths
}
