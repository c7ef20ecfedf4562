/**
 * Parses large YAML texts in a separate thread, because the library takes a second for a megabyte, and no other request would be
 * answered meanwhile. It parses one text at a time, with a time limit. Users have turns: nobody waits for more than one text of each
 * other user. Few texts of a user may wait, and the shortest of them comes first.
 */
import { Worker } from 'node:worker_threads'
import { BriefMap } from '../../util/brief.js'
import { tooManyRequests, tooManyValues } from '../status/status.js'
import type { YamlAsJson } from './yaml-json.js'
import { YamlError } from './yaml-parse.js'
import type { YamlOutcome, YamlTask } from './yaml-worker.js'

/** Most characters of a text that is parsed synchronously. Nearly all texts are shorter. */
export const longestAtOnce = 8 * 1024

export interface YamlLimits {
  /** Of processor time for one text. Those within the limits of yaml-parse.ts take less. */
  readonly milliseconds: number
  /** For one text on a busy machine. */
  readonly elapsedMilliseconds: number
  /** Texts that wait. */
  readonly waiting: number
  readonly waitingOfUser: number
  readonly megabytes: number
}

const defaultLimits: YamlLimits = {
  milliseconds: 3000,
  elapsedMilliseconds: 10_000,
  waiting: 40,
  waitingOfUser: 4,
  megabytes: 1024
}

const tooMany = () => tooManyRequests('too many large YAML documents are being read, please try again later', 1)

interface Job {
  readonly task: YamlTask
  readonly user: string
  resolve(outcome: YamlAsJson): void
  reject(error: Error): void
}

export class YamlThread {
  readonly #limits: YamlLimits
  #worker: Worker | undefined
  /** The texts that wait, by user, in the order of the users' turns. */
  readonly #queues = new BriefMap<string, Job[]>()
  #waiting = 0
  #current: Job | undefined
  #lastUser: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(limits = defaultLimits) {
    this.#limits = limits
  }

  read(text: string, user: string): Promise<YamlAsJson> {
    return new Promise((resolve, reject) => {
      let queue = this.#queues.get(user)
      if (!queue) this.#queues.set(user, (queue = []))
      const at = queue.findIndex(({ task }) => task.text.length > text.length)
      queue.splice(at < 0 ? queue.length : at, 0, { task: { text }, user, resolve, reject })
      this.#waiting++
      if (queue.length > this.#limits.waitingOfUser) this.#refuse(user, queue)
      else if (this.#waiting > this.#limits.waiting) this.#refuse(...this.#longest(user, queue))
      this.#next()
    })
  }

  /** The user with the most texts that wait: `user`, where others have no more. */
  #longest(user: string, queue: Job[]): [user: string, queue: Job[]] {
    let longest: [user: string, queue: Job[]] = [user, queue]
    for (const other of this.#queues.keys()) {
      const others = this.#queues.get(other)!
      if (others.length > longest[1].length) longest = [other, others]
    }
    return longest
  }

  #refuse(user: string, queue: Job[]): void {
    this.#takeFrom(user, queue, queue.length - 1).reject(tooMany())
  }

  #takeFrom(user: string, queue: Job[], at: number): Job {
    this.#waiting--
    const [job] = queue.splice(at, 1)
    if (queue.length === 0) this.#queues.delete(user)
    return job!
  }

  /** Takes a text of the user whose turn it is, who has another turn after all others. */
  #take(): Job | undefined {
    const [first, second] = this.#queues.keys()
    const user = first === this.#lastUser && second !== undefined ? second : first
    if (user === undefined) return undefined
    const queue = this.#queues.get(user)!
    const job = this.#takeFrom(user, queue, 0)
    if (queue.length > 0) {
      this.#queues.delete(user)
      this.#queues.set(user, queue)
    }
    this.#lastUser = user
    return job
  }

  #next(): void {
    const job = this.#current ? undefined : this.#take()
    if (!job) return
    this.#current = job
    this.#worker ??= this.#start()
    // the thread keeps the process alive only while it parses
    this.#worker.ref()
    this.#watch(this.#limits.milliseconds, performance.now(), process.cpuUsage())
    this.#worker.postMessage(job.task)
  }

  /** Gives up when the process has used the time that the text may take: the thread cannot have used more. */
  #watch(wait: number, began: number, cpu: NodeJS.CpuUsage): void {
    this.#timer = setTimeout(() => {
      const { user, system } = process.cpuUsage(cpu)
      const left = this.#limits.milliseconds - (user + system) / 1000
      if (left > 0 && performance.now() - began < this.#limits.elapsedMilliseconds) this.#watch(Math.max(left, 100), began, cpu)
      else this.#giveUp(new YamlError('yaml: document takes too long to read'))
    }, wait)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./yaml-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.megabytes }
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

/** `user`: who has sent the text. */
export const readYamlAside = (text: string, user: string): Promise<YamlAsJson> => thread.read(text, user)
