/** Follows configuration files, and folders of them, that may change while the server runs. */
import { type FSWatcher, watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Clock, Timer } from '../../util/clock.js'
import type { Part } from '../../util/part.js'

export interface FollowedFile {
  readonly path: string
  /** The content that is in use already. */
  readonly text: string
  readonly clock: Clock
  /** Takes a content that differs from the one before, whether or not that one was good. */
  changed(text: string): void | Promise<void>
  /** Takes what keeps the file from being read, and what `changed` throws. */
  failed(error: Error): void
}

/** What is read again when something in a folder changes. */
export interface Followed<T> {
  readonly name: string
  readonly folder: string
  /** Whether a change of this name in the folder is one of the content. */
  concerns(name: string): boolean
  /** The content that is in use already. */
  readonly content: T
  read(): Promise<T>
  isSame(one: T, other: T): boolean
  readonly clock: Clock
  /** Takes a content that differs from the one before, whether or not that one was good. */
  changed(content: T): void | Promise<void>
  /** Takes what keeps the content from being read, and what `changed` throws. */
  failed(error: Error): void
}

/** Between checks, as in kube-apiserver, for file systems that announce no changes. */
const pollMs = 60_000

/** Calls back when a content has changed. It watches the folder, and looks once a minute, too. */
export class Follower<T> implements Part {
  readonly name: string
  readonly #followed: Followed<T>
  #content: T
  #watcher: FSWatcher | undefined
  #timer: Timer | undefined
  #stopped = false
  #checking: Promise<void> | undefined
  #again = false

  constructor(followed: Followed<T>) {
    this.name = followed.name
    this.#followed = followed
    this.#content = followed.content
  }

  start(): void {
    try {
      this.#watcher = watch(this.#followed.folder, { persistent: false }, (_, name) => {
        if (name === null || this.#followed.concerns(name)) void this.check()
      })
      this.#watcher.on('error', error => this.#followed.failed(error))
    } catch (error) {
      this.#followed.failed(error as Error)
    }
    this.#poll()
    // the content may have changed since it was read
    void this.check()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#watcher?.close()
    this.#timer?.cancel()
    await this.#checking
  }

  #poll(): void {
    this.#timer = this.#followed.clock.setTimeout(() => {
      void this.check()
      this.#poll()
    }, pollMs)
  }

  reload(): Promise<void> {
    return this.check()
  }

  /** Reads the content; resolves when it is in use. Changes during a check lead to one more. */
  check(): Promise<void> {
    this.#again = true
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #check(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      try {
        const content = await this.#followed.read()
        if (this.#stopped || this.#followed.isSame(content, this.#content)) continue
        this.#content = content
        await this.#followed.changed(content)
      } catch (error) {
        this.#followed.failed(error as Error)
      }
    }
  }
}

/** Follows one file. */
export class FileFollower extends Follower<string> {
  constructor({ path, text, clock, changed, failed }: FollowedFile) {
    super({
      name: `follower of ${path}`,
      folder: dirname(path),
      // other files of the folder may change all the time; a mounted ConfigMap changes by a link whose name begins with two dots
      concerns: name => name.startsWith('..') || name === basename(path),
      content: text,
      read: () => readFile(path, 'utf8'),
      isSame: (one, other) => one === other,
      clock,
      changed,
      failed
    })
  }
}
