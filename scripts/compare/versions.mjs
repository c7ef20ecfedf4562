import { jsonOf } from './answer.mjs'

/** Knows the versions of objects, which differ between servers: whether one stays the same is compared. */
export class Versions {
  #known = new Map()

  keeps({ body }) {
    const { uid, resourceVersion } = jsonOf({ text: body.toString() })?.metadata ?? {}
    if (uid === undefined) return undefined
    const before = this.#known.get(uid)
    this.#known.set(uid, resourceVersion)
    return before === undefined ? undefined : before === resourceVersion ? 'the version' : 'another version'
  }
}
