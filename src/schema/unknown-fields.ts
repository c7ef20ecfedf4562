/** How much of what an object has too much is told. kube-apiserver stops at 100 where it knows the type, and nowhere else. */
const limits = { paths: 1000, characters: 1 << 20 }

/** Paths of fields that a type does not have, as many as anybody would read. */
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

/** The fields of an object of which nothing is known. */
export function allFields(object: object): readonly string[] {
  const fields = new UnknownFields()
  fields.addAll(Object.keys(object).sort())
  return fields.paths
}
