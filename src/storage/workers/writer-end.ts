import type { Duplex } from 'node:stream'
import { type CommitResult, type Store, StoreUnavailableError, type WatchHandle } from '../contract.js'
import { decodeQuestion, encodeDone, encodeFailed, encodeRefused, encodeRevision, FrameReader, type Question } from './frames.js'

type Served = Pick<Store, 'commit' | 'compact' | 'health' | 'watch' | 'currentRevision'>

/**
 * The writer's end of the pipe to a worker: commits what the worker asks for, and tells it of new revisions. The worker bounds what it
 * asks for at a time; what it does not take is told once, when it takes again.
 */
export class WriterEnd {
  readonly #store: Served
  readonly #pipe: Duplex
  readonly #frames = new FrameReader()
  #watch: WatchHandle | undefined
  /** The revision that is to be told when the pipe takes again. */
  #untold = 0
  #closed = false

  /** `failed`: the worker does not keep to the rules. */
  constructor(store: Served, pipe: Duplex, failed: (error: Error) => void) {
    this.#store = store
    this.#pipe = pipe
    pipe.on('data', (chunk: Buffer) => {
      try {
        for (const frame of this.#frames.read(chunk)) void this.#answer(decodeQuestion(frame))
      } catch (error) {
        this.close()
        failed(error as Error)
      }
    })
    pipe.on('drain', () => {
      if (this.#untold > 0) this.#tell(this.#untold)
    })
    // the end of the worker tells more
    pipe.on('error', () => this.close())
    pipe.on('close', () => this.close())
  }

  /** Begins to tell of revisions. */
  async start(): Promise<void> {
    const watch = await this.#store.watch('', (await this.#store.currentRevision()) + 1, {
      onEvents: (_, revision) => this.#tell(revision),
      // it is for the present, whose history is never compacted
      onError: () => this.close()
    })
    if (this.#closed) watch.close()
    else this.#watch = watch
  }

  #tell(revision: number): void {
    this.#untold = this.#pipe.writableNeedDrain ? revision : 0
    if (this.#untold === 0) this.#send(encodeRevision(revision))
  }

  /** What is said in one turn of the event loop goes in one piece. */
  #send(frame: Buffer): void {
    if (this.#closed) return
    if (this.#pipe.writableCorked === 0) {
      this.#pipe.cork()
      setImmediate(() => this.#pipe.uncork())
    }
    this.#pipe.write(frame)
  }

  async #answer(question: Question): Promise<void> {
    const { id } = question
    try {
      this.#send(await this.#outcome(question))
    } catch (error) {
      this.#send(encodeFailed(id, error instanceof StoreUnavailableError ? error.message : String(error)))
    }
  }

  async #outcome(question: Question): Promise<Buffer> {
    const { id } = question
    if (question.type === 'compact') await this.#store.compact(question.revision)
    else if (question.type === 'check') await this.#store.health()
    else {
      const result: CommitResult = await this.#store.commit(question.writes, { user: question.user })
      if (result.ok) return encodeDone(id, result.revision)
      return encodeRefused(
        id,
        question.writes.findIndex(({ key }) => key === result.key)
      )
    }
    return encodeDone(id, await this.#store.currentRevision())
  }

  close(): void {
    this.#closed = true
    this.#watch?.close()
    this.#pipe.destroy()
  }
}
