/**
 * Decides how many requests may begin in one turn of the event loop.
 *
 * kube-apiserver's seats are goroutines that run side by side. Here a request has the only thread until it waits for something. So the
 * thread is the limit, hardly ever the seats, and what has begun cannot be overtaken. Therefore requests begin only while the turn is
 * short. The others wait in their queues, and fair queuing decides which is next.
 */

/** A set of queues, as the pace sees it. */
export interface Paced {
  /** The set's share of the thread while others wait as well: its seats. */
  readonly weight: number
  /** The thread's time that it has had, divided by its weight. */
  pass: number
  /** Lets one waiting request begin, and returns it. Undefined when none can. */
  dispatchOne(): { readonly isUnderWay: boolean } | undefined
}

export interface Pace {
  /** Whether a request that has just come may begin in this turn. */
  isFree(): boolean
  /** Lets waiting requests of the set begin, as many as can, when their turn has come. */
  wake(set: Paced): void
  /** To be called when a request begins, and again when it ends. */
  began(): void
  ended(): void
}

/** How long a turn should take at most, in milliseconds, with everything that happens in it. */
const turnMs = 1
/** For how many milliseconds of every turn requests may begin, however long the turn has been. */
const leastMs = 0.25
/** A turn that took more milliseconds had too many requests in it. */
const lateMs = 3
/** How many requests may be under way at once however late the turns are, and at the beginning. */
const leastWindow = 8
const firstWindow = 32
/** Milliseconds after which the pace looks again whether the window is open. */
const closedMs = 1
/** How many requests begin as they arrive in one turn, because it is not known yet how much of the turn they will take. */
const mostAtOnce = 4

export class EventLoopPace implements Pace {
  readonly #now: () => number
  readonly #waiting = new Set<Paced>()
  /** When this turn began to handle events; undefined while nothing has begun. */
  #began: number | undefined
  /** When requests stop beginning in this turn. */
  #until = 0
  #begunAtOnce = 0
  #scheduled = false
  #underWay = 0
  /**
   * Requests that may be under way at once. What they wait for, such as a commit, may come to all of them in one turn, so there must not
   * be too many; but those that wait for something slow must not keep others waiting: the window grows while turns are short.
   */
  #window = firstWindow
  /** Set while the window is closed and requests wait. */
  #closed: NodeJS.Timeout | undefined
  /** The pass of the set that was last served: a set that begins to wait counts as having had as much. */
  #pass = 0
  #served: { readonly set: Paced; readonly request: { readonly isUnderWay: boolean }; readonly at: number } | undefined

  /** `now` returns the thread's time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  began(): void {
    this.#underWay++
  }

  ended(): void {
    this.#underWay--
    if (!this.#closed) return
    clearTimeout(this.#closed)
    this.#closed = undefined
    setImmediate(this.#endTurn)
  }

  isFree(): boolean {
    if (this.#waiting.size > 0 || this.#underWay >= this.#window) return false
    const now = this.#now()
    if (this.#began !== undefined) return this.#begunAtOnce++ < mostAtOnce && now < this.#until
    this.#began = now
    this.#until = now + turnMs
    this.#begunAtOnce = 1
    this.#scheduleEnd()
    return true
  }

  wake(set: Paced): void {
    if (this.#waiting.has(set)) return
    if (set.pass < this.#pass) set.pass = this.#pass
    this.#waiting.add(set)
    this.#began ??= this.#now()
    this.#scheduleEnd()
  }

  #scheduleEnd(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    if (this.#underWay < this.#window) setImmediate(this.#endTurn)
    else this.#closed = setTimeout(this.#endTurn, closedMs)
  }

  /** Adjusts the window by the time that a turn has taken. */
  #adjustWindow(milliseconds: number): void {
    if (milliseconds > lateMs) this.#window = Math.max(leastWindow, Math.floor(this.#window * 0.75))
    else if (this.#underWay >= this.#window) this.#window += Math.ceil(this.#window / 8)
  }

  /** Lets waiting requests begin after the turn's own events, if these have left time. */
  readonly #endTurn = (): void => {
    this.#scheduled = false
    this.#closed = undefined
    const began = this.#began!
    this.#began = undefined
    this.#begunAtOnce = 0
    if (this.#waiting.size === 0) return
    const now = this.#now()
    this.#adjustWindow(now - began)
    this.#began = now
    this.#until = now + Math.max(turnMs - (now - began), leastMs)
    this.#serve()
  }

  readonly #serve = (): void => {
    const now = this.#now()
    const mayBegin = this.#charge(now) && now < this.#until && this.#underWay < this.#window
    for (let set = mayBegin && this.#next(); set; set = this.#next()) {
      this.#pass = set.pass
      const request = set.dispatchOne()
      if (request) {
        this.#served = { set, request, at: now }
        // after the answer has been sent, unless it has to wait for something: a tick comes after the promises that are settled
        return queueMicrotask(this.#serveNext)
      }
      this.#waiting.delete(set)
    }
    this.#began = now
    this.#scheduleEnd()
  }

  /**
   * Charges a set for what its request has taken. Returns false for a request that is not finished: it may take more, which the
   * next turn shows.
   */
  #charge(now: number): boolean {
    if (!this.#served) return true
    const { set, request, at } = this.#served
    this.#served = undefined
    set.pass += (now - at) / set.weight
    return !request.isUnderWay
  }

  readonly #serveNext = (): void => process.nextTick(this.#serve)

  /** Returns the set that has had the least. */
  #next(): Paced | undefined {
    let next: Paced | undefined
    for (const set of this.#waiting) if (!next || set.pass < next.pass) next = set
    return next
  }
}
