/** Follows configuration files that may change while the server runs. */
import { type FSWatcher, watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Clock, Timer } from '../util/clock.js'
import type { Part } from '../util/part.js'

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

/** Between checks, as in kube-apiserver, for file systems that announce no changes. */
const pollMs = 60_000

/**
 * Calls back when the content of a file has changed. It watches the folder, because a mounted ConfigMap changes by a link beside
 * the file, and looks once a minute, too.
 */
export class FileFollower implements Part {
  readonly name: string
  readonly #file: FollowedFile
  #text: string
  #watcher: FSWatcher | undefined
  #timer: Timer | undefined
  #stopped = false
  #checking: Promise<void> | undefined
  #again = false

  constructor(file: FollowedFile) {
    this.name = `follower of ${file.path}`
    this.#file = file
    this.#text = file.text
  }

  start(): void {
    try {
      this.#watcher = watch(dirname(this.#file.path), { persistent: false }, (_, name) => {
        if (this.#concerns(name)) void this.check()
      })
      this.#watcher.on('error', error => this.#file.failed(error))
    } catch (error) {
      this.#file.failed(error as Error)
    }
    this.#poll()
    // the file may have changed since it was read
    void this.check()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#watcher?.close()
    this.#timer?.cancel()
    await this.#checking
  }

  /** Other files of the folder may change all the time. A mounted ConfigMap changes by a link whose name begins with two dots. */
  #concerns(name: string | null): boolean {
    return name === null || name.startsWith('..') || name === basename(this.#file.path)
  }

  #poll(): void {
    this.#timer = this.#file.clock.setTimeout(() => {
      void this.check()
      this.#poll()
    }, pollMs)
  }

  /** Reads the file; resolves when its content is in use. Changes during a check lead to one more. */
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
        const text = await readFile(this.#file.path, 'utf8')
        if (text === this.#text || this.#stopped) continue
        this.#text = text
        await this.#file.changed(text)
      } catch (error) {
        this.#file.failed(error as Error)
      }
    }
  }
}
