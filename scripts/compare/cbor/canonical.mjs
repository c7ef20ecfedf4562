/** CBOR as text that two servers' answers can be compared by: byte for byte, but for the order of keys, which kube-apiserver leaves to chance. */

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns one line for each document of a sequence. Heads longer than they have to be are marked with `+`. */
export function canonical(bytes) {
  const documents = []
  const reader = { bytes, at: 0 }
  try {
    while (reader.at < bytes.length) documents.push(item(reader))
  } catch (error) {
    documents.push(`broken at ${reader.at}: ${error.message}`)
  }
  return documents
}

function item(reader) {
  const { bytes } = reader
  const first = bytes[reader.at++]
  if (first === undefined) throw new Error('end')
  const type = first >> 5
  const info = first & 31
  if (info > 27) return `?${first.toString(16)}`
  const size = info < 24 ? 0 : 1 << (info - 24)
  let argument = BigInt(info)
  if (size > 0) argument = BigInt(`0x${bytes.toString('hex', reader.at, reader.at + size)}`)
  reader.at += size
  if (type === 7) return size > 1 ? `float${size * 8}(${argument.toString(16)})` : `simple(${argument})`
  const shortest = argument < 24n ? 0 : argument < 256n ? 1 : argument < 65536n ? 2 : argument < 2n ** 32n ? 4 : 8
  const mark = size > shortest ? '+' : ''
  const many = n => Array.from({ length: Number(n) }, () => item(reader))
  switch (type) {
    case 0:
      return `${mark}${argument}`
    case 1:
      return `${mark}${-1n - argument}`
    case 2:
    case 3: {
      const content = bytes.subarray(reader.at, (reader.at += Number(argument)))
      return `${mark}${type === 2 ? 'b' : 't'}${textOf(content)}`
    }
    case 4:
      return `${mark}[${many(argument).join(', ')}]`
    case 5: {
      const entries = many(argument * 2n)
      const pairs = entries.flatMap((key, i) => (i % 2 === 0 ? [`${key}: ${entries[i + 1]}`] : []))
      return `${mark}{${pairs.sort().join(', ')}}`
    }
    default:
      return `${mark}${argument}(${item(reader)})`
  }
}

function textOf(content) {
  try {
    return JSON.stringify(utf8.decode(content))
  } catch {
    return `h'${content.toString('hex')}'`
  }
}

/**
 * Text without two differences that Binnacle is known to have: its JSON holds a float without a fraction as an integer, and of bytes that
 * are no UTF-8 only replacement characters.
 */
export const withoutKnown = text =>
  text
    .replace(/float(16|32|64)\((\w+)\)/g, (found, size, bits) => {
      const value = floatOf(Number(size), BigInt(`0x${bits}`))
      return Number.isInteger(value) ? String(value) : found
    })
    .replace(/h'(\w+)'/g, (_, hex) => JSON.stringify(Buffer.from(hex, 'hex').toString()))
    .replace(/\\+(?=["\\u])|\\xff|�/g, '')
    .replace(/\\?"(?:number|integer)\\?"/g, '"number"')

function floatOf(size, bits) {
  const view = new DataView(new ArrayBuffer(8))
  if (size === 64) view.setBigUint64(0, bits)
  else view.setUint32(0, Number(bits))
  if (size !== 16) return size === 64 ? view.getFloat64(0) : view.getFloat32(0)
  const [exponent, fraction] = [Number((bits >> 10n) & 31n), Number(bits & 1023n)]
  return (bits & 0x8000n ? -1 : 1) * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}

const masks = [
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'UID'],
  [/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/(resourceVersion"?: ?[bt]?)"\d+"/g, '$1"N"'],
  [/(resource ?version:? )\d+/gi, '$1N'],
  // a build from Go modules names the scheme otherwise
  [/(in scheme \\+")[^"\\]+/g, '$1SCHEME'],
  [/10\.0\.0\.\d+/g, 'IP'],
  [/(b"token": b)"[^"]+"/g, '$1"TOKEN"'],
  [/(b"continue": b)"[^"]+"/g, '$1"CONTINUE"']
]

/** Replaces what differs between any two servers. */
export const masked = text => masks.reduce((found, [pattern, by]) => found.replace(pattern, by), text)
