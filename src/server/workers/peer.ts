/**
 * What the processes of one server ask each other besides the store: over the channel that Node opens to a child process, each
 * question with a number, in order, answered when it is answered.
 */
import type { Socket } from 'node:net'

/** The channel to another process. */
export interface Channel {
  send?(message: unknown, handle?: any, options?: undefined, sent?: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: any, handle: any) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
}

type Message =
  | { readonly type: 'question'; readonly id: number; readonly what: string; readonly content: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly content?: unknown; readonly error?: string }

/**
 * Answers the questions of the other process. A connection that comes with a question is missing when its client has closed it
 * meanwhile.
 */
export type Answers = Readonly<Record<string, (content: any, connection?: Socket) => unknown>>

/** How many questions may wait for their answers. */
const mostQuestions = 10_000

const gone = () => new Error('the other process has ended')

export class Peer {
  readonly #channel: Channel
  readonly #waiting = new Map<number, { resolve(content: any): void; reject(error: Error): void }>()
  #lastId = 0
  #isGone = false

  constructor(channel: Channel, answers: Answers) {
    this.#channel = channel
    channel.on('message', (message: Message, handle) => {
      if (message.type === 'question') void this.#answer(message, handle, answers)
      else this.#answered(message)
    })
    channel.once('disconnect', () => this.#end())
  }

  /** Rejects when the other process cannot answer, or has ended. Gives away a `connection`, from which nothing has been read. */
  ask(what: string, content?: unknown, connection?: Socket): Promise<any> {
    return new Promise((resolve, reject) => {
      if (this.#isGone) return reject(gone())
      if (this.#waiting.size >= mostQuestions) return reject(new Error('the other process does not answer'))
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve, reject })
      this.#send({ type: 'question', id, what, content }, connection)
    })
  }

  async #answer(
    { id, what, content }: Message & { readonly type: 'question' },
    connection: Socket | undefined,
    answers: Answers
  ): Promise<void> {
    try {
      const answer = Object.hasOwn(answers, what) ? await answers[what]!(content, connection) : undefined
      this.#send({ type: 'answer', id, content: answer })
    } catch (error) {
      this.#send({ type: 'answer', id, error: error instanceof Error ? error.message : String(error) })
    }
  }

  #answered({ id, content, error }: Message & { readonly type: 'answer' }): void {
    const asked = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error !== undefined) asked?.reject(new Error(error))
    else asked?.resolve(content)
  }

  /** Sends a message. A process that has just ended reports that by an event, so what could not be sent to it does not matter. */
  #send(message: Message, handle?: Socket): void {
    if (!this.#isGone) this.#channel.send?.(message, handle, undefined, () => {})
  }

  #end(): void {
    this.#isGone = true
    for (const { reject } of this.#waiting.values()) reject(gone())
    this.#waiting.clear()
  }
}
