/** Reads HTML in pieces as golang.org/x/net/html does, and lets start tags be replaced; everything else stays as it is. */

export interface StartTag {
  /** The element's name in lower case. */
  readonly name: string
  /** Names in lower case, values as they stand in the text; the same name may come again. */
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly isSelfClosing: boolean
}

/** Elements whose content is text up to their end tag. */
const rawElements: ReadonlySet<string> = new Set(
  'iframe noembed noframes noscript plaintext script style textarea title xmp'.split(' ')
)
const space = ' \n\r\t\f'
const endsName = `${space}/>`
/** A longer tag, and everything after it, is left unchanged. */
const maxTag = 1024 * 1024

type State = 'text' | 'open' | 'close' | 'declaration' | 'bogus' | 'comment' | 'raw' | 'plain' | 'start tag' | 'end tag'
type Part = 'name' | 'between' | 'key' | 'after key' | 'before value' | 'quoted' | 'unquoted'

export class HtmlTags {
  readonly #replace: (tag: StartTag) => string
  #state: State = 'text'
  /** The present part of a tag. */
  #part: Part = 'name'
  #quote = ''
  /** What has been read of the present tag. */
  #tag = ''
  /** The length of the present end tag, which is not kept. */
  #length = 0
  #name = ''
  #key = ''
  #value = ''
  /** Whether the slash at the end belongs to the last value. */
  #endsInValue = false
  #attributes: [name: string, value: string][] = []
  /** The last letters, to recognise the end of comments and raw text. */
  #tail = ''
  #raw = ''
  /** Whether the text is a script in a comment, which may contain scripts itself. */
  #isEscaped = false
  #isDoubleEscaped = false

  constructor(replace: (tag: StartTag) => string) {
    this.#replace = replace
  }

  /**
   * Returns the output that is certain after a further piece, in which each byte is a letter. As in Go, an element that is open
   * at the end is lost.
   */
  read(text: string): string {
    let out = ''
    for (let at = 0; at < text.length; at++) {
      if (this.#state === 'plain') return out + text.slice(at)
      if (this.#state === 'text') {
        const open = text.indexOf('<', at)
        if (open < 0) return out + text.slice(at)
        out += text.slice(at, open)
        at = open
        this.#state = 'open'
        this.#tag = '<'
        continue
      }
      const c = text[at]!
      if (this.#state === 'start tag') {
        out += this.#inStartTag(c)
        continue
      }
      if (this.#state === 'open' && /[a-z]/i.test(c)) {
        this.#begin('start tag')
        out += this.#inStartTag(c)
        continue
      }
      if (this.#state === 'open') {
        out += this.#tag
        this.#tag = ''
        // this letter may begin a tag itself
        if (c !== '/' && c !== '!' && c !== '?') at--
        else out += c
        this.#state = c === '/' ? 'close' : c === '!' ? 'declaration' : c === '?' ? 'bogus' : 'text'
        this.#tail = ''
        continue
      }
      out += c
      this.#elsewhere(c)
    }
    return out
  }

  #elsewhere(c: string): void {
    switch (this.#state) {
      case 'close':
        if (/[a-z]/i.test(c)) {
          this.#begin('end tag')
          this.#step(c)
        } else this.#state = c === '>' ? 'text' : 'bogus'
        return
      case 'declaration':
        this.#tail += c
        if (c === '>') this.#state = 'text'
        else if (this.#tail === '--') this.#state = 'comment'
        else if (this.#tail.length === 2) this.#state = 'bogus'
        return
      case 'bogus':
        if (c === '>') this.#state = 'text'
        return
      case 'comment':
        if (c === '>' && /--!?$/.test(this.#tail)) this.#state = 'text'
        this.#tail = (this.#tail + c).slice(-3)
        return
      case 'end tag':
        if (this.#step(c)) this.#state = 'text'
        else if (++this.#length > maxTag) this.#state = 'plain'
        return
      default:
        this.#inRawText(c)
    }
  }

  #inRawText(c: string): void {
    const name = this.#raw
    if (endsName.includes(c)) {
      if (this.#tail.endsWith(`</${name}`)) {
        if (!this.#isDoubleEscaped) {
          this.#begin('end tag')
          if (this.#step(c)) this.#state = 'text'
          return
        }
        this.#isDoubleEscaped = false
      } else if (this.#isEscaped && this.#tail.endsWith('<script')) this.#isDoubleEscaped = true
    }
    this.#tail = (this.#tail + c.toLowerCase()).slice(-12)
    if (name !== 'script') return
    if (this.#tail.endsWith('<!--')) this.#isEscaped = true
    if (this.#tail.endsWith('-->')) this.#isEscaped = this.#isDoubleEscaped = false
  }

  #begin(state: State): void {
    this.#state = state
    this.#part = 'name'
    this.#length = 0
    this.#name = this.#key = this.#value = ''
    this.#attributes = []
  }

  #inStartTag(c: string): string {
    this.#tag += c
    if (this.#tag.length > maxTag) {
      this.#state = 'plain'
      return this.#tag
    }
    if (!this.#step(c)) return ''
    const name = this.#name.toLowerCase()
    const isSelfClosing = this.#tag.at(-2) === '/' && !this.#endsInValue
    this.#state = name === 'plaintext' ? 'plain' : rawElements.has(name) ? 'raw' : 'text'
    this.#raw = name
    this.#tail = ''
    this.#isEscaped = this.#isDoubleEscaped = false
    return this.#replace({ name, attributes: this.#attributes, isSelfClosing })
  }

  /** Returns whether the tag has ended. */
  #step(c: string): boolean {
    if (this.#part === 'quoted') {
      if (c === this.#quote) this.#keep('between')
      else this.#value += c
      return false
    }
    if (c === '>') {
      this.#endsInValue = this.#part === 'unquoted' && this.#value !== ''
      this.#keep('between')
      return true
    }
    const isSpace = space.includes(c)
    switch (this.#part) {
      case 'name':
        if (isSpace || c === '/') this.#part = 'between'
        else this.#name += c
        break
      case 'between':
        if (isSpace || c === '/') break
        this.#part = 'key'
        this.#key = c
        break
      case 'key':
      case 'after key':
        if (isSpace) this.#part = 'after key'
        else if (c === '/') this.#keep('between')
        else if (c === '=') this.#part = 'before value'
        else if (this.#part === 'key') this.#key += c
        else {
          this.#keep('key')
          this.#key = c
        }
        break
      case 'before value':
        if (isSpace) break
        this.#part = c === '"' || c === "'" ? 'quoted' : 'unquoted'
        if (this.#part === 'quoted') this.#quote = c
        else this.#value = c
        break
      default:
        if (isSpace) this.#keep('between')
        else this.#value += c
    }
    return false
  }

  #keep(next: Part): void {
    const key = this.#key.toLowerCase()
    if (key !== '') this.#attributes.push([key, this.#value])
    this.#key = this.#value = ''
    this.#part = next
  }
}
