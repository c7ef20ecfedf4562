import type { WindowsSecurityContextOptions } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { GoText, goJson } from '../../../apimachinery/validation/go-value.js'
import { isDns1123Subdomain } from '../../../apimachinery/validation/names.js'

const maxCredentialSpec = 64 * 1024
const maxDomain = 256
const maxUser = 104

const controlCharacters = /[\p{Cc}]/u
const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const dnsDomain =
  /^(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*$/
const onlyDotsAndSpaces = /^[. ]+$/
const forbiddenInUser = /["/\\:;|=,+*?<>@[\]]/

export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: Path,
  errors: FieldErrors
): void {
  if (!options) return
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options
  // the values are pointers, which are printed as JSON
  const shown = (text: string) => new GoText(goJson(text))
  if (gmsaCredentialSpecName !== undefined)
    for (const e of isDns1123Subdomain(gmsaCredentialSpecName))
      errors.invalid(path.child('gmsaCredentialSpecName'), shown(gmsaCredentialSpecName), e)
  if (gmsaCredentialSpec !== undefined) {
    const at = path.child('gmsaCredentialSpec')
    if (gmsaCredentialSpec === '') errors.invalid(at, shown(gmsaCredentialSpec), 'gmsaCredentialSpec cannot be an empty string')
    else if (Buffer.byteLength(gmsaCredentialSpec) > maxCredentialSpec)
      errors.invalid(at, shown(gmsaCredentialSpec), 'gmsaCredentialSpec size must be under 64 KiB')
  }
  if (runAsUserName !== undefined)
    for (const why of userNameProblems(runAsUserName)) errors.invalid(path.child('runAsUserName'), shown(runAsUserName), why)
}

/** Returns what is wrong with a user name: "user" or "DOMAIN\user". */
function userNameProblems(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string']
  if (controlCharacters.test(name)) return ['runAsUserName cannot contain control characters']
  const parts = name.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const user = parts.at(-1)!
  const domain = parts.length === 2 ? parts[0]! : undefined
  const problems: string[] = []
  if (domain !== undefined && Buffer.byteLength(domain) >= maxDomain)
    problems.push(`runAsUserName's Domain length must be under ${maxDomain} characters`)
  if (domain !== undefined && !netBiosDomain.test(domain) && !dnsDomain.test(domain))
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
  if (user === '') problems.push("runAsUserName's User cannot be empty")
  else if (Buffer.byteLength(user) > maxUser)
    problems.push(`runAsUserName's User length must not be longer than ${maxUser} characters`)
  if (onlyDotsAndSpaces.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces")
  if (forbiddenInUser.test(user))
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]')
  return problems
}
