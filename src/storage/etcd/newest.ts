/**
 * Asks for the newest revision on behalf of many callers. An answer counts only for callers that asked before the question was
 * sent, so all callers that ask while one question is under way share the next one.
 */
export class Newest {
  readonly #read: () => Promise<number>
  #underWay: Promise<unknown> = Promise.resolve()
  #next: Promise<number> | undefined

  constructor(read: () => Promise<number>) {
    this.#read = read
  }

  ask(): Promise<number> {
    return (this.#next ??= this.#afterThisOne())
  }

  async #afterThisOne(): Promise<number> {
    await this.#underWay
    this.#next = undefined
    const answer = this.#read()
    this.#underWay = answer.catch(() => {})
    return answer
  }
}
