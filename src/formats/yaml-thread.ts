/**
 * Parses large YAML texts in a separate thread: the library can take seconds for a large body, during which no other request
 * would be answered. It parses one text at a time, the shortest first, with a time limit, and bounds the number of waiting texts.
 */
import { Worker } from 'node:worker_threads'
import { tooManyRequests, tooManyValues } from '../status/status.js'
import type { YamlAsJson } from './yaml-json.js'
import { YamlError } from './yaml-parse.js'
import type { YamlOutcome, YamlTask } from './yaml-worker.js'

/** Most characters of a text that is parsed synchronously. Nearly all texts are shorter. */
export const longestAtOnce = 8 * 1024

const limits = { milliseconds: 20_000, waiting: 20, megabytes: 1024 }

const tooMany = () => tooManyRequests('too many large YAML documents are being read, please try again later', 1)

interface Job {
  readonly task: YamlTask
  resolve(outcome: YamlAsJson): void
  reject(error: Error): void
}

class YamlThread {
  #worker: Worker | undefined
  #waiting: Job[] = []
  #current: Job | undefined
  #timer: NodeJS.Timeout | undefined

  read(text: string): Promise<YamlAsJson> {
    return new Promise((resolve, reject) => {
      // the shortest comes first, so that nobody waits for those who send megabytes
      const at = this.#waiting.findIndex(({ task }) => task.text.length > text.length)
      this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, { task: { text }, resolve, reject })
      if (this.#waiting.length > limits.waiting) this.#waiting.pop()!.reject(tooMany())
      this.#next()
    })
  }

  #next(): void {
    const job = this.#current ? undefined : this.#waiting.shift()
    if (!job) return
    this.#current = job
    this.#worker ??= this.#start()
    // the thread keeps the process alive only while it parses
    this.#worker.ref()
    this.#timer = setTimeout(() => this.#giveUp(new YamlError('yaml: document takes too long to read')), limits.milliseconds)
    this.#worker.postMessage(job.task)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./yaml-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes }
    })
    worker.on('message', (outcome: YamlOutcome) => this.#finish(outcome))
    worker.on('error', error => {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#giveUp(isTooLarge ? new YamlError('yaml: document takes too much memory') : error)
    })
    return worker
  }

  #finish(outcome: YamlOutcome): void {
    const job = this.#done()
    this.#worker?.unref()
    if ('json' in outcome) job?.resolve(outcome)
    else if ('limit' in outcome) job?.reject(tooManyValues(outcome.limit, outcome.what))
    else job?.reject('problem' in outcome ? new YamlError(outcome.problem) : new Error(outcome.failure))
    this.#next()
  }

  /** Ends the thread, and with it the job. The next job gets a new thread. */
  #giveUp(error: Error): void {
    void this.#worker?.terminate()
    this.#worker = undefined
    this.#done()?.reject(error)
    this.#next()
  }

  #done(): Job | undefined {
    clearTimeout(this.#timer)
    const job = this.#current
    this.#current = undefined
    return job
  }
}

/** One thread per process, shared by all of its servers, as they share its processors. */
const thread = new YamlThread()

export const readYamlAside = (text: string): Promise<YamlAsJson> => thread.read(text)
