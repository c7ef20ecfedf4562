import type { Duplex } from 'node:stream'
import { BriefMap } from '../../util/brief.js'
import { type Caller, StoreUnavailableError, type Write } from '../contract.js'
import { decodeTold, encodeCheck, encodeCommit, encodeCompact, FrameReader } from './frames.js'

/** Bytes that may be on their way to the writer, or wait for its answer. More wait here. */
const maxUnderWay = 32 * 1024 * 1024
/** Bytes that may wait here; a write beyond that is refused. */
const maxWaiting = 256 * 1024 * 1024

/** How a commit ended: at a revision, or by the condition of one of its writes. */
export type Outcome = { readonly revision: number } | { readonly refused: number }

interface Asked {
  readonly frame: Buffer
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

/** The worker's end of the pipe to the process that writes. */
export class WorkerEnd {
  readonly #pipe: Duplex
  readonly #frames = new FrameReader()
  readonly #underWay = new BriefMap<number, Asked>()
  readonly #waiting: [number, Asked][] = []
  #bytesUnderWay = 0
  #bytesWaiting = 0
  #lastId = 0
  #ended: StoreUnavailableError | undefined

  /**
   * `told` is called for each revision that has become durable, and before each answer. `ended` is called when nothing can be asked any
   * more, with the reason.
   */
  constructor(pipe: Duplex, told: () => void, ended: (why: string) => void) {
    this.#pipe = pipe
    const end = (why: string) => {
      if (this.#ended) return
      this.#end(new StoreUnavailableError(why))
      ended(why)
    }
    pipe.on('data', (chunk: Buffer) => {
      try {
        for (const frame of this.#frames.read(chunk)) this.#receive(frame, told)
      } catch (error) {
        end(`what the process that writes says cannot be followed: ${(error as Error).message}`)
      }
    })
    pipe.on('error', () => {})
    pipe.on('close', () => end('the process that writes has ended'))
  }

  /** Rejects with StoreUnavailableError when the writer failed, or when it is unknown whether it wrote. */
  commit(writes: readonly Write[], user?: Caller['user']): Promise<Outcome> {
    return this.#ask(id => encodeCommit(id, writes, user))
  }

  async compact(revision: number): Promise<void> {
    await this.#ask(id => encodeCompact(id, revision))
  }

  async check(): Promise<void> {
    await this.#ask(encodeCheck)
  }

  #ask(encode: (id: number) => Buffer): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended)
      this.#lastId = (this.#lastId + 1) >>> 0
      const asked = { frame: encode(this.#lastId), resolve, reject }
      const { length } = asked.frame
      if (this.#bytesWaiting + length > maxWaiting) return reject(new StoreUnavailableError('too many writes wait for the disk'))
      this.#bytesWaiting += length
      this.#waiting.push([this.#lastId, asked])
      this.#send()
    })
  }

  /** One that is larger than all that may be under way goes alone. */
  #send(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const [id, asked] = next
      const { length } = asked.frame
      if (this.#underWay.size > 0 && this.#bytesUnderWay + length > maxUnderWay) return
      this.#waiting.shift()
      this.#bytesWaiting -= length
      this.#bytesUnderWay += length
      this.#underWay.set(id, asked)
      this.#write(asked.frame)
    }
  }

  /** What is asked in one turn of the event loop goes in one piece. */
  #write(frame: Buffer): void {
    if (this.#pipe.writableCorked === 0) {
      this.#pipe.cork()
      setImmediate(() => this.#pipe.uncork())
    }
    this.#pipe.write(frame)
  }

  #receive(frame: Buffer, told: () => void): void {
    const message = decodeTold(frame)
    told()
    if (message.type === 'revision') return
    const asked = this.#underWay.get(message.id)
    if (!asked) throw new RangeError(`there is no question ${message.id}`)
    this.#underWay.delete(message.id)
    this.#bytesUnderWay -= asked.frame.length
    if (message.type === 'done') asked.resolve({ revision: message.revision })
    else if (message.type === 'refused') asked.resolve({ refused: message.write })
    else asked.reject(new StoreUnavailableError(message.message))
    this.#send()
  }

  #end(error: StoreUnavailableError): void {
    this.#ended = error
    const lost = [...this.#underWay.values(), ...this.#waiting.map(([, asked]) => asked)]
    this.#underWay.clear()
    this.#waiting.length = 0
    for (const { reject } of lost) reject(error)
    this.#pipe.destroy()
  }

  close(): void {
    if (!this.#ended) this.#end(new StoreUnavailableError('the store is closed'))
  }
}
