/** Rewrites the links of HTML while it is sent, as apimachinery's proxy transport does. */
import { PassThrough, pipeline, type Readable, Transform } from 'node:stream'
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from 'node:zlib'
import { HtmlTags, type StartTag } from './html-tags.js'

/** The attributes that contain links, by element. */
const linksOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    a: 'href',
    applet: 'codebase',
    area: 'href',
    audio: 'src',
    base: 'href',
    blockquote: 'cite',
    body: 'background',
    button: 'formaction',
    command: 'icon',
    del: 'cite',
    embed: 'src',
    form: 'action',
    frame: 'longdesc src',
    head: 'profile',
    html: 'manifest',
    iframe: 'longdesc src',
    img: 'longdesc src usemap',
    input: 'src usemap formaction',
    ins: 'cite',
    link: 'href',
    object: 'classid codebase data usemap',
    q: 'cite',
    script: 'src',
    source: 'src',
    video: 'poster src'
  }).map(([element, names]) => [element, names.split(' ')])
)

const codings = {
  '': () => [new PassThrough(), new PassThrough()],
  gzip: () => [createGunzip(), createGzip()],
  deflate: () => [createInflateRaw(), createDeflateRaw({ level: 9 })]
} as const

/** Returns the body with its links rewritten, or the same when its content coding is another one. */
export function withLinks(body: Readable, coding: string, link: (url: string) => string): Readable {
  if (!Object.hasOwn(codings, coding)) return body
  const [decode, encode] = codings[coding as keyof typeof codings]()
  const tags = new HtmlTags(tag => textOf(tag, link))
  const rewrite = new Transform({
    transform: (chunk: Buffer, _, done) => done(null, Buffer.from(tags.read(chunk.toString('latin1')), 'latin1'))
  })
  return pipeline([body, decode!, rewrite, encode!], () => {}) as unknown as Readable
}

function textOf({ name, attributes, isSelfClosing }: StartTag, link: (url: string) => string): string {
  const links = linksOf.get(name) ?? []
  let text = `<${name}`
  for (const [key, given] of attributes) {
    const value = unescaped(given)
    text += ` ${key}="${escaped(links.includes(key) ? link(value) : value)}"`
  }
  return `${text}${isSelfClosing ? '/' : ''}>`
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** Stands for the ampersand of a reference that is left unchanged. */
const kept = '\ue000'

/** Decodes references to characters. Go knows the names of all characters; here, those that need no escape keep their names. */
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]*));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? named[name]! : kept + all.slice(1)
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return Buffer.from(isCharacter ? String.fromCodePoint(code) : '\ufffd').toString('latin1')
  })

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  '\r': '&#13;',
  [kept]: '&'
}
const escaped = (text: string): string => text.replace(/[&'<>"\r\ue000]/g, letter => escapes[letter]!)
