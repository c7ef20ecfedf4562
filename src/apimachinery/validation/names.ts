/** Validates names, labels and annotations, with kube-apiserver's messages. */

const dns1123Label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/
const dns1123Subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/
const dns1035Label = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/
const qualifiedNamePart = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const labelValue = /^(?:(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const configMapKey = /^[-._a-zA-Z0-9]+$/
const cIdentifier = /^[A-Za-z_][A-Za-z0-9_]*$/
const relaxedEnvVarName = /^[ -<>-~]+$/

const label1123 = regexError(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  '[a-z0-9]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  '123-abc'
)
const subdomain1123 = regexError(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*',
  'example.com'
)
const caselessSubdomain1123 = regexError(
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*',
  'Example.com'
)
const wildcard1123 = regexError(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*',
  '*.example.com'
)
const label1035 = regexError(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  'abc-123'
)
const namePart = regexError(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]',
  'MyName',
  'my.name',
  '123-abc'
)
const labelValueError = regexError(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?',
  'MyValue',
  'my_value',
  '12345'
)

/** Names the pattern of a text that does not fit, with examples of texts that do. */
export function regexError(message: string, pattern: string, ...examples: string[]): string {
  const list = examples.map(e => `'${e}'`).join(',  or ')
  return `${message} (${examples.length === 0 ? '' : `e.g. ${list}, `}regex used for validation is '${pattern}')`
}

const tooLong = (max: number) => `must be no more than ${max} bytes`
/** The message counts characters, because DNS names are ASCII. */
const tooManyCharacters = (max: number) => `must be no more than ${max} characters`
const bytes = (text: string) => Buffer.byteLength(text)

/** Returns the errors in a DNS label: "my-name". */
export function isDns1123Label(value: string): string[] {
  const errors: string[] = []
  if (value.length > 63) errors.push(tooManyCharacters(63))
  if (!dns1123Label.test(value)) errors.push(dns1123Subdomain.test(value) ? 'must not contain dots' : label1123)
  return errors
}

/** Returns the errors in one or more DNS labels with dots between them: "example.com". */
export function isDns1123Subdomain(value: string): string[] {
  const errors: string[] = []
  if (value.length > 253) errors.push(tooManyCharacters(253))
  if (value.length > 4096 || !dns1123Subdomain.test(value)) errors.push(subdomain1123)
  return errors
}

/** Kubernetes' declarative validation counts bytes in all names. */
const declared = (errors: string[]) => errors.map(error => error.replace(/(?<=must be no more than \d+ )characters$/, 'bytes'))

/** Returns the errors in a DNS label that a field declares as its format. */
export const isShortName = (value: string): string[] => declared(isDns1123Label(value))

/** Returns the errors in a DNS subdomain that a field declares as its format. */
export const isLongName = (value: string): string[] => declared(isDns1123Subdomain(value))

/** Returns the errors in a DNS subdomain in which capitals are allowed. */
export function isCaselessLongName(value: string): string[] {
  const errors: string[] = []
  if (value.length > 253) errors.push(tooLong(253))
  if (value.length > 4096 || !dns1123Subdomain.test(value.toLowerCase())) errors.push(caselessSubdomain1123)
  return errors
}

/** Returns the errors in the key of a label that a field declares as its format. */
export const isLabelKey = (value: string): string[] => declared(isQualifiedName(value))

/** Returns the errors in a wildcard domain: "*.example.com". */
export function isWildcardDns1123Subdomain(value: string): string[] {
  const errors: string[] = []
  if (value.length > 253) errors.push(tooManyCharacters(253))
  if (value.length > 4096 || !value.startsWith('*.') || !dns1123Subdomain.test(value.slice(2))) errors.push(wildcard1123)
  return errors
}

export function isDns1035Label(value: string): string[] {
  const errors: string[] = []
  if (value.length > 63) errors.push(tooManyCharacters(63))
  if (!dns1035Label.test(value)) errors.push(label1035)
  return errors
}

/** Returns the errors in "name" or "prefix/name": the keys of labels, annotations and similar maps. */
export function isQualifiedName(value: string): string[] {
  const errors: string[] = []
  const parts = value.split('/')
  let name = parts[0]!
  if (parts.length === 2) {
    const prefix = parts[0]!
    name = parts[1]!
    if (prefix === '') errors.push('prefix part must be non-empty')
    else for (const error of isDns1123Subdomain(prefix)) errors.push(`prefix part ${error}`)
  } else if (parts.length > 2) {
    return [`a valid label key ${namePart} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  }
  if (name === '') errors.push('name part must be non-empty')
  else if (name.length > 63) errors.push(`name part ${tooLong(63)}`)
  if (!qualifiedNamePart.test(name)) errors.push(`name part ${namePart}`)
  return errors
}

export function isLabelValue(value: string): string[] {
  const errors: string[] = []
  if (bytes(value) > 63) errors.push(tooLong(63))
  if (!labelValue.test(value)) errors.push(labelValueError)
  return errors
}

/** Returns the errors in the key of a ConfigMap or Secret. */
export function isConfigMapKey(value: string): string[] {
  const errors: string[] = []
  // this rule alone counts bytes but says characters
  if (bytes(value) > 253) errors.push('must be no more than 253 characters')
  if (!configMapKey.test(value)) {
    errors.push(
      regexError(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        '[-._a-zA-Z0-9]+',
        'key.name',
        'KEY_NAME',
        'key-name'
      )
    )
  }
  if (value === '.') errors.push("must not be '.'")
  else if (value === '..') errors.push("must not be '..'")
  else if (value.startsWith('..')) errors.push("must not start with '..'")
  return errors
}

/** Returns the errors in the name of a port: "http", an IANA service name. */
export function isPortName(value: string): string[] {
  const errors: string[] = []
  if (value.length > 15) errors.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(value)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)')
  if (value.includes('--')) errors.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen')
  return errors
}

export function isPortNumber(value: number): string[] {
  return value >= 1 && value <= 65535 ? [] : ['must be between 1 and 65535, inclusive']
}

/**
 * Returns the errors in the name of an environment variable, as Kubernetes accepts it since 1.34: any printable character except
 * "=".
 */
export function isRelaxedEnvVarName(value: string): string[] {
  return relaxedEnvVarName.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]
}

export function isCIdentifier(value: string): string[] {
  return cIdentifier.test(value)
    ? []
    : [
        regexError(
          "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
          '[A-Za-z_][A-Za-z0-9_]*',
          'my_name',
          'MY_NAME',
          'MyName'
        )
      ]
}

/** Returns the errors in a name that becomes one segment of a path and is otherwise free. For RBAC, a generateName is such a name as well, and no prefix of one. */
export function isPathSegmentName(value: string): string[] {
  return value === '.' || value === '..' ? [`may not be '${value}'`] : isPathSegmentPrefix(value)
}

const isPathSegmentPrefix = (value: string): string[] =>
  ['/', '%'].filter(c => value.includes(c)).map(c => `may not contain '${c}'`)

/** The rule for the names of all kinds. */
export const nameIsPathSegment = (name: string, prefix: boolean): string[] =>
  prefix ? isPathSegmentPrefix(name) : isPathSegmentName(name)

/** For kinds without a rule of their own: the one for all kinds is asked when nothing else is wrong. */
export const anyName = (): string[] => []

/** Masks the trailing dash of a generateName, which is validated as if a suffix stood there. */
const masked = (name: string, prefix: boolean) =>
  prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name

export const nameIsSubdomain = (name: string, prefix: boolean) => isDns1123Subdomain(masked(name, prefix))

/** For kinds that validate the generated name only and not the prefix, by declarations. */
export const madeNameIsSubdomain = (name: string, prefix: boolean): string[] => (prefix ? [] : isLongName(name))
export const nameIsLabel = (name: string, prefix: boolean) => isDns1123Label(masked(name, prefix))
export const nameIsDns1035Label = (name: string, prefix: boolean) => isDns1035Label(masked(name, prefix))
