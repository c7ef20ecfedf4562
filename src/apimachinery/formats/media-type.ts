/** Parses content types as Go's mime package does: returns the type in lower case, or nothing when any part is malformed. */

const token = /[\w!#$%&'*+.^`{|}~-]+/.source
const typeForm = new RegExp(`^${token}/${token}$`)
/** One parameter. Its value is a token, or a quoted text in which a backslash may precede special characters. */
const parameter = new RegExp(
  `^\\s*;\\s*(?<name>${token})\\s*=\\s*(?:(?<value>${token})|"(?<quoted>(?:\\\\[()<>@,;:\\\\"/[\\]?=]|[^"\\r\\n])*)")`
)

/** Parameters that are longer together are not read: nothing depends on them, and a header may have a megabyte. */
const mostParameters = 16_384

export function parseMediaType(text: string): string | undefined {
  const semicolon = text.indexOf(';')
  const type = (semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase()
  if (!typeForm.test(type)) return undefined
  if (semicolon < 0 || text.length - semicolon > mostParameters) return type
  return areParameters(text.slice(semicolon)) ? type : undefined
}

/** A repeated parameter must have the same value. */
function areParameters(text: string): boolean {
  const values = new Map<string, string>()
  let rest = text
  while (rest.trim() !== '' && rest.trim() !== ';') {
    const found = parameter.exec(rest)
    if (!found) return false
    const { name = '', value, quoted = '' } = found.groups!
    const given = value ?? quoted.replace(/\\([()<>@,;:\\"/[\]?=])/g, '$1')
    const key = name.toLowerCase()
    if ((values.get(key) ?? given) !== given) return false
    values.set(key, given)
    rest = rest.slice(found[0].length)
  }
  return true
}
