/** Something that is in one roster at a time. */
export interface Member {
  /** Where it is; -1 outside. Only the roster changes it. */
  place: number
}

/**
 * A set, in no order, of what comes and goes with each request. In a Set, it would stay in memory long after it has gone: each table that a Set has outgrown
 * refers to the next, so that all which follow an old one wait for a collection of the whole heap, with the members that they had.
 */
export class Roster<T extends Member> {
  readonly #members: T[] = []

  get size(): number {
    return this.#members.length
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#members[Symbol.iterator]()
  }

  find(isWanted: (member: T) => boolean): T | undefined {
    return this.#members.findLast(isWanted)
  }

  /** The member must be in no roster. */
  add(member: T): void {
    member.place = this.#members.length
    this.#members.push(member)
  }

  /** Returns whether the member was in the roster. */
  delete(member: T): boolean {
    const { place } = member
    if (this.#members[place] !== member) return false
    member.place = -1
    const last = this.#members.pop()!
    if (last !== member) {
      this.#members[place] = last
      last.place = place
    }
    return true
  }
}
