import type { HostAlias, PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { validateIP } from '../../../apimachinery/validation/ip.js'
import { isDns1123Subdomain } from '../../../apimachinery/validation/names.js'

const maxNameservers = 3
const maxSearches = 32
const maxSearchCharacters = 2048

const searchDomain = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/
const searchRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')"

export function validateDnsConfig({ dnsConfig, dnsPolicy }: PodSpec, path: Path, errors: FieldErrors): void {
  const servers = dnsConfig?.nameservers ?? []
  if (dnsPolicy === 'None') {
    if (!dnsConfig) return errors.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')
    if (servers.length === 0)
      return errors.required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None')
  }
  if (!dnsConfig) return
  if (servers.length > maxNameservers)
    errors.invalid(path.child('nameservers'), servers, `must not have more than ${maxNameservers} nameservers`)
  servers.forEach((server, i) => void validateIP(server, path.child('nameservers').index(i), errors))
  const searches = dnsConfig.searches ?? []
  if (searches.length > maxSearches)
    errors.invalid(path.child('searches'), searches, `must not have more than ${maxSearches} search paths`)
  const characters = searches.join(' ').length
  if (characters > maxSearchCharacters) {
    errors.invalid(
      path.child('searches'),
      searches,
      `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`
    )
  }
  searches.forEach((search, i) => {
    const at = path.child('searches').index(i)
    // a single dot stands for no search path
    if (search === '.') return
    const name = search.endsWith('.') ? search.slice(0, -1) : search
    if (name.length > 253) errors.invalid(at, name, 'must be no more than 253 characters')
    if (!searchDomain.test(name)) errors.invalid(at, name, searchRule)
  })
  dnsConfig.options?.forEach((option, i) => {
    if (!option.name) errors.required(path.child('options').index(i), 'must not be empty')
  })
}

export function validateHostAliases(aliases: readonly HostAlias[], path: Path, errors: FieldErrors): void {
  aliases.forEach((alias, i) => {
    validateIP(alias.ip, path.index(i).child('ip'), errors)
    alias.hostnames?.forEach((name, j) => {
      for (const e of isDns1123Subdomain(name)) errors.invalid(path.index(i).child('hostnames').index(j), name, e)
    })
  })
}
