import type { Member } from './roster.js'

/** What waits, in the order in which it came. Each may leave at any time. It is no Set for the reason that roster.ts gives. */
export class WaitingLine<T extends Member> {
  /** The first is never a gap. */
  readonly #members: (T | undefined)[] = []
  /** How many places are behind those of `#members`. */
  #passed = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  get oldest(): T | undefined {
    return this.#members[0]
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const member of this.#members) if (member) yield member
  }

  has(member: T): boolean {
    return this.#members[member.place - this.#passed] === member
  }

  /** The member must wait nowhere else. */
  add(member: T): void {
    member.place = this.#passed + this.#members.length
    this.#members.push(member)
    this.#size++
  }

  /** Returns whether the member was in the line. */
  delete(member: T): boolean {
    if (!this.has(member)) return false
    this.#members[member.place - this.#passed] = undefined
    member.place = -1
    this.#size--
    const gaps = this.#size === 0 ? this.#members.length : this.#members.findIndex(other => other !== undefined)
    if (gaps > 0) this.#members.splice(0, gaps)
    this.#passed += gaps
    return true
  }
}
