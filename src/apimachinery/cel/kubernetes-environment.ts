/** The environment that all of Kubernetes' expressions share, as of 1.37. Each use adds its own variables. */
import { Environment } from './environment.js'
import { addresses } from './library/addresses.js'
import { authorization } from './library/authorization.js'
import { comprehensions } from './library/comprehensions.js'
import { conversions } from './library/conversions.js'
import { formatLibrary } from './library/formats.js'
import { lists, membership } from './library/lists.js'
import { optionals } from './library/optionals.js'
import { quantities } from './library/quantities.js'
import { regex } from './library/regex.js'
import { semvers } from './library/semvers.js'
import { sets } from './library/sets.js'
import { standardLibrary } from './library/standard.js'
import { strings } from './library/strings.js'
import { times } from './library/times.js'
import { urls } from './library/urls.js'

export const kubernetesEnvironment = Environment.of([
  standardLibrary,
  conversions,
  times,
  optionals,
  comprehensions,
  strings,
  lists,
  membership,
  sets,
  regex,
  urls,
  addresses,
  quantities,
  semvers,
  formatLibrary,
  authorization
])
